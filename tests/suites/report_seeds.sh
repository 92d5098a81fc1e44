# The report of all lessons, with every milestone run: `make test` leaves it out, SUITES=report proves four.
lessons=$LOOKBACK_LESSONS
. tests/suites/report.sh
