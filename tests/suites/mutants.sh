# What the generator of slips finds in one lesson beyond its list fails as well, or is known to be the same.
# `make test` leaves it out: SUITES="mutants:01-softmax", or make mutants.
. tests/suites/lib.sh

"$LOOKBACK_OBJECTS/prove" mutants "$1" $(run_make -s "objects-$1") || failed=1
exit $failed
