# Every reference solution passes its tests, under sanitizers and without them.
. tests/suites/lib.sh

copy_solutions
for lesson in $LOOKBACK_LESSONS; do
    number=${lesson%%-*}
    for sanitize in yes no; do
        with=$([ $sanitize = yes ] && echo "under sanitizers" || echo "without sanitizers")
        if run_make "$number" FROM=$from SANITIZE=$sanitize >"$said" 2>&1 &&
            ! grep -q 'warns' "$said"; then
            ok "reference $lesson: $(sed -n 's/^Lesson .* is done: .*, \(.* tests\)\./\1/p' "$said") pass $with"
        else
            fail "reference $lesson $with"
            cat "$said"
        fi
    done
done
exit $failed
