# Every known mistake of one lesson is caught by the tests, and named.
. tests/suites/lib.sh

lesson=$1
if [ ! -f "tests/$lesson/mistakes" ]; then
    fail "tests/$lesson/mistakes is not there"
    exit 1
fi
prove "$lesson has at least 8 known mistakes" sh -c \
    "[ \$(grep -c '^mistake ' tests/$lesson/mistakes) -ge 8 ]"
sh common/make/mistakes.sh "$lesson" || failed=1
exit $failed
