# Every lesson has its text, its hints and its quiz, in the form that make reads.
. tests/suites/lib.sh

sections=$(printf '%s\n' "The question" "The idea" "By hand" "Your turn" "See it" "In papers and in PyTorch" "Quick check" "Next")

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
    words=$(tr -s ' \n' '\n\n' <"$folder/README.md" | grep -c '[[:alnum:]]')
    prove "$lesson: the text has at least 600 words ($words)" [ "$words" -ge 600 ]
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
        yes a | LOOKBACK_OUT=$tmp sh common/make/quiz.sh $lesson |
            grep -q \"^[0-9]* of \$(grep -c '^## [0-9]' $folder/quiz.md) right.\""
    prove "$lesson: the tutor finds a title and a tagline of at most 60 letters" sh -c "
        head -1 $folder/README.md | grep -q '^# ${lesson%%-*} · [A-Z]' &&
        [ \$(sed -n 3p $folder/README.md | wc -c) -le 61 ]"
done
functions=$(cat lessons/*/*.c | grep -c 'TODO("')
prove "README.md counts the functions right: $functions" grep -q "^$functions functions in all" README.md
counts=$(awk -F '|' '/^\| \[[0-9]/ { n++; hours += $5 } END { print "The " n " lessons take about " hours " hours" }' lessons/README.md)
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

# --- figures, terms and words

# A word in a formula that is not in \text{} would be set as a product of its letters.
bad_formulas() { # TEXT...
    awk '
        /^```/ { block = block ? "" : /math/ ? "math" : "code"; next }
        block == "code" { next }
        {
            gsub(/`[^`]*`/, "")
            n = split(block ? "$" $0 : $0, part, "$")
            for (i = 2; i <= n; i += 2) {
                gsub(/\\(text|begin|end)\{[^}]*\}|\\[A-Za-z]+/, "", part[i])
                if (part[i] ~ /[A-Za-z][A-Za-z][A-Za-z]|kv|ff/) { print FILENAME ": " part[i]; bad = 1 }
            }
        }
        END { exit bad }' "$@"
}
prove "words in formulas are in a text command" bad_formulas lessons/*.md lessons/*/*.md

# figures_of TEXT: a line for each figure, "FILE ALTERNATIVE TEXT".
figures_of() {
    sed -n 's/^!\[\(.*\)\](\(.*\))$/\2 \1/p' "$1"
}

# A plot is drawn by a script, and the suite plots compares it; all others are diagrams, drawn by hand.
bad_figures() { # TEXT
    folder=$(dirname "$1")
    figures_of "$1" | while read -r file alternative; do
        figure=$folder/$file
        [ "$(echo "$alternative" | wc -w)" -ge 5 ] || echo "$file: its alternative text has less than 5 words"
        [ -f "$figure" ] || { echo "$figure is not there"; continue; }
        grep -q '<title' "$figure" && grep -q '<desc' "$figure" || echo "$figure lacks <title> or <desc>"
        [ -f "plots/${folder#*/}/$(basename "$file" .svg).gp" ] || [ "$(wc -c <"$figure")" -le 10240 ] ||
            echo "$figure has more than 10 kB"
    done
    for figure in "$folder"/figures/*; do
        grep -qF "](figures/${figure##*/})" "$1" || echo "$figure is not in the text"
    done
}

# terms_of TEXT: what is bold and no beginning of a paragraph, which ends with a point: one term a line.
terms_of() {
    sed '/^```/,/^```/d' "$1" | tr '\n' ' ' |
        awk -F '[*][*]' '{ for (i = 2; i <= NF; i += 2) if ($i !~ /[.?:]$/) print $i }' | sort -u
}

# Each bold term of a text is in the glossary: in a row's first column, there perhaps without its plural.
unknown_terms() { # TEXT
    terms_of "$1" | while read -r term; do
        sed -n 's/^| \([^|]*\) |.*/, \1,/p' lessons/GLOSSARY.md | grep -qiF ", $term," ||
            sed -n 's/^| \([^|]*\) |.*/, \1,/p' lessons/GLOSSARY.md | grep -qiF ", ${term%s}," || echo "$1: $term"
    done
}

# Each row of the glossary that leads to a text has one of its terms there.
empty_rows() { # TEXT, as the glossary links to it
    awk -F ' *[|] *' -v link="]($1)" 'index($3, link) { print $2 }' lessons/GLOSSARY.md | while read -r terms; do
        echo "$terms" | awk '{ gsub(/, /, "\n") } 1' >"$tmp/terms"
        tr -s '\n' ' ' <"lessons/$1" | grep -qiFf "$tmp/terms" || echo "$1: $terms"
    done
}

prove "page 0, the glossary and the syllabus are linked to from README.md" sh -c "
    grep -q '(lessons/START.md)' README.md && grep -q '(lessons/GLOSSARY.md)' README.md &&
    grep -q '(START.md)' lessons/README.md && grep -q '(GLOSSARY.md)' lessons/README.md"
texts=START.md
for lesson in $LOOKBACK_LESSONS; do
    texts="$texts $lesson/README.md"
    prove "$lesson: the text has at least two figures" \
        [ "$(figures_of "lessons/$lesson/README.md" | wc -l)" -ge 2 ]
    prove "$lesson: text, hints, quiz, header and messages have the field's words" sh -c "
        ! grep -niwEf tests/suites/house_words lessons/$lesson/*.md lessons/$lesson/*.h tests/$lesson/slips solutions/answers/${lesson%%-*}.md"
done
for text in $texts; do
    bad_figures "lessons/$text" >"$tmp/bad"
    prove "lessons/$text: each figure has an alternative text, a title and a description" \
        sh -c "cat $tmp/bad; [ ! -s $tmp/bad ]"
    unknown_terms "lessons/$text" >"$tmp/bad"
    prove "lessons/$text: each term is in the glossary" sh -c "cat $tmp/bad; [ ! -s $tmp/bad ]"
    empty_rows "$text" >"$tmp/bad"
    prove "... and the terms for which the glossary leads to it are there" sh -c "cat $tmp/bad; [ ! -s $tmp/bad ]"
done
prove "the glossary is in alphabetical order" sh -c "
    sed -n 's/^| \([a-zA-Z][^|,]*\)[,|].*](.*/\1/p' lessons/GLOSSARY.md | sort -cf"

# has_place FILE PLACE: an anchor, or a heading, as forges name it.
has_place() {
    grep -q "<a id=\"$2\"></a>" "$1" || sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | grep -qxF -- "$2"
}

# dead_links: links in our texts to files, or places in them, that are not there.
prove "lesson 01 says how many tests softmax has" sh -c "
    tests=\$(cat tests/01-softmax/*.c | grep -c '^TEST(softmax,')
    grep -q \"of \$tests tests pass\" lessons/01-softmax/README.md && grep -q \"of \$tests tests pass\" lessons/01-softmax/softmax.h"
dead_links() {
    git ls-files -co --exclude-standard '*.md' | while read -r text; do
        case $text in
        common/web/book/first.md) folder=. ;; # its links are those of a page at the top
        */*) folder=${text%/*} ;;
        *) folder=. ;;
        esac
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
