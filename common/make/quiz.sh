#!/bin/sh
# quiz.sh LESSON: asks the questions of a lesson's quiz.md at the terminal. The options come in another order each time, or
# in that of SEED; SEED=0 is the order of the file. Keeps a line "right asked total" for the first try and for the last
# in the file `quiz` beside the lesson's results.
set -u
. "${0%/*}/lib.sh"
lesson=$1 quiz=lessons/$1/quiz.md
read_it="cat $quiz"
[ -f "$quiz" ] || read_it="$seal <sealed/$quiz"
style=
if [ -z "${NO_COLOR:-}" ] && { [ "${FORCE_COLOR:-}" ] || { [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; }; }; then
    style=yes
fi
mkdir -p "$LOOKBACK_OUT/$lesson"
exec awk -v read_it="$read_it" -v quiz="$quiz" -v scores="$LOOKBACK_OUT/$lesson/quiz" -v style="$style" \
    -v title="$(sed -n '1s/^# \([0-9]*\) · /\1: /p' "lessons/$lesson/README.md")" \
    -v typed="$([ ! -t 0 ] || echo yes)" -v seed="${SEED:-$(($(date +%s) % 100000 * 1000 + $$ % 1000))}" '
# A question is a heading, then paragraphs: what it asks, the options "- a) ...", and "**b)** ...", the answer and why.
function take(text) {
    if (text ~ /^- .\) /)
        option[count, ++options[count]] = substr(text, 6)
    else if (text ~ /^\*\*.\)\*\* /) {
        answer[count] = index("abcdef", substr(text, 3, 1))
        why[count] = substr(text, 8)
    } else if (text != "" && !(count in asked))
        asked[count] = text
}
function read_questions(   line, text) {
    while ((read_it | getline line) > 0) {
        if (line == "" || line ~ /^([#<-]|After:|[0-9]\.)/) {
            take(text)
            text = ""
        }
        sub(/^ +/, "", line)
        if (line ~ /^## /)
            count++
        else if (count && line != "")
            text = text (text == "" ? "" : " ") line
    }
    take(text)
}
function are_valid(   q) {
    for (q = 1; q <= count; q++)
        if (options[q] < 2 || !answer[q] || answer[q] > options[q] || why[q] == "")
            return 0
    return count > 0
}
# So that letters carry nothing from one taking to the next.
function shuffle(q,   i, k, moved) {
    for (i = options[q]; i > 1; i--) {
        k = 1 + int(i * rand())
        moved = option[q, i]
        option[q, i] = option[q, k]
        option[q, k] = moved
        answer[q] = answer[q] == i ? k : answer[q] == k ? i : answer[q]
    }
}
function say(colour, text) {
    printf "%s", style ? "\033[" colour "m" text "\033[0m" : text
}
# A paragraph in 78 columns; `first` stands in its first line, and below it are blanks.
function fill(first, text,   lines, blanks) {
    blanks = substr("     ", 1, length(first))
    lines = "fold -s -w " (79 - length(first)) " | sed \"1s/^/" first "/; 1!s/^/" blanks "/; s/ *$//\""
    system("") # what was printed before appears
    print text " " | lines
    close(lines)
}
# The number of the option that was typed; 0 at the end of the input.
function typed_option(q,   line, number, last) {
    last = substr("abcdef", options[q], 1)
    for (;;) {
        printf "  Your answer (a to %s): ", last
        system("") # it appears
        if ((getline line) <= 0)
            return 0
        if (!typed)
            print "" # the terminal shows no Enter then
        gsub(/^[ \t]+|[ \t\r).]+$/, "", line)
        number = length(line) == 1 ? index("abcdef", tolower(line)) : 0
        if (number > 0 && number <= options[q])
            return number
        print "  Type one letter from a to " last ", then Enter. Ctrl-D ends the quiz."
    }
}
function ask(q,   i) {
    say(1, "\nQuestion " q " of " count "\n")
    fill("  ", asked[q])
    print ""
    for (i = 1; i <= options[q]; i++)
        fill("  " substr("abcdef", i, 1) ") ", option[q, i])
    print ""
    if (!(i = typed_option(q)))
        return 0
    print ""
    if (i == answer[q])
        say(32, "  Right: " substr("abcdef", i, 1) ".\n")
    else
        say(31, "  Not " substr("abcdef", i, 1) ". The answer is " substr("abcdef", answer[q], 1) ".\n")
    fill("  ", why[q])
    right += i == answer[q]
    return 1
}
BEGIN {
    read_questions()
    if (!are_valid()) {
        print quiz " has no valid questions." >"/dev/stderr"
        exit 1
    }
    srand(seed)
    for (q = 1; seed != 0 && q <= count; q++)
        shuffle(q)
    print "Lesson " title ". " count " questions. Ctrl-D ends the quiz at any time."
    getline first <scores
    close(scores)
    for (q = 1; q <= count && ask(q); q++) {
        print (first == "" ? "" : first "\n") (right + 0) " " q " " count >scores
        close(scores)
    }
    print (q <= count ? "\n\n" : "\n") (right + 0) " of " (q - 1) " right" (q > count ? "." : \
        ", and " (count - q + 1) " questions left. " (q > 1 ? "Your score is saved." : "Nothing is saved."))
    if (split(first, tried, " ") == 3)
        print "Your first try: " tried[1] " of " tried[2] "."
}'
