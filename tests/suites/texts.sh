# Every lesson has its text, its hints and its quiz, in the form that make reads.
. tests/suites/lib.sh

sections='The question
The idea
By hand
Your turn
See it
Quick check
Next'

hints_of() { # FUNCTION FILE: three numbered hints, and what a good solution looks like
    awk -v function_name="$1" '
        /^## / { inside = ($2 == function_name) }
        inside && /^[123]\. ./ { hints = hints $1 }
        inside && /^After: ./ { after++ }
        END { exit !(hints == "1.2.3." && after == 1) }' "$2"
}

for lesson in $LOOKBACK_LESSONS; do
    folder=lessons/$lesson
    prove "$lesson: the text has its sections in order" \
        [ "$(sed -n 's/^## //p' "$folder/README.md")" = "$sections" ]
    # What one reads: bars of tables and signs of formulas are no words.
    words=$(tr -s ' \n' '\n\n' <"$folder/README.md" | grep -c '[[:alnum:]]')
    prove "$lesson: the text has 600 to 3000 words, tables included ($words)" \
        sh -c "[ $words -ge 600 ] && [ $words -le 3000 ]"
    prove "$lesson: it begins with what it takes, and what one can do afterwards" \
        sh -c "sed -n 5p $folder/README.md | grep -q '^\*Takes about .* You need .* Afterwards you can .*\*$'"
    for exercise in $(sed -n 's/^## //p' "$folder/hints.md"); do
        prove "$folder/hints.md has three hints and an After for $exercise" \
            hints_of "$exercise" "$folder/hints.md"
    done
    prove "$folder/quiz.md has its options, an answer among them, and a why that names no letter" \
        awk -f tests/suites/quiz.awk "$folder/quiz.md"
    prove "$lesson: the quiz has at least 6 questions, and can be taken to its end" sh -c "
        [ \$(grep -c '^## [0-9]' $folder/quiz.md) -ge 6 ] && mkdir -p $tmp/$lesson &&
        yes a | LOOKBACK_OUT=$tmp $LOOKBACK_TUTOR quiz $lesson |
            grep -q \"^[0-9]* of \$(grep -c '^## [0-9]' $folder/quiz.md) right.\""
    prove "$lesson: the tutor finds a title and a tagline of at most 60 letters" sh -c "
        head -1 $folder/README.md | grep -q '^# ${lesson%%-*} · [A-Z]' &&
        [ \$(sed -n 3p $folder/README.md | wc -c) -le 61 ]"
done
functions=$(cat lessons/*/*.c | grep -c 'TODO("')
prove "README.md counts the functions right: $functions" grep -q "^$functions functions in all" README.md
counts=$(awk -F '|' '/^\| \[[0-9]/ { n++; hours += $5 } END { print n " lessons, about " hours " hours" }' lessons/README.md)
prove "the syllabus counts lessons and hours right: $counts" grep -q "^$counts" lessons/README.md
prove "no text is still to be written" sh -c "
    ! grep -rn 'TO WRITE' lessons plots/*/ solutions tests/[0-9]* README.md | cut -c -100 | grep ."
for lesson in $LOOKBACK_LESSONS; do
    prove "README.md and the syllabus have a row for $lesson" sh -c "
        grep '^| ${lesson%%-*} .*lessons/$lesson/README' README.md &&
        grep '^| .${lesson%%-*} .*($lesson/README' lessons/README.md"
    prove "solutions/answers has an answer to each question about a picture of $lesson" sh -c "
        for picture in \$(sed -n 's/^- .\([^ ]*\)\.gp.: .*?.*/\1/p' lessons/$lesson/README.md); do
            grep -qx \"## \$picture\" solutions/answers/${lesson%%-*}.md || { echo \$picture; exit 1; }
        done"
done
# has_place FILE PLACE: an anchor, or a heading, as forges name it.
has_place() {
    grep -q "<a id=\"$2\"></a>" "$1" || sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | grep -qxF -- "$2"
}

# dead_links: links in our texts to files, or places in them, that are not there.
dead_links() {
    git ls-files -co --exclude-standard '*.md' | while read -r text; do
        case $text in */*) folder=${text%/*} ;; *) folder=. ;; esac
        # One link a line, however the text breaks its lines.
        tr '\n' ' ' <"$text" | grep -o '](\([^) ]*\))' | sed 's/^](//; s/)$//' |
            grep -v '^https\?:' | while read -r link; do
            file=$folder/${link%%#*}
            case $link in '#'*) file=$text ;; esac
            [ -e "$file" ] || echo "$text: $link"
            case $link in *'#'*) has_place "$file" "${link#*#}" || echo "$text: $link" ;; esac
        done
    done
}
dead_links >"$tmp/dead"
prove "every link leads to a file, and to a place in it" sh -c "cat $tmp/dead; [ ! -s $tmp/dead ]"
exit $failed
