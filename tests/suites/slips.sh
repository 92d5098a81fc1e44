# Every known slip of one lesson is caught and told in its own words, every other right way passes, and
# what the generator finds beyond that fails, or is known to be the same.
. tests/suites/lib.sh

lesson=$1
objects=$(run_make -s "objects-$lesson")
prove "$lesson lists at least 8 slips" sh -c "[ \$(grep -c '^slip ' tests/$lesson/slips) -ge 8 ]"
"$LOOKBACK_OBJECTS/tutor" slips "$lesson" $objects || failed=1
"$LOOKBACK_OBJECTS/tutor" mutants "$lesson" $objects || failed=1
exit $failed
