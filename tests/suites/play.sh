# The pages in which a learner's functions run (make play): opened from the disk in Chromium, at 400 and 1280
# points, driven, and compared with what the same functions compute natively. Without the compiler for
# WebAssembly, or without Chromium, this says what is left out.
set -- play
. tests/suites/lib.sh

if ! sh common/make/need.sh -o clang wasm-ld llvm-strip llvm-dwarfdump wasi-libc libclang-rt-dev-wasm32 ||
    ! echo 'int main(void) { return 0; }' | clang --target=wasm32-wasi -xc - -o "$tmp/probe" 2>/dev/null; then
    echo "      clang, lld, llvm, wasi-libc and libclang-rt-dev-wasm32 are not all here: no page is made"
    ok "without a compiler for WebAssembly, the pages are left out"
    exit $failed
fi
copy_solutions
pages=$out/play

# driven NUMBER STEPS: the page in two widths, after these steps; what it shows in $said, what the console
# said in $tmp/console.
driven() {
    cp tests/play/frame.html "$tmp"
    {
        cat "$pages/$1.html"
        echo "<script>const drive = '$2';"
        cat tests/play/driver.js
        echo "</script>"
    } >"$tmp/driven.html"
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/profile" --enable-logging=stderr \
        --virtual-time-budget=20000 --timeout=20000 --dump-dom "file://$tmp/frame.html" >"$tmp/dom" 2>"$tmp/console"
    sed -n '/<pre>/,/<\/pre>/p' "$tmp/dom" | sed 's/.*<pre>//; s/&gt;/>/g; s/&lt;/</g; s/&amp;/\&/g; /<\/pre>/d' >"$said"
}

# Both widths show the numbers of the program that was given, in this order.
agrees() { # PROGRAM
    "$1" >"$tmp/native" && awk '
        NR == FNR { wanted[++n] = $0; next }
        /^width / { at = 0; widths++; next }
        / says: / { next }
        {
            split(wanted[++at], w, " ")
            d = $2 - w[2]
            if ($1 != w[1] || NF != 2 || $2 !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ || d > 1e-12 || d < -1e-12) {
                print "the page: " $0 "; natively: " wanted[at]
                bad = 1
            }
            seen++
        }
        END { exit bad || widths != 2 || seen != 2 * n || !n }' "$tmp/native" "$said" || { cat "$said"; return 1; }
}

run_make play FROM=$from >"$tmp/made" 2>&1
offered=$(ls plots/*/*_play.js | sed 's|plots/||; s|/.*||')
for lesson in $offered; do
    number=${lesson%%-*}
    page=$pages/$number.html
    prove "make play writes the page of $number, with nothing from elsewhere" sh -c "
        grep -qx '$page' '$tmp/made' && ! grep -i 'http:\|https:\|src=\|<link' '$page' | grep -v 'www.w3.org'"
    prove "... its module has at most 200 kB" sh -c "[ \$(wc -c <$pages/$number/module.wasm) -lt 200000 ]"
done
refuse "a lesson without one is refused, and those that have one are named" "has no such page yet" \
    run_make play-15 FROM=$from

if ! command -v chromium >/dev/null; then
    echo "      chromium is not here: no page is opened"
    ok "without Chromium, what the pages show is left out"
    exit $failed
fi
for lesson in $offered; do
    number=${lesson%%-*}
    set -- $(for before in $offered; do echo "solutions/$before/$(name_of "$before").c"; done)
    $LOOKBACK_CC -std=c17 $LOOKBACK_INCLUDES tests/play/$number.c "$@" common/todo.c -lm -o "$tmp/$number" ||
        fail "tests/play/$number.c compiles"
    driven "$number" "$(sed -n '1s/.*after: \(.*\) \*\/$/\1/p' tests/play/$number.c)"
    prove "$number: at 400 and 1280 points, not a word from the console, nothing too wide" sh -c "
        [ \"\$(grep -c '^width 400\$\|^width 1280\$' '$said')\" = 2 ] && ! grep CONSOLE '$tmp/console' &&
        ! grep 'wider than\|unlabelled' '$said'"
    prove "$number: driven, it shows what the functions compute natively, to 1e-12" agrees "$tmp/$number"
done

# Others' files: wrong, endless, out of bounds, not written, and calling itself.
broken=$from/01-softmax/softmax.c
cp $broken "$tmp/right.c"
sed -e '/^void softmax_at_temperature/,/^}/s/^    softmax(.*/    printf("seen %d\\n", n);/' -e '1s/^/#include <stdio.h>\n/' \
    -e '/^double entropy/,/^}/s/^    double total = 0.0;/&\n    for (;;)\n        ;/' \
    -e '/^void softmax_jacobian/,/^}/s/j < n/j <= n/' "$tmp/right.c" >$broken
line_of() { grep -n "$1" $broken | head -1 | cut -d : -f 1; }
run_make play-01 FROM=$from >"$tmp/made" 2>&1
driven 01 ""
prove "weights that do not sum to 1 are shown as they are, and what was printed" \
    says "weights says: Together 6: weights sum to 1. It printed: seen 3" "$said"
prove "an endless loop is stopped, and named by function and line" sh -c "
    grep 'entropy stopped: entropy(), line $(line_of '^    for (;;)')\(.*\) has run 10 million steps\|entropy stopped: entropy(), line $(($(line_of '^    for (;;)') + 1)) has run 10 million steps' '$said'"
at=$(sed -n '/^void softmax_jacobian/,$p' $broken | grep -n 'jacobian\[i\]\[j\]' | head -1 | cut -d : -f 1)
at=$(($(line_of '^void softmax_jacobian') + at - 1))
prove "a number read outside of its array, by function, line and place" \
    says "jacobian stopped: softmax_jacobian(), line $at reads weights[3], outside of weights[3]." "$said"
prove "... and the console is silent about it all" sh -c "! grep CONSOLE '$tmp/console'"

sed -e '/^void softmax_at_temperature/,/^}/s/^    softmax(.*/    TODO("divide \\"first\\" <b>");/' -e '1s/^/#include "todo.h"\n/' \
    -e '/^double entropy/,/^}/s/^    double total = 0.0;/    double total = entropy(n, weights);/' "$tmp/right.c" >$broken
run_make play-01 FROM=$from >"$tmp/made" 2>&1
driven 01 "temperature=2"
prove "what is not written is named with its hint, nothing of it as HTML" says \
    "weights stopped: softmax_at_temperature(), line $(line_of 'TODO(') is still to be written: divide \"first\" <b>" "$said"
echo 'int x = ;' >>$broken
refuse "a file that does not compile is told so" "does not compile; make 01 says more:" run_make play-01 FROM=$from
cp "$tmp/right.c" $broken
exit $failed
