# What lesson 12 says of its milestone holds at five seeds. `make test` leaves it out: SUITES=sort trains for less.
seeds="1 2 3 4 5"
. tests/suites/sort.sh
