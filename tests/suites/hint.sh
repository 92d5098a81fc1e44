# What make hint says of wrong code: the right line or none, and how hints follow each other.
. tests/suites/lib.sh

tutor=$LOOKBACK_TUTOR
export UNSAFE=1 # what is tried here is our own
# The warnings of an optimizer, a compile more, are proven elsewhere.
export LOOKBACK_WARNING_CFLAGS=

# as_learner COMMAND LESSON WORD...: the tutor, for the file in $from.
as_learner() {
    FROM=$from LOOKBACK_OUT=$from LOOKBACK_SECONDS=1 "$tutor" "$@" 2>&1
}

# change LESSON FUNCTION SCRIPT: $file is the reference with that change, a line of sed, in the function.
change() {
    file=$from/$1/$(name_of "$1").c
    mkdir -p "$from/$1"
    printf '/^[a-z].* %s(/,/^}/{\n%s\n}\n' "$2" "$3" >"$tmp/script"
    sed -f "$tmp/script" "solutions/$1/$(name_of "$1").c" >"$file"
}

# The numbers of the lines that are drawn in $said, and of those that differ from the reference.
lines_shown() {
    sed -n 's/^ *\([0-9][0-9]*\) | .*/\1/p' "$said" | sort -u | tr '\n' ' '
}
lines_changed() { # LESSON
    diff "solutions/$1/$(name_of "$1").c" "$file" | sed -n 's/^[0-9,]*[acd]\([0-9]*\).*/\1/p' | tr '\n' ' '
}

# hint_again LESSON: $said is what the next hint says.
hint_again() {
    as_learner hint "$1" - $(run_make -s "objects-$1") >"$said"
}
check_again() { # LESSON
    as_learner check "$1" $(run_make -s "objects-$1") >"$tmp/screen"
}

# --- the line

# A statement is drawn to its end, so that there may be more lines behind.
shows_changed() { # LESSON
    case $(lines_shown) in
    "$(lines_changed "$1")"*) ! grep -q 'hint 1 of' "$said" ;;
    *) false ;;
    esac
}
points_at_change() { # LESSON
    check_again "$1"
    hint_again "$1"
    shows_changed "$1" || { cat "$tmp/screen" "$said"; return 1; }
    hint_again "$1"
    shows_changed "$1" || { cat "$said"; return 1; }
}
points_at_nothing() { # LESSON
    check_again "$1"
    hint_again "$1"
    says 'and found none' "$said" && [ -z "$(lines_shown)" ] && says 'hint 1 of 3' "$said"
}
while read -r lesson function what script; do
    case $lesson in
    '#'* | '') continue ;;
    esac
    from=build/tmp/hint/$lesson
    rm -rf "$from"
    change "$lesson" "$function" "$script"
    case $what in
    line) prove "$lesson: the line of $function: $script" points_at_change "$lesson" ;;
    none) prove "$lesson: no line of $function: $script" points_at_nothing "$lesson" ;;
    esac
done <tests/tutor/hinted

# --- how hints follow each other, in lesson 01

from=build/tmp/hint/learner
objects=$(run_make -s objects-01-softmax)
comment() { # WORDS: a line more, in the function
    sed "s|^void softmax(.*|&\n    // $1|" "$file" >"$tmp/x.c" && cp "$tmp/x.c" "$file"
}
next_says() { # WHAT WORDS
    check_again 01-softmax
    hint_again 01-softmax
    prove "$1" says "$2" "$said"
}
change 01-softmax softmax 's|sum += weights|sum = weights|'
next_says "the line where one change is enough" "One change in line 24 of your file is enough"
comment "a line further down"
next_says "a comment is no new code, but moves the line" "One change in line 25 of your file is enough"
prove "... and the hint goes on: what to change" says "add each exponential with +=." "$said"
next_says "... and then words" "hint 1 of 3"
next_says "... stronger ones" "hint 2 of 3"
change 01-softmax softmax 's|= exp(scores.i. - largest)|= exp(scores[i])|'
next_says "another mistake begins again, with its line" "One change in line 23 of your file is enough:"
hint_again 01-softmax
hint_again 01-softmax
prove "... and its words with the first" says "hint 1 of 3" "$said"
change 01-softmax softmax 's|largest = scores|largest = scores;|'
next_says "a file that does not compile: its first error" "softmax.c:9:"
prove "... and no hint for an exercise, nor its solution" sh -c "! grep -q 'hint [123] of\|solution' $said"

# Two files are wrong: naming an exercise gets its hint, whatever else is wrong.
change 01-softmax softmax 's|/= sum|/= 2 * sum|'
sed '/^void softmax_rows(/,/^}/s|i < rows|i < rows - 1|' "$file" >"$tmp/x.c" && cp "$tmp/x.c" "$file"
check_again 01-softmax
as_learner hint 01-softmax softmax_rows $objects >"$said"
prove "a line of the second, while the first is wrong" says "One change in line 33 of your file is enough" "$said"
# What mends some of the tests is no line to point at: a sign, and a case that is missing.
change 01-softmax entropy 's|-= weights|+= weights|; /!= 0.0/d'
check_again 01-softmax
hint_again 01-softmax
prove "what mends some of the tests is not shown" sh -c "! grep -q 'with one change\|failing test' $said"
# --- in the background

# At a terminal the next hint is looked for while the learner reads the screen.
at_a_terminal() { # COMMAND: and then that, before the terminal is closed
    "$PWD/$LOOKBACK_OBJECTS/pty" env FROM="$from" LOOKBACK_OUT="$from" \
        sh -c "$tutor check 01-softmax $(echo $objects); $1" </dev/null
}
until_it_does() { # TEST: for a minute, as a command for the terminal
    echo "for i in \$(seq 3000); do $1 && break; sleep 0.02; done >/dev/null 2>&1"
}
parts() { # what searches have left that do not run any more; another suite may be searching, too
    for part in "$LOOKBACK_OBJECTS"/slips/01-softmax/repair.* "$LOOKBACK_OBJECTS"/slips/01-softmax/*.run.*; do
        pid=${part##*/repair.}
        pid=${pid##*.run.}
        grep -q ') [^Z]' "/proc/${pid%%.*}/stat" 2>/dev/null || [ ! -e "$part" ] || echo "$part"
    done
}
change 01-softmax entropy 's|log(weights|log10(weights|'
rm -f "$from/01-softmax/advice"
check_again 01-softmax
prove "into a file, nothing is prepared" [ ! -e "$from/background" ]
at_a_terminal "$(until_it_does "[ -s $from/01-softmax/advice ]")" >"$tmp/terminal"
prove "what is prepared in the background changes no word of the screen" sh -c "
    tr -d '\r' <$tmp/terminal | sed 's/\x1b\[[0-9]*m//g' | diff - $tmp/screen"
prove "the next hint is prepared while the terminal shows the screen" [ -s "$from/01-softmax/advice" ]
cp "$from/01-softmax/advice" "$tmp/prepared"
hint_again 01-softmax
cp "$said" "$tmp/hinted"
rm "$from/01-softmax/advice"
hint_again 01-softmax
prove "the hint that was prepared is the one that make hint finds by itself" sh -c "
    grep -v '^Looking' $said | cmp - $tmp/hinted"
prove "... and had not been counted as shown" sh -c "sed '1s/ 0 / 1 /' $tmp/prepared | cmp - $from/01-softmax/advice"

# Neither the next command nor a terminal that is closed leaves it running.
change 01-softmax entropy 's|log(weights|log2(weights|'
before=$(parts)
at_a_terminal "$(until_it_does "ls $LOOKBACK_OBJECTS/slips/01-softmax/repair.*"); $tutor end" >"$tmp/terminal"
prove "another command ends what is being prepared, and leaves no part of it" [ "$(parts)" = "$before" ]
change 01-softmax entropy 's|log(weights|log1p(weights|'
at_a_terminal : >"$tmp/terminal"
FROM=$from LOOKBACK_OUT=$from "$tutor" check 01-softmax $objects >"$said" # it waits for nothing that runs
prove "with the terminal it ends, and the next check says the same" sh -c "
    tr -d '\r' <$tmp/terminal | sed 's/\x1b\[[0-9]*m//g' | diff - $said"

# --- the words

prove "the old words for a change are gone" sh -c "! grep -rnE 'is another\.\"|of another kind\.\"|with one change there' \
    common/slips common/tutor"
exit $failed
