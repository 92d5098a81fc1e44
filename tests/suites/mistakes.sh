# Every known mistake of every lesson is caught by the tests, and named.
. tests/suites/lib.sh

for lesson in $LOOKBACK_LESSONS; do
    prove "$lesson has at least 8 known mistakes" sh -c \
        "[ \$(grep -c '^mistake ' tests/$lesson/mistakes) -ge 8 ]"
    sh common/make/mistakes.sh "$lesson" || failed=1
done
exit $failed
