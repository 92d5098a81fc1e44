# The homework report: one file, nothing from outside, the pictures in it. With pandoc and weasyprint,
# and Chromium and pdfimages for a closer look, where they are here.
. tests/suites/lib.sh

if ! command -v pandoc >/dev/null || ! command -v weasyprint >/dev/null; then
    echo "      pandoc and weasyprint are not here: the report as Markdown is proven in loop"
    ok "the report is left to its Markdown form"
    exit $failed
fi
for lesson in $LOOKBACK_LESSONS; do
    pictures=$((${pictures:-0} + $(ls plots/"$lesson"/*.gp | wc -l)))
done
copy_solutions
report=$out/report/report
# Every lesson passes; then the milestones run, for a short while, and compiled in half of the time.
run_make list FROM=$from >/dev/null 2>&1
for milestone in lessons/*/milestone.c; do
    number=${milestone#lessons/}
    run_make "run-${number%%-*}" FROM=$from STEPS=2 FAST=-O1 >/dev/null 2>&1
done
printf 'b\nb\n' | run_make quiz-01 FROM=$from >/dev/null 2>&1
prove "make report makes HTML and PDF" run_make report FROM=$from STEPS=2 NAME='Ada <b>Lovelace</b> & "co_x"'
prove "the name stands in the title as it was given" \
    grep -q 'Ada &lt;b&gt;Lovelace&lt;/b&gt; &amp;' $report.html
prove "the states and the quiz score are in it" sh -c \
    "grep -q '9 of 9' $report.html && grep -q '1 of 2 so far' $report.html"
prove "the code is in it, and highlighted" grep -q 'class="kw"\|class="dt"' $report.html
prove "the files that it was made from have their fingerprints" \
    grep -q "$(sha256sum <$from/01-softmax/softmax.c | cut -d ' ' -f 1)" $report.html
prove "all $pictures pictures are inside, with captions" sh -c "
    [ \$(grep -o '<img src=\"data:image/png' $report.html | wc -l) = $pictures ] &&
    [ \$(grep -o '<figcaption' $report.html | wc -l) = $pictures ]"
prove "what the milestones came to is in it" sh -c \
    "grep -q 'trained 100.0 % right' $report.html && grep -q 'Dates right, to the last digit' $report.html"
prove "nothing is fetched from elsewhere" sh -c \
    "! grep -nE '(src|href)=\"(https?:)?//|@import|<script|url\\((https?:)?//' $report.html"
prove "the PDF is one" sh -c "head -c 5 $report.pdf | grep -q '%PDF-'"
if command -v pdfimages >/dev/null; then
    prove "... with all pictures in it" sh -c \
        "[ \$(pdfimages -list $report.pdf | grep -c ' image ') = $pictures ]"
    prove "... and the code" sh -c "pdftotext $report.pdf - | grep -q 'softmax_rows_backward'"
fi
if command -v chromium >/dev/null; then
    # No host has an address: whatever the page asked for would be missed on the console.
    timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$tmp/chromium" --host-resolver-rules="MAP * ~NOTFOUND" \
        --enable-logging=stderr --v=0 --dump-dom "file://$PWD/$report.html" \
        >"$tmp/dom.html" 2>"$tmp/chromium.log"
    prove "Chromium shows it, misses nothing, and has nothing to say on its console" sh -c \
        "grep -q 'Lesson 02' $tmp/dom.html && ! grep 'CONSOLE' $tmp/chromium.log"
fi
prove "make report LESSON=2 is about one lesson" run_make report FROM=$from LESSON=2
prove "... only" sh -c "grep -q 'Lesson 02' $report-02.html && ! grep -q 'Lesson 01' $report-02.html"
refuse "a lesson that is none is refused" "There is no lesson 77" run_make report LESSON=77
exit $failed
