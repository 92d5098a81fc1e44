# Every reference solution passes its tests, under sanitizers; without them, two lessons that look at memory
# do: the first, and that which measures it. All of them in references_plain.
plain=${plain:-01-softmax 14-fast}
. tests/suites/lib.sh

copy_solutions
# pass SANITIZE WITH LESSON...: what an optimizer warns of is proven in warnings.
pass() {
    sanitize=$1 with=$2
    shift 2
    run_make -k $(printf '%s\n' "$@" | sed 's/-.*//') FROM=$from SANITIZE=$sanitize LOOKBACK_WARNING_CFLAGS= >"$said" 2>&1
    status=$?
    for lesson; do
        sed -n "s/^Lesson ${lesson%%-*} .*is done: .*, \(.* tests\)\./\1/p" "$said" >"$tmp/tests"
        if [ -s "$tmp/tests" ]; then
            read -r tests <"$tmp/tests"
            ok "reference $lesson: $tests pass $with"
        else
            fail "reference $lesson $with"
        fi
    done
    prove "no reference is warned of $with" sh -c "[ $status = 0 ] && ! grep 'warns' $said || { cat $said; exit 1; }"
}
[ "$1" = references_plain ] || pass yes "under sanitizers" $LOOKBACK_LESSONS
pass no "without sanitizers" $plain
exit $failed
