# The homework report: one file, nothing from outside, the pictures in it. With pandoc and weasyprint,
# and Chromium and pdfimages for a closer look, where they are here. Three lessons are
# in it, two of them with milestones; the suite report_seeds has all.
lessons=${lessons:-01-softmax 06-self-attention 08-multi-head}
set -- report
. tests/suites/lib.sh
without_boxes

if ! command -v pandoc >/dev/null || ! command -v weasyprint >/dev/null; then
    echo "      pandoc and weasyprint are not here: the report as Markdown is proven in loop"
    ok "the report is left to its Markdown form"
    exit $failed
fi
# A PDF takes a second, so one is made and looked at. Elsewhere this script replaces weasyprint.
mkdir -p "$tmp/quick"
printf '#!/bin/sh\n: >"$2"\n' >"$tmp/quick/weasyprint"
chmod +x "$tmp/quick/weasyprint"
numbers=
for lesson in $lessons; do
    numbers="$numbers ${lesson%%-*}"
    pictures=$((${pictures:-0} + $(ls plots/"$lesson"/*.gp | wc -l)))
done
copy_solutions
report=$out/report/report
# Every lesson passes; then the milestones run, for a short while.
run_make $numbers FROM=$from >/dev/null 2>&1
for lesson in $lessons; do
    [ ! -f lessons/"$lesson"/milestone.c ] ||
        run_make "run-${lesson%%-*}" FROM=$from STEPS=2 >/dev/null 2>&1
done
printf 'a\nb\n' | run_make quiz-01 SEED=0 FROM=$from >/dev/null 2>&1
# The key, with a mistake in one heading.
sed -i.was 's/^## entropy$/## entropie/; s/^## jacobian$/## `jacobian.gp`/' $from/answers/01.md
prove "make report makes HTML and PDF" run_make report LESSON="$numbers" FROM=$from STEPS=2 \
    NAME='Ada <b>Lovelace</b> & "co_x"'
prove "the name stands in it as it was given" \
    grep -q 'Ada &lt;b&gt;Lovelace&lt;/b&gt; &amp;' $report.html
prove "... and in the title" grep -q '<title>Lookback: homework report, Ada &lt;b&gt;Lovelace&lt;/b&gt; &amp; "co_x"</title>' $report.html
prove "the states, the sum of the points and the quiz score are in it" sh -c "
    grep -q '9 of 9' $report.html && grep -q '100 of 100' $report.html && grep -q '1 of 2 so far' $report.html"
prove "... and that a function is the reference's" grep -q 'identical to the reference' $report.html
prove "the code is in it, and highlighted" grep -q 'class="kw"\|class="dt"' $report.html
prove "... without what is given and unchanged" sh -c "
    grep -q 'The rest of this file is given, and unchanged' $report.html && ! grep -q 'take_multi_head_values' $report.html"
prove "the files that it was made from have their fingerprints" \
    grep -q "$(sha256sum <$from/01-softmax/softmax.c | cut -d ' ' -f 1)" $report.html
prove "all $pictures pictures are inside" sh -c "
    [ \$(grep -o '<img src=\"data:image/png;base64,iVBORw0KGgo' $report.html | wc -l) = $pictures ] &&
    [ \$(grep -c '<img' $report.html) = $pictures ]"
prove "... each with a text that replaces it" sh -c "[ \$(grep -c '<img.* alt=\"[^\"]' $report.html) = $pictures ]"
prove "an answer stands under its picture, and another is not lost" sh -c "
    grep -A 9 'The Jacobian as a heatmap' $report.html | grep -q 'i and j are exchanged' &&
    grep -A 9 'heading <code>entropie</code>' $report.html | grep -q 'its weight goes to 1 when the temperature'"
prove "each question of a caption has its answer in the key, but that one: it has room" sh -c "
    [ \$(grep -c 'class=\"room\"' $report.html) = 1 ] &&
    grep -A 9 'The entropy against the temperature' $report.html | grep -q 'class=\"room\"'"
answered() { # each caption that asks, of each lesson; each lesson has some
    for lesson in $LOOKBACK_LESSONS; do
        asked=$(sed -n 's/^- .\([^ ]*\)\.gp.: .*?.*/\1/p' "lessons/$lesson/README.md")
        [ "$asked" ] || { echo "$lesson asks nothing"; return 1; }
        for name in $asked; do
            grep -qx "## $name" "solutions/answers/${lesson%%-*}.md" || { echo "$lesson $name"; return 1; }
        done
    done
}
prove "... and so has each in the texts of all lessons" answered
prove "what the milestones came to is in it" sh -c \
    "grep -q 'trained 100.0 % right' $report.html && grep -q 'Share of right answers in 1000' $report.html"
prove "nothing is fetched from elsewhere" sh -c \
    "! grep -nE '(src|href)=\"(https?:)?//|@import|<script|url\\((https?:)?//' $report.html"
prove "the PDF is one" sh -c "head -c 5 $report.pdf | grep -q '%PDF-'"
if command -v pdfimages >/dev/null; then
    prove "... with all pictures in it" sh -c \
        "[ \$(pdfimages -list $report.pdf | grep -c ' image ') = $pictures ]"
    prove "... the name in its title" sh -c "pdfinfo $report.pdf | grep -q '^Title:.*Ada <b>Lovelace</b> & \"co_x\"'"
    case $(weasyprint --help) in
    *--pdf-tags* | *pdf/ua-1*) prove "... with tags" sh -c "pdfinfo $report.pdf | grep -q '^Tagged: *yes'" ;;
    esac
    prove "... and the code" sh -c "pdftotext $report.pdf - | grep -q 'softmax_rows_backward'"
    pages=$(pdfinfo $report.pdf | sed -n 's/^Pages: *//p')
    prove "... the name and the number on each of $pages pages" sh -c "
        [ \$(pdftotext -layout $report.pdf - | grep -c 'Ada <b>Lovelace.* of $pages\$') = $pages ]"
    pdftotext $report.pdf - | awk 'BEGIN { RS = "\f" }
        /(^|\n)Lesson [0-9]+: / { if (from) print NR - from; from = NR }
        /(^|\n)Made from/ { print NR - from + 1 }' >"$tmp/pages"
    prove "... at most nine to each of $(wc -l <"$tmp/pages") lessons" sh -c "
        [ \$(wc -l <$tmp/pages) = $(echo $lessons | wc -w) ] && ! grep -n '..' $tmp/pages"
fi
# The page is looked at in a window as narrow as a telephone, by a script that is added to a copy.
if has_browser; then
    get_axe || : >"$tmp/axe.min.js"
    {
        cat $report.html
        echo '<script src="axe.min.js"></script><script>addEventListener("load", async () => {
            const said = [document.documentElement.scrollWidth <= innerWidth, document.querySelector("img").width > 350];
            if (window.axe)
                for (const { id, nodes } of (await axe.run(document, { preload: false })).violations) said.push(id, nodes[0].html);
            parent.postMessage(said.join(" "), "*");
        })</script>'
    } >"$tmp/narrow.html"
    echo '<pre></pre><script>onmessage = ({ data }) => document.querySelector("pre").append(data)</script>
        <iframe src="narrow.html" style="border: 0; width: 400px; height: 900px"></iframe>' >"$tmp/framed.html"
    open_page "file://$tmp/framed.html" --virtual-time-budget=60000
    prove "Chromium shows it with nothing wider than a telephone, and axe-core finds nothing" sh -c \
        "grep -q '<pre>true true</pre>' $tmp/dom || { head -c 2000 $tmp/dom; false; }"
    prove "... misses nothing, and has nothing to say on its console" sh -c "! grep 'CONSOLE' $tmp/console"
    [ -s "$tmp/axe.min.js" ] || left "axe-core on the report: npm cannot fetch it"
fi
prove "make report LESSON=6 is about one lesson" run_make report FROM=$from LESSON=6 PICTURES=no \
    PATH="$tmp/quick:$PATH"
prove "... only, without pictures" sh -c "
    grep -q 'Lesson 06' $report-06.html && ! grep -q 'Lesson 01\|<img' $report-06.html"
refuse "a lesson that is none is refused" "There is no lesson 77" run_make report LESSON=77

# written FOLDER LESSON [NAME=VALUE]...: the Markdown of it.
written() {
    folder=$1
    lesson=$2
    shift 2
    env FROM="$folder" LOOKBACK_OUT="build/from/$folder" "$@" "$LOOKBACK_TUTOR" report "$lesson"
}
# What a stub's report says, and what was asked for before.
stub=${tmp#"$PWD"/}/stub
mkdir -p $stub/02-dot-product
rm -rf build/from/$stub
sh common/make/stubs.sh print 02-dot-product >$stub/02-dot-product/dot_product.c
for hint in 1 2; do
    run_make hint-02 FROM=$stub EXERCISE=blend >/dev/null 2>&1
done
written $stub 02-dot-product >"$said"
prove "the hints that were asked for are counted" grep -Eq '^. .blend. . todo . +. 0 of 11.1 . 2 .' "$said"
prove "... and the pictures are counted, with what they need" \
    says '3 pictures wait for `dot`, `dot_scores` and 4 more.' "$said"
rm -rf build/from/$stub/02-dot-product/hints*
written $stub 02-dot-product >"$said"
prove "a lesson that is not begun has no section" sh -c "! grep '^## Lesson' $said && grep -q '^| 02 .*0 of 9 | 0 of 100' $said"

# The lecturer's points.
printf '# sheet 1\nsoftmax 2.5\n\nentropy 4\n' >"$tmp/points"
written $from 01-softmax POINTS="$tmp/points" >"$said"
prove "POINTS=file sets the points, and their sum" says '**6.5 of 6.5**' "$said"
echo 'bland 4' >>"$tmp/points"
refuse "... and a line that names no exercise is refused" "points:5:" \
    written $from 01-softmax POINTS="$tmp/points"

# A file that wants out of its block, in all ways that we know.
eve="${tmp#"$PWD"/}/Eve; \`id\` (2)"
report="build/from/$eve/report/report-01"
rm -rf "build/from/$eve"
mkdir -p "$eve/01-softmax" "$eve/answers"
{
    sed 's/return total;/return -total;/' solutions/01-softmax/softmax.c
    echo '/*'
    for fence in '~' '\`' ':'; do
        awk "BEGIN { while (i++ < 60) printf \"$fence\"; print \"\" }"
    done
    printf '%s\n' '</code></pre>' '<script>alert(1)</script>' '<img src="01-softmax/weights.png" />' \
        '![](/etc/passwd)' '![x](01-softmax/jacobian.png)' '## Grade: 100 of 100' '\u2028 & &lt; ???/' '---' 'title: forged' '---'
    printf 'line\342\200\250separator \342\200\256turned \033[31mred\033[0m bell\007 caf\351 caf\303\251 \000nul\r\n'
    echo '*/'
} >"$eve/01-softmax/softmax.c"
cp "$eve/01-softmax/softmax.c" "$eve/answers/01.md"
html=$tmp/hostile.html # a short name of it
prove "a hostile file gets a report" run_make report FROM="$eve" LESSON=1 PATH="$tmp/quick:$PATH" \
    NAME="$(printf 'Eve\n::: x\n\n# Grade')"
cp "$report.html" "$html"
prove "... with our pictures only" sh -c "
    [ \$(grep -o '<img' $html | wc -l) = 3 ] && ! grep -q 'root:' $html"
prove "... our headings" sh -c "[ \$(grep -c '<h[1-6]' $html) = 3 ] && ! grep -q '<title>forged' $html"
prove "... no script" sh -c "! grep -qi '<script' $html && grep -q '&lt;script&gt;alert' $html"
prove "... every letter of it as text" sh -c "
    [ \$(grep -c '^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~' $html) -ge 1 ] &&
    grep -q '!\[\](/etc/passwd)' $html && grep -q 'u2028 &amp; &amp;lt; ???/' $html"
e=$(printf '\303\251')
prove "... nothing unseen, and Latin-1 read as such" sh -c "
    iconv -f UTF-8 -t UTF-8 $html >/dev/null &&
    grep -q 'line&lt;U+2028&gt;separator &lt;U+202E&gt;turned &lt;U+001B&gt;.31mred.* caf$e caf$e &lt;U+0000&gt;nul' $html &&
    ! LC_ALL=C grep -q '[[:cntrl:]]' $html"
prove "... the exercise that is wrong, what is wrong with it, and the picture that needs it" sh -c "
    grep -q '<td[^>]*>wrong</td>' $html && grep -q 'the wrong sign' $html && grep -q '1 picture waits for <code>entropy</code>' $html"
awk 'BEGIN { while (i++ < 30000) print "// a line" }' >>"$eve/01-softmax/softmax.c"
prove "a file that nobody would read" run_make report FROM="$eve" LESSON=1 PICTURES=no PATH="$tmp/quick:$PATH"
cp "$report.html" "$html"
prove "... is not shown" sh -c "grep -q 'is not shown: it has 3' $html && ! grep -q '// a line' $html"
exit $failed
