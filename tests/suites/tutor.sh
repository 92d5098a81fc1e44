# The tutor's own tests, and what it says of broken files: all of it under sanitizers.
. tests/suites/lib.sh

prove "tutor: $("$LOOKBACK_OBJECTS/test_tutor" 2>/dev/null | grep -c ':PASS$') tests" \
    "$LOOKBACK_OBJECTS/test_tutor"
LOOKBACK_TUTOR=$LOOKBACK_OBJECTS/tutor-checked
export LOOKBACK_TUTOR
sh common/make/mistakes.sh 01-softmax tests/tutor/faults || failed=1
exit $failed
