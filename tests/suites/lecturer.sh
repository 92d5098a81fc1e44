# Other people's files, by FROM=: each is judged in a place of its own and is not changed.
. tests/suites/lib.sh
without_boxes

class=build/tmp/lecturer/class
lesson=01-softmax
for student in ada bob a/b a-b; do
    mkdir -p "$class/$student/$lesson"
    cp solutions/$lesson/softmax.c "$class/$student/$lesson/"
done
sed -i.was 's/return total;/return -total;/' $class/bob/$lesson/softmax.c $class/a-b/$lesson/softmax.c
rm $class/*/$lesson/*.was
touch -t 202601010000 $class/bob/$lesson/softmax.c

judge() {
    run_make list FROM="$class/$1" 2>&1 | sed -n '/^ *01/p'
}
prove "a right file is passed" sh -c "echo '$(judge ada)' | grep -q '9/9'"
cp -p $class/bob/$lesson/softmax.c $class/ada/$lesson/softmax.c
prove "an older file in its place is judged anew" sh -c "echo '$(judge ada)' | grep -q '8/9'"
prove "folders a/b and a-b do not share their results" sh -c \
    "echo '$(judge a-b)' | grep -q '8/9' && echo '$(judge a/b)' | grep -q '9/9'"
sum_before=$(cat $class/*/$lesson/* $class/a/b/$lesson/* | sha256sum)

# Only the Markdown of the report is looked at.
mkdir -p "$tmp/quick"
for tool in pandoc weasyprint; do
    printf '#!/bin/sh\n' >"$tmp/quick/$tool"
    chmod +x "$tmp/quick/$tool"
done
prove "the report of another lies with his results, and bears the folder's name" sh -c "
    ${MAKE:-make} --no-print-directory report LESSON=01 FROM=$class/bob PATH=\"$tmp/quick:$PATH\" >$said 2>&1
    grep -qx 'bob' build/from/$class/bob/report/report-01.md"
prove "... with the code, though it is not right yet, and what is wrong" sh -c "
    grep -q 'return -total;' build/from/$class/bob/report/report-01.md &&
    grep -q 'entropy. | wrong' build/from/$class/bob/report/report-01.md"
course() {
    sed -n 's/^ *course *//p' build/from/$class/$1/report/report-01.md
}
prove "... with a fingerprint of the course" sh -c "echo '$(course bob)' | grep -Eq '^[0-9a-f]{64}\$'"
refuse "make reset leaves the files of others alone" "for your own lessons" \
    run_make reset-01 FROM=$class/bob
prove "nothing was written there" [ "$sum_before" = "$(cat $class/*/$lesson/* $class/a/b/$lesson/* | sha256sum)" ]

mkdir -p "$class/stub/$lesson" "$class/o'neil/$lesson"
sh common/make/stubs.sh print $lesson >$class/stub/$lesson/softmax.c
refuse "make test-01 fails for a stub" "Ignored" run_make test-01 FROM=$class/stub
sed 's/return total;/_Noreturn void exit(int); exit(0);/' solutions/$lesson/softmax.c >$class/stub/$lesson/softmax.c
refuse "... and for an exit(0)" ":PASS" run_make test-01 FROM=$class/stub
LOOKBACK_ONLY=softmax run_make 01 FROM=$class/a-b >/dev/null 2>&1
prove "a check of one exercise alone passes no lesson" sh -c "echo '$(judge a-b)' | grep -q '8/9'"
refuse "a folder with a quote in its name is refused" "rename or link it" \
    run_make list FROM="$class/o'neil"
mkdir -p "$class/Ada Lovelace; (2)/$lesson"
cp $class/ada/$lesson/softmax.c "$class/Ada Lovelace; (2)/$lesson/"
refuse "a folder with spaces in its name is judged like any other" "your entropy()" \
    run_make 01 FROM="$class/Ada Lovelace; (2)"
prove "... and its results are kept" sh -c "echo '$(judge "Ada Lovelace; (2)")' | grep -q '8/9'"

# Nor does it follow a link into the lecturer's own files, or wait for a pipe.
mkdir -p "$class/mal/$lesson" "$class/mel" "$class/mo/$lesson" "$class/max/$lesson" "$class/max/answers"
echo secret >"$tmp/secret"
ln -s "$tmp/secret" "$class/mal/$lesson/softmax.c"
ln -s "../ada/$lesson" "$class/mel/$lesson"
mkfifo "$class/mo/$lesson/softmax.c"
cp $class/ada/$lesson/softmax.c $class/max/$lesson/
ln -s "$tmp/secret" "$class/max/answers/01.md"
for student in mal mel mo max; do
    refuse "a report on what is no file of $student's is refused" "is not a regular file" \
        run_make report LESSON=01 FROM=$class/$student PICTURES=no PATH="$tmp/quick:$PATH"
done
rm "$class/mo/$lesson/softmax.c" # a pipe would stop a program that reads all of these

# It runs only where it can do nothing.
mkdir -p "$class/eve/$lesson"
{
    echo '#include <stdio.h>'
    cat solutions/$lesson/softmax.c
    printf '__attribute__((constructor)) static void write_it(void) {\n    FILE *file = fopen("%s", "w");\n' "$tmp/written"
    printf '    if (file) fclose(file);\n}\n'
} >"$class/eve/$lesson/softmax.c"
report_of_eve() { # NAME=VALUE...
    rm -f "$tmp/written"
    run_make report LESSON=01 FROM=$class/eve PATH="$tmp/quick:$PATH" "$@"
}
markdown=build/from/$class/eve/report/report-01.md
if [ "${UNSAFE:-0}" = 0 ]; then
    prove "a report of what writes a file" report_of_eve
    prove "... is whole, with its pictures, and no file is there" sh -c "
        grep -q '9 of 9' $markdown && [ \$(grep -c '^!\[..*](01-softmax/' $markdown) = 4 ] && [ ! -e $tmp/written ] &&
        [ \$(ls build/from/$class/eve/report/01-softmax/*.png | wc -l) = 4 ]"
    for command in 01 test-01 show-01 hint-01 plot-01 list debug-01 try-01 run-06 bench-07 play-01; do
        rm -rf "build/from/$class/eve"
        run_make $command FROM=$class/eve </dev/null >"$said" 2>&1
        status=$?
        case $command in
        debug-* | try-* | run-* | bench-* | play-*) what="asks for UNSAFE=1" expected="1 1" ;;
        *) what="does its work in a box" expected="0 0" ;;
        esac
        prove "make $command FROM= $what, and no file is there" [ "$((status > 0)) $(grep -c UNSAFE=1 "$said")" = "$expected" -a ! -e "$tmp/written" ]
    done
    sed 's/return total;/printf("\\033]0;x\\007"); return weights[n];/' "$class/eve/$lesson/softmax.c" >"$tmp/eve.c"
    mv "$tmp/eve.c" "$class/eve/$lesson/softmax.c"
    refuse "a crash in a box is shown like one outside of it" "$class/eve/$lesson/softmax.c:80: in entropy()" run_make 01 FROM=$class/eve
    prove "... and what the code has printed cannot command the terminal" sh -c "grep -q ']0;x' $said && ! LC_ALL=C grep -q '[[:cntrl:]]' $said"
    prove "UNSAFE=1 lets it" sh -c "rm -r build/from/$class/eve"
    prove "... as it says" report_of_eve UNSAFE=1
    prove "... and there it is" [ -e "$tmp/written" ]
fi
prove "PICTURES=no leaves the pictures out" report_of_eve PICTURES=no
prove "... and not what they ask" sh -c "! grep -q '^!\[' $markdown && grep -q '^Answer:' $markdown"
exit $failed
