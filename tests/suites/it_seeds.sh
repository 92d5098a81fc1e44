# What lesson 06 says of its milestone holds at five seeds. `make test` leaves it out: SUITES=it proves one.
seeds="1 2 3 4 5"
. tests/suites/it.sh
