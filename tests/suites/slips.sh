# Every known slip of one lesson is caught and told in its own words, every other right way passes.
. tests/suites/lib.sh

lesson=$1
# The warnings of an optimizer, a compile more, are proven by the slips of lesson 01.
[ "$lesson" = 01-softmax ] || export LOOKBACK_WARNING_CFLAGS=
prove "$lesson lists at least 8 slips" sh -c "[ \$(grep -c '^slip ' tests/$lesson/slips) -ge 8 ]"
"$LOOKBACK_OBJECTS/prove" slips "$lesson" $(run_make -s "objects-$lesson") || failed=1
exit $failed
