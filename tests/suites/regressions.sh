# What the tutor finds in recorded wrong attempts at the exercises of one lesson: tests/regressions/NN-name.
. tests/suites/lib.sh

lesson=$1
list=tests/regressions/$lesson
objects=$(run_make -s "objects-$lesson")
"$LOOKBACK_OBJECTS/prove" regressions "$lesson" "$list" $objects || failed=1
[ "$lesson" = 01-softmax ] || exit $failed

# An entry of the list whose exercise or mistake no longer exists is an error.
changed() { # SCRIPT: the first attempt of the list, changed with sed
    awk '/^attempt / && n++ { exit } { print }' "$list" | sed "$1" >"$tmp/list"
    "$LOOKBACK_OBJECTS/prove" regressions "$lesson" "$tmp/list" $objects
}
refuse "an exercise that is not there is an error" "the lesson has no exercise" changed '1s/ in .*/ in no_such/'
refuse "a mistake that is not there is an error" "expected: likely no_such" changed 's/^told .*/told    likely no_such/'
refuse "an entry that expects nothing is an error" "expected:" changed '/^told /d'
exit $failed
