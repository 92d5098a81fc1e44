# What lesson 09 says of its milestone holds at four seeds. `make test` leaves it out.
exec sh tests/suites/mirror.sh mirror_seeds "1 2 3 4"
