# The pages in which a learner's functions run (make play): opened in Chromium at 400 and 1280 points, from the
# disk and from a server, driven, and compared with what the same functions compute natively. Without the
# compiler for WebAssembly, or without Chromium, this says what is left out.
set -- play
. tests/suites/lib.sh

if ! echo 'int main(void) { return 0; }' | clang --target=wasm32-wasi -xc - -o "$tmp/probe" 2>/dev/null; then
    left "without a compiler for WebAssembly (clang, lld, llvm, wasi-libc, libclang-rt-dev-wasm32), the pages"
    exit $failed
fi
copy_solutions
pages=$out/play

# frame NAME PAGE STEPS: the page in two widths, after these steps, among those that are opened next.
frame() {
    [ -s "$tmp/frame.html" ] || cp tests/play/frame.html "$tmp"
    {
        cat "$2"
        echo "<script>const drive = '$3', name = '$1';"
        cat tests/play/driver.js
        echo "</script>"
    } >"$tmp/$1.html"
    for width in 400 1280; do
        echo "<iframe src='$1.html' style='width: ${width}px; height: 900px; border: 0'></iframe>" >>"$tmp/frame.html"
    done
}
# The steps that are done on the page before it is compared.
steps_of() {
    sed -n '1s/.*after: \(.*\) \*\/$/\1/p' tests/play/$1.c | sed 's/ (1e-6)//'
}
# All of them at once, at that address; what each shows in $tmp/NAME.shows, what the console said in $tmp/console.
open_frames() {
    open_page "$1/frame.html" --virtual-time-budget=60000 --timeout=600000
    rm -f "$tmp/frame.html" "$tmp"/*.shows
    sed -n '/<pre>/,/<\/pre>/p' "$tmp/dom" | sed 's/.*<pre>//; s/&gt;/>/g; s/&lt;/</g; s/&amp;/\&/g; /<\/pre>/d' |
        awk -v to="$tmp/" '/^page / { file = to $2 ".shows"; print "width " $4 >file; next } { print >file }'
}

# Both widths show the numbers of the program that was given, in this order; what it cannot know is "-".
agrees() { # NAME TOLERANCE
    awk -v near="$2" '
        NR == FNR { wanted[++n] = $0; next }
        /^width / { at = 0; widths++; next }
        / says: / { next }
        {
            w = wanted[++at]
            id = w
            sub(/ .*/, "", id)
            sub(/^[^ ]* /, "", w)
            x = $0
            sub(/^[^ ]* /, "", x)
            number = x ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/
            d = x - w
            same = w == "-" ? number : w ~ /[0-9]/ ? number && d <= near && d >= -near : x == w
            if ($1 != id || !same) {
                print "the page: " $0 "; natively: " wanted[at]
                bad = 1
            }
            seen++
        }
        END { exit bad || widths != 2 || seen != 2 * n || !n }' "$tmp/$1.native" "$tmp/$1.shows" ||
        { cat "$tmp/$1.shows"; return 1; }
}

# What a run leaves is made up by the programs that compute natively, where a page is opened at all.
offered=$(ls plots/*/*_play.js | sed 's|plots/||; s|/.*||')
has_browser
for source in common/nn/todo.c common/nn/room.c common/nn/random.c common/nn/tasks/language.c solutions/[0-9]*-*/*.c; do
    [ ! "$browser" ] || $LOOKBACK_CC -std=c17 -w $LOOKBACK_INCLUDES -c "$source" -o "$tmp/$(basename "$source" .c).o"
done
[ ! "$browser" ] || ar rc "$tmp/all.a" "$tmp"/*.o
for lesson in ${browser:+$offered}; do
    number=${lesson%%-*}
    run=$out/$lesson/run
    if [ ! -f tests/play/$number.c ]; then
        fail "tests/play/$number.c is missing: it computes natively what the page of lesson $number shows"
        continue
    fi
    $LOOKBACK_CC -std=c17 -w $LOOKBACK_INCLUDES tests/play/$number.c "$tmp/all.a" -lm -o "$tmp/$number" ||
        fail "tests/play/$number.c compiles"
    if grep -q 'void before' tests/play/$number.c; then
        mkdir -p "$run"
        "$tmp/$number" "$run" before >"$tmp/without-$number.native"
        "$tmp/$number" "$run" make
    fi
    "$tmp/$number" "$run" >"$tmp/$number.native"
done

run_make play FROM=$from >"$tmp/made" 2>&1
for lesson in $offered; do
    number=${lesson%%-*}
    page=$pages/$number.html
    prove "make play writes the page of $number, with nothing from elsewhere" sh -c "
        grep -qx '$page' '$tmp/made' && ! grep -i 'http:\|https:\|src=\|<link' '$page' | grep -v 'www.w3.org'"
    prove "... its module has at most 200 kB" sh -c "[ \$(wc -c <$pages/$number/module.wasm) -lt 200000 ]"
done
for lesson in $LOOKBACK_LESSONS; do
    prove "lesson $lesson has a page, which says what to try" grep 'task("' "plots/$lesson/$(name_of "$lesson")_play.js"
done
refuse "a lesson that is none is refused" "There is no lesson" run_make play-77 FROM=$from
if [ ! "$browser" ]; then
    left "without Chromium, what the pages show"
    exit $failed
fi
for lesson in $offered; do
    number=${lesson%%-*}
    frame "$number" "$pages/$number.html" "$(steps_of $number)"
    [ ! -f "$tmp/without-$number.native" ] && continue
    awk '/id="kept/ { drops = 1 } !drops; /<\/script>/ { drops = 0 }' "$pages/$number.html" >"$tmp/without.html"
    frame "without-$number" "$tmp/without.html" ""
done

# What a visitor may type.
frame no-verb $pages/07.html "typed=the_young_cat"
frame no-date $pages/07.html "typed=13/13/2026"
frame no-letters $pages/13.html "typed=anna_123"

run=$out/06-self-attention/run
cp "$run/head.dat" "$tmp/right.dat"
echo nonsense >"$run/head.dat"
run_make play-06 FROM=$from >/dev/null 2>&1
frame nonsense $pages/06.html ""
cp "$tmp/right.dat" "$run/head.dat"

# Others' files: wrong, endless, out of bounds, not written, and calling itself.
broken=$from/01-softmax/softmax.c
cp $broken "$tmp/right.c"
sed -e '/^void softmax_at_temperature/,/^}/s/^    softmax(.*/    printf("seen %d\\n", n);/' -e '1s/^/#include <stdio.h>\n/' \
    -e '/^double entropy/,/^}/s/^    double total = 0.0;/&\n    for (;;)\n        ;/' \
    -e '/^void softmax_jacobian/,/^}/s/j < n/j <= n/' "$tmp/right.c" >$broken
line_of() { grep -n "$1" $broken | head -1 | cut -d : -f 1; }
loop=$(line_of '^    for (;;)')
over=$(sed -n '/^void softmax_jacobian/,$p' $broken | grep -n 'jacobian\[i\]\[j\]' | head -1 | cut -d : -f 1)
over=$(($(line_of '^void softmax_jacobian') + over - 1))
run_make play-01 FROM=$from >"$tmp/made" 2>&1
frame broken $pages/01.html ""
sed -e '/^void softmax_at_temperature/,/^}/s/^    softmax(.*/    TODO("divide \\"first\\" <b>");/' -e '1s/^/#include "todo.h"\n/' \
    -e '/^double entropy/,/^}/s/^    double total = 0.0;/    double total = entropy(n, weights);/' "$tmp/right.c" >$broken
todo=$(line_of 'TODO(')
run_make play-01 FROM=$from >"$tmp/made" 2>&1
frame unwritten $pages/01.html "temperature=2"
echo 'int x = ;' >>$broken
refuse "a file that does not compile is told so" "does not compile; make 01 says more:" run_make play-01 FROM=$from
cp "$tmp/right.c" $broken

# The same where matrices travel in structs, and where ranks wait for each other.
cp $from/12-decoder/decoder.c "$tmp/right.c"
sed '/^void cache_rows/,/^}/s/cache->length + i\]/cache->length + i + 12]/' "$tmp/right.c" >$from/12-decoder/decoder.c
run_make play-12 FROM=$from >"$tmp/made" 2>&1
frame beyond $pages/12.html ""
cp "$tmp/right.c" $from/12-decoder/decoder.c
cp $from/15-ring/ring.c "$tmp/right.c"
sed '/^void ring_attention(/,/^}/s/step < ranks - 1/step < ranks - 1 \&\& ring->rank > 0/' "$tmp/right.c" >$from/15-ring/ring.c
run_make play-15 FROM=$from >"$tmp/made" 2>&1
frame alone $pages/15.html "steps=2"
cp "$tmp/right.c" $from/15-ring/ring.c

open_frames "file://$tmp"
for lesson in $offered; do
    number=${lesson%%-*} near=1e-12
    head -1 tests/play/$number.c | grep -q 1e-6 && near=1e-6
    prove "$number: driven, it shows at both widths what the functions compute natively, to $near" agrees $number $near
    prove "... and nothing is too wide, or has no name" sh -c "[ -s '$tmp/$number.shows' ] && ! grep 'wider than\|unlabelled' '$tmp/$number.shows'"
done
for native in "$tmp"/without-*.native; do
    number=${native##*-} number=${number%.native}
    prove "$number: before its run, the page shows what the functions make of small numbers" agrees without-$number 1e-12
    prove "... and names the command" grep -q "says:.*make run-$number" "$tmp/without-$number.shows"
done
for number in 09 14; do
    prove "$number: what only a run can tell is not shown before it" grep -q "says:.*make run-$number" "$tmp/$number.shows"
done
prove "a sentence without a verb is told so" grep -q 'written says:.* no verb' "$tmp/no-verb.shows"
prove "... and a date that does not exist" grep -q 'written says:.* no month 13' "$tmp/no-date.shows"
prove "... and letters that the writer does not know" grep -q 'line says:.* lacks .*123' "$tmp/no-letters.shows"
prove "not a word from the console, of any page" sh -c "! grep -a CONSOLE '$tmp/console'"
prove "a run that cannot be read is told so" grep -q "kept says: .*make run-06" "$tmp/nonsense.shows"
said=$tmp/broken.shows
prove "weights that do not sum to 1 are shown as they are, and what was printed" \
    says "weights says: The sum is 6, but weights sum to 1. It printed: seen 3" "$said"
prove "an endless loop is stopped, and named by function and line" \
    grep "entropy stopped: entropy(), line \($loop\|$((loop + 1))\) has run 10 million steps" "$said"
prove "a number read outside of its array, by function, line and place" \
    says "jacobian stopped: softmax_jacobian(), line $over reads weights[3], outside of weights[3]." "$said"
prove "what is not written is named with its hint, nothing of it as HTML" says \
    "weights stopped: softmax_at_temperature(), line $todo is still to be written: divide \"first\" <b>" "$tmp/unwritten.shows"
prove "outside of an array in a struct, it is told by the struct's name, too" grep \
    "cache stopped: cache_rows(), line [0-9]* writes .*cache->[KV]" "$tmp/beyond.shows"
prove "a rank that gets no message is reported" grep "heard stopped: .* floats, but 0 arrive" "$tmp/alone.shows"

for number in 05 13; do
    frame $number $pages/$number.html "$(steps_of $number)"
done
serve "$tmp"
open_frames "$address"
kill $server
for number in 05 13; do
    prove "$number: it shows the same from a server" agrees $number 1e-12
done
prove "... without a word from the console" sh -c "! grep -a CONSOLE '$tmp/console'"
exit $failed
