# The report of all lessons, with every milestone run: `make test` leaves it out, SUITES=report proves three.
. common/make/lib.sh
lessons=$LOOKBACK_LESSONS
. tests/suites/report.sh
