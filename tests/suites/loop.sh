# The learner's way through two lessons, on a copy of this tree: once through a pipe, and once in a
# terminal of 80 columns, where what is shown has colours (taken out here before it is read).
. tests/suites/lib.sh

# Two lessons are the whole of the way, in small: the others are left out of the copy.
left_out=$(printf ':!*/%s/* ' $(echo "$LOOKBACK_LESSONS" | cut -d ' ' -f 3-))
LOOKBACK_LESSONS=$(echo "$LOOKBACK_LESSONS" | cut -d ' ' -f 1-2)
top=$PWD
pty=$PWD/$LOOKBACK_OBJECTS/pty
escape=$(printf '\033')

# The stubs are fresh, even if lessons/ holds work.
fresh_copy() {
    copy=$tmp/$1
    cd "$top" || exit 1
    copy_tree "$copy" . $left_out
    # What make test has built here already.
    objects=$(basename "$LOOKBACK_OBJECTS")
    (cd build && tar cf - tutor "$objects"/config "$objects"/flags "$objects"/unity.* "$objects"/common/nn/*.[od] "$objects"/common/testing/*.[od] \
        $(for lesson in $LOOKBACK_LESSONS; do
            echo "$objects/tests/$lesson" "$objects/solutions/$lesson"
        done)) | (cd "$copy/build" && tar xf -)
    # What the walk before has drawn with, and looked up first.
    [ "$1" = pipe ] || (cd "$tmp/pipe/build" && tar cf - "$objects/plots" "$objects"/slips/01-softmax/softmax*) |
        (cd "$copy/build" && tar xf -)
    # The warnings of an optimizer, a compile more, are proven elsewhere.
    sed '/^LOOKBACK_WARNING_CFLAGS/d' "$LOOKBACK_OBJECTS/config" >"$copy/$LOOKBACK_OBJECTS/config"
    for lesson in $LOOKBACK_LESSONS; do
        sh common/make/stubs.sh print "$lesson" >"$copy/lessons/$lesson/$(name_of "$lesson").c"
    done
    cd "$copy" && commit_all || exit 1
}
unset FROM LOOKBACK_OUT LOOKBACK_SECONDS FORMAT NAME LESSON

# in_place COMMAND...: through a pipe, or in a terminal, as this walk is.
in_place() {
    if [ "$place" = terminal ]; then
        "$pty" env -u NO_COLOR "$@" | sed "s/$escape\[[0-9;]*[mHJ]//g" | tr -d '\r'
    else
        "$@"
    fi
}

# step STATUS ARGUMENT...: a make command that must end so (0, or not 0); its words are in $said.
step() {
    want=$1
    shift
    echo 0 >"$tmp/status"
    # A pipeline would lose the status.
    in_place sh -c 'env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "$0" --no-print-directory "$@" ||
        echo $? >'"$tmp/status" "${MAKE:-make}" "$@" >"$said" 2>&1
    status=$(cat "$tmp/status")
    if { [ "$want" = 0 ] && [ "$status" != 0 ]; } || { [ "$want" != 0 ] && [ "$status" = 0 ]; }; then
        fail "$place: make $*: status $status"
        cat "$said"
    fi
    # Lines of code are as wide as they are, and names of tests and files, too.
    case $1 in
    solution-* | test-*) wide= ;;
    *) wide=$(awk 'length($0) > 80 && !/lessons\// && !/build\/tmp/' "$said") ;;
    esac
    [ -z "$wide" ] || fail "$place: make $*: wider than 80 columns: $wide"
}
reads() { # WHAT WORDS: what the last step said has them
    prove "$place: $1" says "$2" "$said"
}
solve() { # LESSON: the learner writes the right thing
    cp "$top/solutions/$1/$(name_of "$1").c" "lessons/$1/"
}
change() { # FROM TO: in the first lesson's file
    sed "s/$1/$2/" lessons/01-softmax/softmax.c >x.c && cat x.c >lessons/01-softmax/softmax.c && rm x.c
}

# What make hint says of wrong code; the same in a terminal.
hints_about_code() {
    solve 01-softmax
    change 'sum += weights\[i\];' 'sum = weights[i];'
    step 1 </dev/null
    prove "$place: a later failure looks them up" sh -c "ls -i $tables/softmax | cmp - $tmp/table"
    step 0 hint </dev/null
    reads "a hint about wrong code has its line" "One change in line 24 of your file is enough"
    step 0 hint </dev/null
    reads "... then what to change" "add each exponential with +="
    step 0 hint </dev/null
    reads "... and then the words" "hint 1 of 3"
    change 'double largest = scores\[0\];' 'double largest = scores[n];'
    step 1 </dev/null
    change 'sum = weights' 'sum += weights'
    step 1 </dev/null
    reads "a red screen names the hint" "Stuck  make hint-01"
    step 0 hint </dev/null
    reads "a hint about a crash has its line, too" "of your file is enough"
}

walk() {
    place=$1
    step 1 </dev/null
    reads "make on a fresh clone starts with lesson 01" "Lesson 01: Softmax"
    reads "... with nothing done" "0 of "
    reads "... says which file to open, and where" "lessons/01-softmax/softmax.c:8  softmax()"
    reads "... and what the function must do" "weights[i] = exp(scores[i])"
    prove "... without colour when nobody looks" sh -c "! grep -q '$escape' '$said'"
    step 0 list </dev/null
    reads "make list shows every lesson" "02 Dot-product attention"
    step 0 help </dev/null
    reads "make help is made from the Makefile" "make list"
    step 1 plot-01 </dev/null
    reads "make plot-01 before the lesson is passed names what is missing" "First: softmax (todo)"
    step 1 2 </dev/null
    reads "make 2 checks lesson 02" "Write  lessons/02-dot-product/dot_product.c"
    reads "... and says how to get a hint there" "Stuck  make hint-02"
    step 0 hint </dev/null
    reads "make hint is about the lesson that was checked last" "Lesson 02: "
    step 1 </dev/null
    step 1 99 </dev/null
    reads "a lesson that is none is refused" "make knows no '99'"
    step 1 01 FROM=no-such-folder </dev/null
    reads "a folder that is none is refused" "no-such-folder"

    step 0 hint </dev/null
    reads "the first hint" "softmax(), hint 1 of 3"
    step 0 hint </dev/null
    reads "a stronger one" "hint 2 of 3"
    step 0 hint </dev/null
    step 0 hint </dev/null
    reads "the strongest stays" "hint 3 of 3"
    step 1 show-01 </dev/null
    reads "make show-01 before anything is written names what is missing" "is not written yet"
    step 1 solution-01 </dev/null
    [ "$place" = terminal ] || reads "make solution-01 before passing asks" "SHOW=1"
    step 0 solution-01 SHOW=1 </dev/null
    reads "SHOW=1 shows it all the same" "largest"

    solve 01-softmax
    change 'exp(scores\[i\] - largest)' 'exp(scores[i])'
    step 1 </dev/null
    reads "a wrong answer is named" "exp(1000) is infinite"
    tables=build/$objects/slips/01-softmax
    prove "$place: the slips of that exercise are kept, and of no other" sh -c \
        "[ \"\$(cd $tables && echo *)\" = 'softmax softmax.lock softmax.of' ] && ls -i $tables/softmax >$tmp/table"
    [ "$place" = terminal ] || hints_about_code
    solve 01-softmax
    change 'double largest = scores\[0\];' 'double largest = scores[n];'
    step 1 </dev/null
    reads "a crash says where" 'read past the end of `scores`'
    solve 01-softmax
    change 'double largest = scores\[0\];' 'double largest = scores[0]'
    step 1 </dev/null
    reads "a typing error says where" "lessons/01-softmax/softmax.c:"
    reads "... and says that nothing is checked" "? softmax and 8 more               not checked"
    solve 01-softmax
    step 0 </dev/null
    reads "the right answer passes" "Lesson 01 is done: 9 of 9 exercises"
    reads "... and says what comes next" "make 02"
    step 0 hint </dev/null
    reads "... and make hint is about that" "Lesson 02: "
    step 1 </dev/null
    reads "make goes on to the next lesson" "Lesson 02"
    step 0 hint-01 </dev/null
    reads "after passing, make hint-01 says what a good solution looks like" "a good solution looks like"
    step 0 show-01 </dev/null
    reads "make show-01 computes with the learner's code" "0.0900  0.2447  0.6652"
    step 0 solution-01 </dev/null
    reads "make solution-01 compares" "BEGIN SOLUTION"

    if [ "$place" = terminal ]; then
        printf 'a\nz\na\n^D\n' | step 0 quiz-01 SEED=0
    else
        printf 'a\nz\na\n' | step 0 quiz-01 SEED=0
    fi
    reads "the quiz explains a wrong key" "one letter from a to d"
    reads "... and the end keeps the score so far" "2 of 2 right"
    step 0 plot-01 FORMAT=ascii </dev/null
    reads "make plot-01 draws from the learner's code" "Drawn from lessons/01-softmax."
    step 0 list </dev/null
    reads "make list knows what is passed, and the quiz" "passed  quiz 2 of 2 so far"
    echo >>lessons/01-softmax/softmax.c
    step 0 </dev/null
    reads "saving a passed lesson again makes it the current one" "Lesson 01 is done"
    solve 02-dot-product
    step 0 02 </dev/null
    step 0 </dev/null
    reads "after the last lesson make says so" "Every lesson is done"
    # What takes long and looks the same everywhere.
    if [ "$place" = pipe ]; then
        step 0 plots FORMAT=ascii </dev/null
        reads "make plots draws the pictures of both" "Drawn from lessons/02-dot-product."
        step 0 test-02 </dev/null
        reads "make test-02 is plain Unity output" "0 Failures 0 Ignored"

        # The report as everybody can have it; with pandoc and weasyprint it is proven in its own suite.
        step 0 report NAME='Ada <Lovelace> & co_x' PATH="$tmp/without" </dev/null
        prove "$place: the report has the name, the states, the score and the code" sh -c "
            grep -q 'Ada \\\\<Lovelace\\\\>' build/report/report.md &&
            grep -q '| 01 | Softmax | 9 of 9 | 50 of 50 | 2 of 2 so far |' build/report/report.md &&
            grep -q 'weights.i. /= sum;' build/report/report.md"
    fi

    step 0 reset-01 EXERCISE=entropy </dev/null
    reads "one function is reset, and the file kept" "Your old version is in lessons/01-softmax/softmax.kept-1.c"
    prove "... as it was" sh -c "[ \$(grep -c TODO lessons/01-softmax/softmax.c) = 1 ] &&
        ! grep -q 'TODO(' lessons/01-softmax/softmax.kept-1.c"
    step 1 </dev/null
    reads "the lesson is to do again there" ". entropy"
    step 0 reset-01 </dev/null
    prove "$place: the whole file is reset, and nothing is overwritten" sh -c "
        ls lessons/01-softmax/softmax.kept-1.c lessons/01-softmax/softmax.kept-2.c &&
        sh common/make/stubs.sh print 01-softmax | cmp - lessons/01-softmax/softmax.c"
    rm lessons/02-dot-product/dot_product.c
    step 1 02 </dev/null
    reads "a file that is missing is one clear line" "dot_product.c is not there"
    step 0 reset-02 </dev/null
    reads "make reset-02 brings it back" "Its empty exercises are back"
    rm lessons/01-softmax/softmax.kept-*.c
    prove "$place: nothing else outside build/ is written" sh -c \
        '[ -z "$(git status --porcelain)" ] || { git status --porcelain; exit 1; }'
}

# The programs of a report without those that make a PDF; need.sh must not install them.
mkdir -p "$tmp/without"
set --
for program in addr2line as awk base64 basename cat cmp cp cut date dirname env expr find fold git gnuplot grep head ld \
    ld.gold ls make mkdir mv nm objcopy paste rm sed sh sha256sum shasum sort tail tr uname uniq wc xargs \
    "${LOOKBACK_CC%% *}"; do
    path=$(command -v "$program") && set -- "$@" "$path"
done
ln -s "$@" "$tmp/without"

fresh_copy pipe
walk pipe
fresh_copy terminal
walk terminal

# No process but this one works in the copy.
nothing_runs_here() {
    sleep 0.5
    here=$(cd / && ls -ld /proc/[0-9]*/cwd 2>/dev/null | sed -n "s|.* /proc/\([0-9]*\)/cwd -> $copy\$|\1|p" | grep -vx $$)
    for process in $here; do
        tr '\0' ' ' <"/proc/$process/cmdline"
    done
    [ -z "$here" ]
}

# Watching, and Ctrl-C in the middle of an endless loop: one that sleeps, for the sake of whatever else runs here.
place=terminal
file=lessons/01-softmax/softmax.c
{ cat "$top/solutions/01-softmax/softmax.c" && echo 'int int;'; } >"$tmp/broken.c"
{ echo '#include <stdio.h>' && echo 'unsigned sleep(unsigned);' &&
    sed 's/for (int i = 0; i < rows; i++)/for (int i = fputs("It loops.", fopen("\/dev\/tty", "w")); fflush(NULL) == 0; sleep(1))/' \
        "$top/solutions/01-softmax/softmax.c"; } >"$tmp/looping.c"
solve 01-softmax
# Saved as editors do: in one step, or after the file is gone.
"$pty" "${MAKE:-make}" watch >"$said" 2>&1 <<END
?Watching.
!cp $tmp/broken.c x.c && mv x.c $file
?Watching.
!rm $file && sleep 0.3 && cp $tmp/looping.c x.c && mv x.c $file
?It loops.
^C
END
prove "watch: the first check" says "Lesson 01 is done" "$said"
prove "... a syntax error" says "does not compile" "$said"
prove "... an endless loop" says "It loops." "$said"
if [ -d /proc/self ]; then
    prove "... and Ctrl-C in it leaves nothing running" nothing_runs_here
fi
step 0 clean </dev/null
prove "make clean leaves the fetched Unity alone in build/" sh -c '[ "$(ls build)" = fetched ]'
exit $failed
