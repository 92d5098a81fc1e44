# Every reference solution passes its tests, under sanitizers and without them.
. tests/suites/lib.sh

copy_solutions
numbers=
for lesson in $LOOKBACK_LESSONS; do
    numbers="$numbers ${lesson%%-*}"
done
for sanitize in yes no; do
    with=$([ $sanitize = yes ] && echo "under sanitizers" || echo "without sanitizers")
    # What an optimizer warns of is the same with both.
    run_make -k $numbers FROM=$from SANITIZE=$sanitize ${once:-} >"$said" 2>&1
    status=$?
    for lesson in $LOOKBACK_LESSONS; do
        sed -n "s/^Lesson ${lesson%%-*} .*is done: .*, \(.* tests\)\./\1/p" "$said" >"$tmp/tests"
        if [ -s "$tmp/tests" ]; then
            ok "reference $lesson: $(cat "$tmp/tests") pass $with"
        else
            fail "reference $lesson $with"
        fi
    done
    prove "no reference is warned of $with" sh -c "[ $status = 0 ] && ! grep 'warns' $said || { cat $said; exit 1; }"
    once=OPTIMIZER_WARNS=
done
exit $failed
