# On a busy machine every verdict is as on an idle one: 16 loops for each core compute for nothing beside
# three lessons, a class of five, and the slips of lesson 14. Each loop ends by itself.
. tests/suites/lib.sh

$LOOKBACK_CC -std=c17 -O1 tests/suites/busy.c -o "$tmp/busy" || fail "tests/suites/busy.c compiles"
"$tmp/busy" $((16 * $(getconf _NPROCESSORS_ONLN))) 1800 &
loops=$!
trap 'kill $loops 2>/dev/null' EXIT
trap 'exit 1' HUP INT TERM

# --- lessons, as a learner has them

copy_solutions
for number in 01 07 13; do
    prove "lesson $number passes" run_make "$number" FROM="$from"
done
in_function() { # LESSON FUNCTION LINE: at its start, in the reference
    sed "/^[a-z].* \**$2(/,/^}/ s/{\$/{ $3/" "solutions/$1/$(name_of "$1").c"
}
in_function 01-softmax softmax 'for (;;) ;' >"$from/01-softmax/softmax.c"
refuse "a loop is stopped, and named" "softmax() was stopped after 0.5 s of work" \
    env LOOKBACK_SECONDS=0.5 "${MAKE:-make}" 01 FROM="$from"
{ echo 'unsigned sleep(unsigned);' && in_function 01-softmax entropy 'sleep(1000);'; } >"$from/01-softmax/softmax.c"
refuse "so is one who sleeps" "entropy() was stopped after 1 s of waiting" \
    env LOOKBACK_SECONDS=0.5 "${MAKE:-make}" 01 FROM="$from"

# --- a class

class=$tmp/class
hand_in() { # NAME: what stands on standard input
    mkdir -p "$class/$1/01-softmax"
    cat >"$class/$1/01-softmax/softmax.c"
}
if sh common/grade/box.sh probe >"$said" 2>&1; then
    hand_in right <solutions/01-softmax/softmax.c
    in_function 01-softmax log_sum_exp 'for (;;) ;' | hand_in loop
    { echo 'unsigned sleep(unsigned);' && in_function 01-softmax entropy 'sleep(1000);'; } | hand_in sleep
    in_function 01-softmax softmax_jacobian 'int *nothing = 0; *nothing = 1;' | hand_in crash
    sh common/make/stubs.sh print 01-softmax | hand_in stub
    printf '%s,01-softmax,%s,9,graded\n' crash 8 loop 8 right 9 sleep 8 stub 0 >"$tmp/expected"
    run_make grade DIR="$class" OUT="$tmp/graded" LOOKBACK_WARNING_CFLAGS= JOBS=2 >"$tmp/screen" 2>&1
    prove "a class gets what it deserves" sh -c "cut -d , -f 1-4,7 '$tmp/graded/results.csv' | sed 1d | diff - '$tmp/expected'"
else
    left "no box can be made here: a class on a busy machine"
fi

# --- slips

sh tests/suites/slips.sh 14-fast >"$tmp/slips" 2>&1 || failed=1
grep '^FAIL' "$tmp/slips"
prove "all slips of lesson 14 are told" sh -c "! grep -q '^FAIL' '$tmp/slips' && grep -q '^ok' '$tmp/slips'"
exit $failed
