# The known state of a lesson is true, even if a build, a save or a check stops in the middle.
. tests/suites/lib.sh
export UNSAFE=1 # what is judged here is our own

from=build/tmp/state/class
out=build/from/$from
lesson=01-softmax
own=build/tmp/state/objects # of its own, some of which are not there yet
rm -rf "$out" "$LOOKBACK_OBJECTS/yours/$from"
mkdir -p $from && cp -R solutions/$lesson solutions/06-self-attention $from/

# at_once COMMAND...: each word is a make command of its own; their output, one after the other.
at_once() {
    for command in "$@"; do
        run_make $command FROM=$from LOOKBACK_WARNING_CFLAGS= >"$tmp/at-once.$(echo "$command" | tr / -)" 2>&1 &
    done
    wait
    cat "$tmp"/at-once.*
    rm -f "$tmp"/at-once.*
}
judged() {
    run_make list FROM=$from LOOKBACK_WARNING_CFLAGS= 2>&1 | sed -n '/^ *01/p'
}

run_make -j 4 01 show-01 test-01 plot-01 FORMAT=ascii FROM=$from >"$said" 2>&1
prove "four goals of one lesson at once: no wrong verdict" sh -c "
    grep -q 'Lesson 01 is done' $said && grep -q '0 Failures' $said && grep -q 'Drawn from' $said &&
    grep -q '0.0900  0.2447  0.6652' $said && ! grep -q 'Error' $said || { cat $said; exit 1; }"
# The compiler is to be asked, and Unity, the tests and one object of those that go with them are to be made.
mkdir -p $own/common/nn $own/common/testing
cp -p "$LOOKBACK_OBJECTS/flags" $own/ && for part in nn testing; do cp -p "$LOOKBACK_OBJECTS"/common/$part/*.o $own/common/$part/; done &&
    rm $own/common/testing/wh*.o
at_once "01 OBJECTS=$own" "1 OBJECTS=$own" >"$said" 2>&1
prove "two makes that build everything at once: no wrong verdict" sh -c \
    "[ \$(grep -c 'Lesson 01 is done' $said) = 2 ] || { cat $said; exit 1; }"
prove "... and nothing half done is left" sh -c \
    "[ -f $own/unity.o ] && [ -f $own/common/testing/where.o ] && [ -z \"\$(find $own -name '*.[0-9]*')\" ]"

run_make 01 FROM=$from 2>/dev/null | head -n 1 >/dev/null
prove "a pipe that is closed early loses no verdict" sh -c "echo '$(judged)' | grep -q passed"
sed 's/return total;/return -total;/' solutions/$lesson/softmax.c >$from/$lesson/softmax.c
prove "a wrong file in its place is not passed" sh -c "echo '$(judged)' | grep -q 8/9"
cp -p solutions/$lesson/softmax.c $from/$lesson/softmax.c
prove "... and the right one, though older, is" sh -c "echo '$(judged)' | grep -q passed"
touch $from/$lesson/softmax.c
prove "... and when it is only saved again, nothing has to run" sh -c "
    ${MAKE:-make} -n list FROM=$from | grep -c record | grep -qx 0 && echo '$(judged)' | grep -q passed"
echo 'int int;' >>$from/$lesson/softmax.c
prove "a file that does not build any more shows no old state" sh -c \
    "echo '$(judged)' | grep -q 'does not build' && ! echo '$(judged)' | grep -q '9/9'"
rm $from/$lesson/softmax.c
prove "nor does one that is gone" sh -c "! echo '$(judged)' | grep -q '9/9'"
cp solutions/$lesson/softmax.c $from/$lesson/softmax.c

# A header that changes makes results old, and the learner's object, too; in a copy, with lesson 01 alone.
copy=$tmp/tree
mkdir -p "$copy"
git ls-files -z -- Makefile common "*/$lesson/*" tests/attention.h | xargs -0 tar cf - | (cd "$copy" && tar xf -)
mkdir -p "$copy/$LOOKBACK_OBJECTS/common/nn" "$copy/$LOOKBACK_OBJECTS/common/testing" "$copy/$LOOKBACK_OBJECTS/tests"
cp -Rp build/fetched build/tutor "$copy/build/"
(cd "$LOOKBACK_OBJECTS" && tar cf - config flags unity.o common/nn/*.[od] common/testing/*.[od] tests/$lesson) |
    (cd "$copy/$LOOKBACK_OBJECTS" && tar xf - && touch config)
cp solutions/$lesson/softmax.c "$copy/lessons/$lesson/"
in_copy() {
    (cd "$copy" && env -u FROM LOOKBACK_TUTOR= "${MAKE:-make}" --no-print-directory LOOKBACK_WARNING_CFLAGS= "$@" 2>&1)
}
in_copy 01 >"$said"
echo 'enum { MORE = 1 };' >>"$copy/common/nn/todo.h"
in_copy show-01 >"$said"
prove "after a change of a header a passed lesson is renewed, and what is linked anew works" sh -c "
    grep -q '0.0900  0.2447  0.6652' $said &&
    find $copy/build -name softmax.o -path '*yours*' -newer $copy/common/nn/todo.h | grep -q ."
sed 's/OF(\.0900/OF(.0800/' tests/$lesson/test_softmax.c >"$copy/tests/$lesson/test_softmax.c"
in_copy list >"$said"
prove "... and a test that it does not pass takes 'passed' away" sh -c "
    grep -q 'no longer passed' $said && ! grep -q passed$ $said || { cat $said; exit 1; }"

# A milestone that is stopped from outside: nothing runs on, and no lock is left.
stopped_by() {
    setsid sh -c "exec ${MAKE:-make} --no-print-directory run-06 FROM=$from" >"$said" 2>&1 &
    while kill -0 $! 2>/dev/null && ! grep -q Milestone "$said"; do sleep 0.05; done
    kill -"$1" -- -$! 2>/dev/null
    wait $! 2>/dev/null
}
run_make list FROM=$from >/dev/null 2>&1
if command -v setsid >/dev/null; then
    stopped_by HUP
    prove "after a hangup in the middle of a milestone, it runs again" run_make run-06 FROM=$from STEPS=20
fi
run_make run-06 FROM=$from STEPS=100 2>/dev/null | head -n 1 >/dev/null
prove "... and after a closed pipe" sh -c "
    ${MAKE:-make} --no-print-directory run-06 FROM=$from STEPS=20 | grep -q 'trained'"
exit $failed
