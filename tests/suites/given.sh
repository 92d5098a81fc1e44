# Settings given by hand are only text to make and to the shell: nothing in them runs.
. tests/suites/lib.sh
without_boxes

# Ways to run a command in a word; each would leave a file, here or in $tmp.
harm="a  b \"\$(shell touch $tmp/ran-1) \$(touch $tmp/ran-2) \`touch $tmp/ran-3\` ; touch $tmp/ran-4 & #| \\ 100%"
quote="'; touch $tmp/ran-5; '"
from="build/tmp/given/\$(shell touch ran-6) \$(touch ran-7)\`touch ran-8\`;touch ran-9;&|*"

nothing_ran() {
    ! ls ran-* "$tmp"/ran-* 2>/dev/null
}
unharmed() { # WHAT...: make; whether it succeeds, its text says
    run_make "$@" >"$said" 2>&1 </dev/null
    ! grep -q 'yntax error\|nterminated\|not found$' "$said" && nothing_ran || {
        cat "$said"
        return 1
    }
}

mkdir -p "$from/01-softmax"
cp solutions/01-softmax/softmax.c "$from/01-softmax/"
set -- list 01 test-01 hint quiz-01 show-01 try-01 plot-01 "solution-01 SHOW=1" reset-01 read-01 "hint EXERCISE=entropy" \
    "plot-01 FORMAT=tex WIDTH=column" "debug-01 GDB=true"
! command -v wasm-ld >/dev/null || set -- "$@" play-01
for command; do
    prove "make $command runs nothing in the name of a folder" unharmed $command "FROM=$from"
done
pictures=build/from/$from/01-softmax/plots/column/tex
prove "make draws its pictures" [ -s "$pictures/entropy.pdf" ]
prove "... as files of TeX that name them as their neighbours" grep -q 'includegraphics.*{entropy}' "$pictures/entropy.tex"
prove "make report runs nothing in it" unharmed report LESSON=01 PICTURES=no "FROM=$from"
prove "... and checks what is in it" says "9 of 9" "build/from/$from/report/report-01.md"
prove "from the environment it is text, too" env FROM="$from" EXERCISE="$harm" sh -c ". common/make/lib.sh && run_make list"
prove "... of which nothing runs" nothing_ran
refuse "a quote in a folder's name is refused" "rename or link it" run_make list "FROM=$quote"

given() { # "VARIABLES" COMMAND...: all of them have the same text
    variables=$1
    shift
    what="$variables= is text to make $*"
    for variable in $variables; do
        set -- "$@" "$variable=$harm"
    done
    prove "$what" unharmed "$@"
    for variable in $variables; do
        set -- "$@" "$variable=$quote" # the last one counts
    done
    prove "... with a quote, too" unharmed "$@"
}
for command in hint solution-01 reset-01 debug-01; do
    given EXERCISE $command FROM=solutions GDB=true
done
for command in report book grade slips; do
    given LESSON $command
done
given "DIR OUT" grade
given "OUT NAME ROSTER POINTS WORKSHEET DUE FORMATS JOBS" grade DIR=lessons
given NAME report LESSON=01 PICTURES=no FROM=solutions
given LESSONS release
given HINTS release LESSONS=01
given "FORMAT WIDTH" plot-01 FROM=solutions
given "WITH SEED STEPS" run-06 FROM=solutions
given "SECONDS ROUNDS" bench MAKE=:
given VERBOSE 01 FROM=solutions
given SHOW solution-01
given PAGE read-01 BROWSER=:
prove "a goal is text" unharmed "$harm"
prove "... with a quote, too" unharmed "$quote"
printf '#!/bin/sh\necho "$@"\n' >"$tmp/mpirun"
chmod +x "$tmp/mpirun"
for hosts in "$harm" "$quote"; do
    env PATH="$tmp:$PATH" HOSTS="$hosts" SEED="$hosts" RANKS=2 LOOKBACK_CC="$LOOKBACK_CC" \
        sh lessons/15-ring/milestone/launch.sh learn program folder >"$said" 2>&1
    prove "HOSTS= is one word to mpirun" says "--host $hosts --map-by" "$said"
done
prove "... of which nothing runs" nothing_ran
exit $failed
