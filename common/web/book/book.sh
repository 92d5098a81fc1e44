#!/bin/sh
# book.sh LESSON...: the course as pages, in build/book. README.md says what is drawn, and what URL= and SITE= are.
set -u
. "$(dirname "$0")/../../make/lib.sh"
. "$(dirname "$0")/../../make/draw.sh"
here=common/web/book
book=${BOOK:-build/book}
made=$book.made # what pages are put together of
from=$FROM out=$LOOKBACK_OUT # whose functions run: the reference's, without FROM=...
[ "$from" != lessons ] || from=solutions out=build/from/solutions

# A line for each page, in the order of the book: the file in the repository, the page, the title. Further lines say
# where the numbers of the plots in lessons' texts are.
map_of() { # LESSON...
    echo 'lessons/START.md start.html Start here'
    echo 'lessons/README.md syllabus.html Syllabus'
    for lesson; do
        page=${lesson%%-*}.html
        echo "lessons/$lesson/README.md $page $(title_of "lessons/$lesson/README.md")"
        echo "lessons/$lesson/quiz.md $page#questions"
        for script in plots/"$lesson"/*.gp; do
            name=$(basename "$script" .gp)
            [ ! -f "lessons/$lesson/figures/$name.svg" ] ||
                echo "numbers:lessons/$lesson/figures/$name.svg $page#picture-$name"
        done
    done
    cat <<'PAGES'
lessons/GLOSSARY.md glossary.html Glossary
lessons/REFERENCES.md references.html References
README.md course.html The course
lessons/TEACHING.md teaching.html Teaching
CONTRIBUTING.md contributing.html Contributing
PAGES
}

# In formulas, browsers set words as names, and put less space around the names of functions.
spaced='/<math/{
    s/mtext/mi/g
    s/<mo>(exp|log|sin|cos|tanh|max|min)/<mo lspace=".17em" rspace=".17em">\1/g
    s/rspace=".17em">([a-z]*<.mo><mrow><mo stretchy="true" form="prefix">)/rspace="0">\1/g
}'

# page FROM TO TITLE: Markdown on standard input, made of the file FROM, becomes the page TO. Formulas become MathML. If
# one cannot, pandoc says so, and the page is not made.
page() {
    pandoc --fail-if-warnings --columns=10000 --mathml --lua-filter=common/make/formulas.lua \
        --lua-filter=$here/breaks.lua -f markdown-smart -t html5 >"$made/$2" &&
        sed -E "$spaced" "$made/$2" | awk -v from="$1" -v to="$2" -v title="$3" -v made="$made" -v site="${SITE:-}" \
            -f $here/page.awk "$made/map" - >"$book/$2"
}

title_of() { # FILE
    sed -n '1s/^# //p' "$1"
}

# --- pictures -------------------------------------------------------------------------------------

# The run of a milestone that is there: that of FROM=..., or the reference's, or else the learner's.
run_of() { # LESSON
    for run in "$out/$1/run" "$out/$1/run-quick" "$LOOKBACK_OUT/$1/run" "$LOOKBACK_OUT/$1/run-quick"; do
        [ ! -f "$run/result.txt" ] || return 0
    done
    run=$made/none
}

# tables_of SCRIPT: the files that it reads, from its data."/..." and run."/...". A name that the script puts
# together from pieces is found with a * in it.
tables_of() {
    for table in $(awk -F '"/' -v data="$folder" -v run="$run" '{
        for (i = 2; i <= NF; i++) {
            name = $i
            sub(/["\047].*/, "", name)
            if (name !~ /\.dat$/ && match($i, /"[^"]*\.dat/))
                name = name "*" substr($i, RSTART + 1, RLENGTH - 1)
            print ($(i - 1) ~ /run *\.[^"]*$/ ? run : data) "/" name
        }
    }' "$1"); do
        [ ! -f "$table" ] || echo "$table"
    done | sort -u
}

numbers() { # TABLE...: to be opened below a picture, and each as a file
    echo '<details class="numbers"><summary>The numbers behind it</summary>'
    for table; do
        text=$number/$(basename "$table" .dat).txt
        case $table in "$folder"/*) ;; *) text=$number/run-${text##*/} ;; esac
        cp "$table" "$book/$text"
        awk -v name="$(basename "$table")" -v text="$text" -f $here/table.awk "$table"
    done
    echo '</details>'
}

drawn() { # SCRIPT
    (FORMAT=svg WIDTH=text; draw "$name") >"$folder/said" 2>&1 || return 1
    ! grep -qi 'warning\|, line ' "$folder/said"
}

escaped() {
    sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'
}

picture() { # SCRIPT
    name=$(basename "$1" .gp)
    question=$(sed -n '1s/^# *//p' "$1" | escaped)
    if drawn "$1"; then
        cp "$folder/text/$name.svg" "$book/$number/"
        echo "<img src=\"$number/$name.svg\" width=\"720\" height=\"480\" alt=\"$question The numbers are in the table below the picture.\">"
        numbers $(tables_of "$1") >"$made/$number/$name.gp.numbers.html"
    elif grep -q 'run\.' "$1"; then
        cat <<HTML
<p class="place">$question This picture shows what a training run measured, and there is none here:
<code>make run-$number FROM=solutions</code>, then <code>make book</code>.</p>
HTML
    else
        echo "plots/$lesson/$name.gp could not be drawn:" >&2
        cat "$folder/said" >&2
        return 1
    fi
}

# of LESSON: sets the names of the lesson, and of the folders in which its pages and pictures are made.
of() {
    lesson=$1
    number=${lesson%%-*}
    folder=$made/$number/plots
    mkdir -p "$folder" "$book/$number"
    run_of "$lesson"
    short_of "$run" >/dev/null
}

pictures() {
    "$LOOKBACK_OBJECTS/tables/$lesson" "$folder" >/dev/null || return 1
    for script in plots/"$lesson"/*.gp; do
        picture "$script" >"$made/$number/$(basename "$script").html" || return 1
    done
}

# --- live parts -----------------------------------------------------------------------------------

is_live() {
    [ -f "plots/$lesson/$(name_of "$lesson")_play.js" ]
}

# A page in which functions run, where there is a compiler for it, and the frame that shows it.
live_part() { # TITLE
    if FROM=$from LOOKBACK_OUT=$out sh common/web/play/play.sh "$lesson" >"$folder/said" 2>&1; then
        cp "$out/play/$number.html" "$book/play/"
        echo "<iframe class=\"live\" src=\"play/$number.html\" title=\"Live: $(echo "$1" | escaped)\"></iframe>"
        echo "<p class=\"alone\"><a href=\"play/$number.html\">The live part in a window of its own</a>; <code>make play-$number</code> makes one of your functions.</p>"
    else
        echo "Without its live part: lesson $number. $(tail -n 1 "$folder/said")" >&2
        echo "<p class=\"place\">Here the functions of the lesson run, in a book that is made where clang compiles"
        echo "for WebAssembly. This one was made without: <code>make play-$number</code> says what it takes.</p>"
    fi
}

# --- pages ----------------------------------------------------------------------------------------

# The text, with places for its pictures and its live part, the quiz, and the headers. The list of exercises links each
# to its prototype.
lesson_text() {
    quiz=lessons/$lesson/quiz.md
    exercises=$(sed -n 's/^## //p' "lessons/$lesson/hints.md" | paste -s -d '|' -)
    awk -v live="$(is_live && echo yes)" -v quiz="$quiz" -v questions="$(grep -c '^## [0-9]' "$quiz")" \
        -f $here/lesson.awk "lessons/$lesson/README.md" |
        sed -E "/^## Your turn/,/^## [^Y]/{/^[0-9]/s/\`($exercises)\`/[&](#f-\1)/g;}"
    first=lessons/$lesson/$(name_of "$lesson").h
    for header in "$first" $(ls lessons/"$lesson"/*.h | grep -vxF "$first"); do
        printf '\n## %s {.header}\n\n~~~~ c\n' "$(basename "$header")"
        cat "$header"
        echo '~~~~'
    done
}

lesson_page() {
    of "$1"
    readme=lessons/$lesson/README.md
    title=$(title_of "$readme")
    pictures || return 1
    ! is_live || live_part "$title" >"$made/$number/live.html"
    lesson_text >"$made/$number/text" && page "$readme" "$number.html" "$title" <"$made/$number/text"
}

# section FILE HEADING: the text below that heading.
section() {
    awk -v heading="## $2" '/^## / { inside = $0 == heading; next } inside' "$1"
}

# The first page shows the attention head of lesson 06 at each step of its training.
trained_head() {
    run_of 06-self-attention
    [ -f "$run/warm_steps.dat" ] || run_make run-06 FROM="$from" >"$made/first.said" 2>&1 || {
        cat "$made/first.said" >&2
        return 1
    }
}

# The first page: a sentence, something to drag, a picture, and the commands and lessons of the README.
first_page() {
    of 06-self-attention
    [ ! "${SITE:-}" ] || { (FORMAT=png; draw weights) >/dev/null && cp "$folder/weights.png" "$book/link.png"; } || return 1
    numbers "$run/warm_steps.dat" "$run/tired_steps.dat" >"$made/first.steps.html"
    {
        printf '<pre><code>'
        [ ! "${URL:-}" ] || echo "git clone $URL lookback && cd lookback"
        awk '/^```/ { if (inside) exit; inside = 1; next } inside' README.md
        echo '</code></pre>'
    } >"$made/first.commands.html"
    {
        cat $here/first.md
        printf '\n## The lessons\n'
        section README.md "The lessons"
    } | page README.md index.html Lookback
}

# The files that pages link to and that are no pages: pictures as they are, all others as text.
other_files() {
    cat "$made"/wanted.* | sort -u | while read -r file to; do
        [ -f "$file" ] || { echo "A text leads to $file, which is not there." >&2; exit 1; }
        mkdir -p "$(dirname "$book/$to")"
        cp "$file" "$book/$to"
    done
}

if [ "${ONE:-}" ]; then
    lesson_page "$1" || { echo "The page of lesson $1 could not be made." >&2; exit 1; }
    exit
fi
rm -rf "${book:?}" "${made:?}"
mkdir -p "$book/play" "$made"
cp $here/book.css "$book/"
cat common/web/shared.js $here/book.js >"$book/book.js"
map_of "$@" >"$made/map"
trained_head || exit 1
echo "$@" | tr ' ' '\n' | ONE=1 xargs -P 2 -n 1 sh "$0" || exit 1
sed -n '/^[^0-9:]* [a-z]*\.html /p' "$made/map" | while read -r file page title; do
    page "$file" "$page" "$title" <"$file" || exit 1
done && first_page && other_files || exit 1
{
    echo 'const sections = ['
    cat "$made"/sections.[0-9]* "$made"/sections.[a-z]*
    echo ']'
} >"$book/search.js"
echo "$book/index.html"
