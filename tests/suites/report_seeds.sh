# The report of all lessons, with every milestone run: `make test` leaves it out, SUITES=report proves three.
lessons=$LOOKBACK_LESSONS
. tests/suites/report.sh
