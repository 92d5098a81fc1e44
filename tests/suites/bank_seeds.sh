# What lesson 11 says of its milestone holds at five seeds. `make test` leaves it out: SUITES=bank trains for less.
seeds="1 2 3 4 5"
. tests/suites/bank.sh
