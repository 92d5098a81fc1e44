# The course as pages: links, pictures, formulas, quizzes, what can be dragged and what runs; and in Chromium,
# where it is here, as a reader meets them, from the disk, and some from a server. Three lessons are
# looked at; the suite book_all looks at all of them and at all their pages.
lessons=${lessons:-01-softmax 06-self-attention 12-decoder}
served=${pages:-index.html:1280 06.html:1280}
pages=${pages:-index.html:400 01.html:400 12.html:400 06.html:1280}
set -- "${suite:-book}"
. tests/suites/lib.sh

for program in pandoc gnuplot; do
    command -v $program >/dev/null || {
        left "the book: $program is not here"
        exit $failed
    }
done
copy_solutions
book=$tmp/pages
make_book() { # ARGUMENT...
    BOOK=$book run_make book FROM=$from "$@"
}
numbers=$(echo "$lessons" | sed 's/-[^ ]*//g')

# A compiler for WebAssembly that fails, and the one of this machine.
mkdir -p "$tmp/bin"
printf '#!/bin/sh\nexit 1\n' >"$tmp/bin/llvm-strip"
chmod +x "$tmp/bin/llvm-strip"
(PATH=$tmp/bin:$PATH; make_book LESSON="$numbers" SITE=https://host/book/) >"$said" 2>&1
prove "make book makes pages without any run, and without live parts" \
    says "Without its live part: lesson 01" "$said"
prove "... says so where they would be" grep -q '<code>make play-01</code> says what it takes' "$book/01.html"
prove "... as it says which command makes what a run measures" sh -c "
    grep -A 1 'a training run measured' $book/12.html | grep -q 'make run-12 FROM=solutions'"
prove "... and a link to a page has a title, a sentence and a picture" sh -c "
    grep -q 'og:image. content=.https://host/book/link.png' $book/01.html && [ -s $book/link.png ] &&
    grep -qF 'content=\"$(sed -n 3p lessons/01-softmax/README.md)' $book/01.html"
refuse "a lesson that is none is refused" "There is no lesson 77" make_book LESSON=77
run_make -n -W common/grade/generate.c book LESSON=01 >"$said" 2>&1
prove "make book in a fresh clone builds the program that the live parts need" grep -q generate.c "$said"
prove "make book, with what is here" make_book LESSON="$numbers"
live=$(ls "$book/play" 2>/dev/null | tr '\n' ' ')
[ "$live" ] || left "live parts: clang does not compile for WebAssembly here"
for page in $live; do
    prove "the live part of ${page%.html} is in its lesson" grep -q "<iframe class=\"live\" src=\"play/$page\"" "$book/$page"
done
prove "the numbers of a run are behind its picture" grep -q '<th scope="col">mat</th>' "$book/06.html"

dead=$tmp/dead
awk -v folder="$book" -f tests/suites/links.awk "$book"/*.html >"$dead"
prove "every link leads somewhere, to a place that is there, and nothing is fetched" sh -c "cat $dead; [ ! -s $dead ]"
mkdir -p "$tmp/ill"
cp -R "$book/." "$tmp/ill/"
sed 's/#f-entropy/#f-entropie/; s|src="01/weights.svg|src="01/waits.svg|; s|<title>|<img src="https://localhost/x.png">&|' \
    "$book/01.html" >"$tmp/ill/01.html"
prove "... or it is found: in a page made ill on purpose, three" sh -c "
    [ \$(awk -v folder=$tmp/ill -f tests/suites/links.awk $tmp/ill/*.html | wc -l) = 3 ]"

for lesson in $lessons; do
    page=$book/${lesson%%-*}.html
    readme=lessons/$lesson/README.md
    prove "$lesson: each paragraph of the text is in its page" awk '
        FNR == NR { gsub(/<[^>]*>/, ""); gsub(/&lt;/, "<"); gsub(/&gt;/, ">"); gsub(/&amp;/, "\\&"); page = page "\n" $0; next }
        /^[A-Z]/ && !/[`*$|\[\\]/ { seen++; if (!index(page, $0)) { print; bad = 1 } }
        END { exit bad || !seen }' "$page" "$readme"
    formulas=$(cat "$readme" "lessons/$lesson/quiz.md" | sed '/^```/d; s/`[^`]*`//g' | tr -cd '$' | wc -c)
    formulas=$((formulas / 2 + $(grep -c '^```math' "$readme")))
    prove "$lesson: its $formulas formulas are MathML, long ones in several pieces" [ "$(grep -o '<math' "$page" | wc -l)" -ge $formulas ]
    for figure in $(sed -n 's/^!\[.*](\(.*\))$/\1/p' "$readme"); do
        prove "$lesson: $figure is a figure in its page" sh -c "
            cmp lessons/$lesson/$figure $book/lessons/$lesson/$figure &&
            grep '<figure' $page && grep 'src=\"\(lessons/$lesson/$figure\|${lesson%%-*}/${figure#figures/}\)\" alt=\"[^\"]' $page"
    done
    for picture in $(sed -n 's/^- `\(.*\)\.gp`: .*/\1/p' "$readme"); do
        figure=$tmp/figure
        awk "/id=.picture-$picture\"/ { f = 1 } f; /<.figure>/ { f = 0 }" "$page" >"$figure"
        prove "$lesson: $picture is there once, and its question leads to it" sh -c "
            [ \$(grep -c 'src=\"[^\"]*/$picture.svg\"' $page) -le 1 ] &&
            [ -s $figure ] && { [ ! -f lessons/$lesson/figures/$picture.svg ] || grep -q 'href=\"#picture-$picture\"' $page; }"
        if grep -q 'src="lessons/' "$figure"; then
            prove "$lesson: $picture stays as it is in the text without a run" [ ! -d "$out/$lesson/run" ]
        elif ! grep -q 'class="place"' "$figure"; then
            prove "$lesson: $picture is a picture, with its numbers" sh -c "
                grep -q 'src=\"${lesson%%-*}/$picture.svg\"' $figure && [ \$(grep -c '<td>' $figure) -ge 2 ] &&
                head -c 5 $book/${lesson%%-*}/$picture.svg | grep -q '<?xml'"
        else
            prove "$lesson: $picture says which run it needs" sh -c "
                [ ! -d $out/$lesson/run ] && grep -q 'run\.' plots/$lesson/$picture.gp &&
                grep -q 'make run-${lesson%%-*}' $figure"
        fi
    done
    prove "$lesson: its questions are all there, each option a button" sh -c "
        [ \$(grep -c '^- [a-f]) ' lessons/$lesson/quiz.md) = \$(grep -o '<button[^>]* value' $page | wc -l) ] &&
        [ \$(grep -c '^## [0-9]' lessons/$lesson/quiz.md) = \$(grep -c 'class=\"question\"' $page) ]"
    for exercise in $(sed -n 's/^## //p' "lessons/$lesson/hints.md"); do
        grep -q "id=\"f-$exercise\"" "$page" || echo "no contract: $exercise"
        ! sed '/^## Your turn/,/^## /!d' "$readme" | grep "^[0-9]*\. .*\`$exercise\`" >/dev/null || grep -q "href=\"#f-$exercise\"" "$page" ||
            echo "no link: $exercise"
    done >"$tmp/lost"
    prove "$lesson: each exercise has its contract, and leads to it" sh -c "cat $tmp/lost; [ ! -s $tmp/lost ]"
    for element in div figure details table main nav; do
        [ "$(grep -o "<$element[ >]" "$page" | wc -l)" = "$(grep -o "</$element>" "$page" | wc -l)" ] || echo $element
    done >"$tmp/open"
    prove "$lesson: what is opened is closed" sh -c "cat $tmp/open; [ ! -s $tmp/open ]"
done
# The worked example of the text, and the table of the program that computes it, to five digits.
prove "a table has the numbers of its file" grep -q \
    '<tr><th scope="row">weight 1</th><td>0.081925</td><td>'"$(printf '\342\210\222')"'0.022033</td>' "$book/01.html"
for file in book.css book.js; do
    prove "$file has a few hundred lines" [ "$(wc -l <common/web/book/$file)" -le 500 ]
done

if ! has_browser; then
    for page in $pages; do
        left "${page%:*} in Chromium: it is not here"
    done
    exit $failed
fi
# A copy of each page, with a script that looks at it. Live parts are looked at by themselves, too.
mkdir -p "$tmp/driven"
cp -R "$book/." "$tmp/driven/"
cp tests/suites/book.js "$tmp/driven/driver.js"
for page in $live; do
    sed '/Content-Security-Policy/d' "$book/play/$page" >"$tmp/driven/live-$page"
done
for page in "$tmp/driven"/*.html; do
    sed -i.was 's|</body>|<script src="axe.min.js"></script><script src="driver.js"></script>&|' "$page"
done
if get_axe; then
    mv "$tmp/axe.min.js" "$tmp/driven/"
else
    left "axe-core on these pages: npm cannot fetch it"
    : >"$tmp/driven/axe.min.js"
fi

frame() { # all.html: one page with all of $pages
    echo "<!DOCTYPE html><title>All of them</title><link rel=\"icon\" href=\"data:,\"><pre></pre>"
    echo "<script>onmessage = (said) => { if (said.data.found) document.querySelector('pre').append(said.data.found) }</script>"
    for page in $pages "$@"; do
        echo "<iframe src=\"${page%:*}\" style=\"border: 0; width: ${page#*:}px; height: 900px\"></iframe>"
    done
}

browse() { # FOLDER LIVE-PART...: these and $pages there; what the pages told in $tmp/dom, what the console said in $tmp/console
    folder=$1
    shift
    frame "$@" >"$tmp/driven/all.html"
    open_page "$folder/all.html" --window-size=1600,1200 --virtual-time-budget=90000
    prove "Chromium shows the pages, misses nothing, and has nothing to say on its console" sh -c "
        grep -q 'without a name' $tmp/dom && ! grep 'CONSOLE' $tmp/console"
    for page in $pages; do
        look_at "${page%:*}" "${page#*:}"
    done
    [ ! -s "$tmp/driven/axe.min.js" ] || for page in $pages "$@"; do
        for theme in light dark; do
            prove "${page%:*} at ${page#*:} pixels, $theme: axe-core has nothing to say" sh -c "
                grep '^$page [^ ]*, [0-9]* times' $tmp/dom
                grep -qx '$page violations in a $theme page: 0' $tmp/dom"
        done
    done
}

look_at() { # PAGE WIDTH
    quiz=$(ls lessons/"${1%.html}"-*/quiz.md 2>/dev/null)
    sed -n "s/^$1:$2 //p" "$tmp/dom" >"$tmp/found"
    cat >"$tmp/wanted" <<WANTED
wider than the window: false
sticks out: ${nothing:-}
pictures not shown: 0
figures with neither numbers nor a reason: 0
formulas not shown: 0
headings: 1 h1, 1 main
without a name: 0
live parts that do not fit: 0
asked of others: 0
pictures whose words are cut off: ${nothing:-}
pages in the list: $(ls "$book"/*.html | wc -l)
found: true, 01.html#f-softmax_rows, 01.html#f-softmax_rows, none
themes: dark, light dark
an arrow key goes: on
WANTED
    prove "$1 at $2 pixels: nothing sticks out, is missing, lacks a name, or is asked of others; the list, the search, themes and keys work" \
        sh -c "grep -vxFf $tmp/wanted $tmp/found >$tmp/rest; cat $tmp/rest; [ \$(grep -cxFf $tmp/wanted $tmp/found) = 14 ]"
    case " $live" in
    *" $1 "*) prove "... its live part is as high as it says" grep -qx 'live parts: 1' "$tmp/found" ;;
    esac
    if [ "$1" = index.html ]; then
        prove "... dragged, it says what the run measured" sh -c "
            grep -F 'from start to end, with' $tmp/found | cmp - $tmp/dragged"
    fi
    [ "$quiz" ] || return
    prove "... its quiz can be answered, each question with its why" sh -c "grep '^questions: [1-9]' $tmp/found && ! grep 'wrong verdict' $tmp/found"
    prove "... and says the score" \
        grep -qx "score: $(grep -c '^\*\*a)\*\*' "$quiz") of $(grep -c '^## [0-9]' "$quiz") right." "$tmp/found"
    prove "... and the device remembers the answers" \
        grep -qx "answers remembered: $(grep -c '^## [0-9]' "$quiz")" "$tmp/found"
}

for ending in warm:mat:cat tired:cat:mat; do
    awk -v ending=${ending%%:*} -v names=${ending#*:} '
        NR == 1 { for (i = 2; i <= NF; i++) at[$i] = i; split(names, name, ":") }
        /^"after"/ { first = 100 * $(at[name[1]]); second = 100 * $(at[name[2]]) }
        END { printf "from start to end, with %s: “it” attends to all words about equally. “it” attends to “%s” with %.0f %%, and to “%s” with %.0f %%.\n",
                  ending, name[1], first, name[2], second }' "$out/06-self-attention/run/${ending%%:*}.dat"
done >"$tmp/dragged"
echo "      from the disk:"
browse "file://$tmp/driven" $(echo "$live" | sed 's/[^ ]*.html/live-&:400/g')
serve "$tmp/driven"
echo "      from a server:"
pages=$served
: >"$tmp/driven/axe.min.js"
browse "$address"
kill $server
prove "the server was asked for what it has, and for all of these pages" sh -c "
    ! grep '^404 ' $tmp/served && for page in $pages; do grep -qx \"200 /\${page%:*}\" $tmp/served || exit 1; done"
exit $failed
