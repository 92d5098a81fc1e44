# What a learner does beside the tests: reads at the terminal, tries numbers, debugs, asks for hints.
. tests/suites/lib.sh
export UNSAFE=1 # what is tried here is our own

tutor=$PWD/$LOOKBACK_TUTOR
pty=$PWD/$LOOKBACK_OBJECTS/pty
top=$PWD

# --- the text

columns() { # at most 80 of them, whatever bytes a character has
    LC_ALL=C tr -d '\200-\277' <"$1" | LC_ALL=C awk 'length($0) > 80 { print; bad = 1 } END { exit bad }'
}
if command -v pandoc >/dev/null; then
    for text in lessons/*.md lessons/*/README.md; do
        prove "$text: it can be read at the terminal, to the last formula" \
            sh -c "sh common/make/read.sh $text >$said && ! grep -nF -e '\\' -e '\$' -e '](' -e '**' $said"
        prove "... in 80 columns" columns "$said"
    done
    cat >"$tmp/text.md" <<'MD'
# 01 · A *title* with $d_k$

$\frac{1}{\sqrt{d_k}}$

Here $\sum_{i=1}^{n} w_i x_i$, $\text{shared} = \sqrt{a + b}$, $\sigma(\alpha)$, $a \le b$; 5 dollars ($5) are money.

$$\begin{aligned} a &= b \\ &= c \end{aligned}$$

```math
\frac{\partial L}{\partial x_i} = \left( y - \sum_j \text{weights}_j \right)
```

![A finding (in words)](figures/a.svg)

## Then

- **bold**, `code_with $1 * 2`, [a link](other.md) and [a page](https://example.org/x)
- an item that goes on and on, so that its second line has to be set in below its first one

| head | right |
| --- | ---: |
| $x_i$ | 1 |
| two words | 10.25 |

| a table | of many words |
| --- | --- |
| that would take more than a line of the terminal | so that the words in each of its cells are wrapped |

```
$ left \as it is
```
MD
    cat >"$tmp/expected" <<'TEXT'
01 · A title with d_k
=====================

1/√d_k

Here ∑_(i = 1)^(n)w_i x_i, shared = √(a+b), σ(α), a ≤ b; 5 dollars ($5) are
money.

a = b
 = c

(∂L)/(∂x_i) = (y−∑_j weights_j)

[Figure: A finding (in words) (figures/a.svg)]

Then
----

-   bold, code_with $1 * 2, a link and a page (https://example.org/x)
-   an item that goes on and on, so that its second line has to be set in below
    its first one

  head          right
  ----------- -------
  x_i               1
  two words     10.25

  --------------------------------------------------------------
  a table                        of many words
  ------------------------------ -------------------------------
  that would take more than a    so that the words in each of
  line of the terminal           its cells are wrapped

  --------------------------------------------------------------

    $ left \as it is
TEXT
    sh common/make/read.sh "$tmp/text.md" >"$tmp/read" 2>&1
    prove "Markdown and formulas read as they should" diff "$tmp/expected" "$tmp/read"
fi
mkdir -p "$tmp/without"
for program in sh cat; do
    ln -sf "$(command -v $program)" "$tmp/without/"
done
PATH=$tmp/without sh common/make/read.sh lessons/01-softmax/README.md >"$said"
prove "without pandoc the text is shown as it is" cmp lessons/01-softmax/README.md "$said"
printf '#!/bin/sh\ncat >/dev/null\necho "The locale is $LC_ALL."\n' >"$tmp/pager"
chmod +x "$tmp/pager"
echo '?locale is' | LC_ALL=xx_YY.UTF-8 PAGER="$tmp/pager" "$pty" "${MAKE:-make}" read-01 >"$said" 2>&1
prove "a pager has the locale that make was started in" says "The locale is xx_YY.UTF-8." "$said"
refuse "a lesson that is none cannot be read" "There is no lesson for read-99" run_make read-99
if command -v pandoc >/dev/null; then
    rm -f build/pages/02.html
    printf '#!/bin/sh\necho "$1" >%s/opened\n' "$tmp" >"$tmp/browser"
    chmod +x "$tmp/browser"
    prove "with PAGE=1 the browser gets a page" run_make read-02 PAGE=1 BROWSER="$tmp/browser"
    prove "... with formulas, and links to the other pages" sh -c "
        page=\$(cat $tmp/opened) && grep -q '<math' \$page && grep -q 'href=\"REFERENCES.html#luong\"' \$page &&
        grep -q 'href=\"03.html\"' build/pages/README.html"
    prove "... and its title" says "<title>02 · Dot-product attention</title>" build/pages/02.html
fi

# --- one's own numbers

try() { # LESSON LINE...: what the prompt of the reference says to these lines
    number=$1
    shift
    printf '%s\n' "$@" | run_make "try-$number" FROM="${from:-solutions}" >"$said" 2>&1
}
shows() { # WHAT WORDS, with one space between them
    tr -s ' ' <"$said" >"$tmp/shown"
    prove "try-$number: $1" says "$2" "$tmp/shown"
}
try 01 'softmax 1 2 3' '1 2; 3 0' 'softmax 1 x' 'softmax 1 2; 3' 'sofmax' 'softmax' 'temperature 0 1' ''
shows "numbers go through softmax" '0.0900 0.2447 0.6652'
shows "... and rows, without a command" 'row 1 0.9526 0.0474'
shows "what is no number is named" "'x' is not a number."
shows "rows of two lengths are one line" "row 1 has 1 numbers and row 0 has 2."
shows "a command that is none is named" "'sofmax' is not a command here"
shows "... and what is missing" "Type some numbers after it."
shows "... and what cannot be" "A temperature above 0"
shows "an empty line is an example" "> softmax 1 2 3"
prove "try-01: no prompt where nobody types" sh -c "! grep -q '^> *\$\|Ctrl-D' $said"
try 02 attention 'Q 0 0 2' 'backward 1 0' 'backward 1' 'K 1 2' hard
shows "a gradient is what nudging measures" 'they agree, as far as this can be measured'
shows "... of the output's shape" 'The output has 1 rows of 2 numbers'
shows "the worked example" 'query 0 0.2119 0.2119 0.5761'
shows "... and other queries" 'query 0 0.0634 0.4683 0.4683'
shows "sizes that do not fit are one line" "Queries have 3 numbers and keys 2"
try 03 example 'scale 64'
shows "the worked example" 'query 1 0.3904 0.3904 0.2192'
shows "the scale" 'scale 0.1250'
try 04 additive general
shows "the worked example" 'query 0 0.2760 0.3058 0.4183'
shows "the general score" 'query 1 1.2500 -1.0000 -1.7500'
try 05 'who can see whom' 'pad 2' 'pad 9' 'open the door' 'a b c d e f g h i'
shows "the first word sees itself alone" 'who 1.0000 0.0000 0.0000 0.0000'
shows "... and padding is seen by nobody" 'the rest is blocked'
shows "a length that is none is one line" 'A number from 0 to 4'
shows "a sentence may begin as a command does" 'door'
shows "a longer one is shaded" 'the largest is at the right'
try 06 'one by one' 'random 2' 'loss 0 2 0 0'
shows "words that are alike look at each other alike" 'one 0.'
shows "the loss of the text" 'cross-entropy 0.2395'
prove "try-06: 80 columns are enough" columns "$said"

from="build/tmp/learner/a class"
rm -rf "build/from/$from"
mkdir -p "$from/01-softmax"
sed 's/return total;/volatile int *p = 0; return *p;/; s/shared += weights.j. \* /shared += /
    /^void expected_value/,/^}/s/{$/{ for (;;) ;/' \
    solutions/01-softmax/softmax.c >"$from/01-softmax/softmax.c"
LOOKBACK_SECONDS=0.2 try 01 'backward 1 2 3; 1 0 0' 'entropy .5 .5' 'blend .5 1' 'jacobian'
shows "a gradient that is wrong does not agree" "they do not agree"
shows "code that crashes ends its line" "Your code crashed. make 01 says where."
shows "... a loop too" "Your code was stopped after 0.2 s of work"
shows "... and the prompt goes on" "Type some numbers after it."
sed '/^void softmax(/,/^}/s/{$/{ for (;;) ;/' solutions/01-softmax/softmax.c >"$from/01-softmax/softmax.c"
LOOKBACK_SECONDS=0.5 refuse "a loop in the worked example is stopped" "softmax() was stopped after 1 s of work" \
    run_make show-01 FROM="$from"
shows "... and its line is named" "01-softmax/softmax.c:7: in softmax()"
sh common/make/stubs.sh print 01-softmax >"$from/01-softmax/softmax.c"
try 01 'softmax 1 2' 'entropy 1'
shows "a function that is not written yet is a line" "softmax.c:8: softmax() is not written yet"
shows "... and so is the next" "entropy() is not written yet"

# --- the debugger

mkdir -p "$tmp/without"
for tool in sh cat env; do
    ln -sf "$(command -v $tool)" "$tmp/without/$tool"
done
fails_in() { # FUNCTION: the file is right but for that one
    sed "/^[a-z].* $1(/,/^}/s/double total = 0.0;/double total = 1.0;/" solutions/01-softmax/softmax.c >"$from/01-softmax/softmax.c"
}
fails_in entropy
if command -v gdb >/dev/null; then
    run_make debug-01 FROM="$from" GDB="gdb -batch" >"$said" 2>&1
    prove "the debugger stops in the learner's function" \
        grep -q '^Temporary breakpoint 1, entropy (n=3' "$said"
    prove "... which says in what test" says "  the_entropy_of_the_worked_weights_comes_out" "$said"
    run_make debug-01 FROM="$from" GDB="gdb -batch" EXERCISE=softmax_rows >"$said" 2>&1
    prove "EXERCISE=softmax_rows debugs that one" grep -q '^Temporary breakpoint 1, softmax_rows (' "$said"
else
    run_make debug-01 FROM="$from" GDB=true >"$said" 2>&1 # what it would debug is built
fi
refuse "a test runs alone by its name" "1 Tests 1 Failures" \
    "$LOOKBACK_OBJECTS/yours/$from/01-softmax/test" the_entropy_of_the_worked_weights_comes_out
refuse "without a debugger, the command that brings one" "Install with your system's" \
    env PATH="$tmp/without" GDB= sh common/make/need.sh gdb
cp solutions/01-softmax/softmax.c "$from/01-softmax/"
run_make debug-01 FROM="$from" >"$said" 2>&1
prove "where nothing fails it says so" says "Nothing fails in lesson 01." "$said"
echo 'int int;' >>"$from/01-softmax/softmax.c"
run_make debug-01 FROM="$from" >"$said" 2>&1
prove "a file that does not build is for make" says "does not build: make 01 says why" "$said"

# --- hints, by exercise

sh common/make/stubs.sh print 01-softmax >"$from/01-softmax/softmax.c"
run_make hint EXERCISE=entropy FROM="$from" >"$said" 2>&1
prove "make hint EXERCISE=entropy finds its lesson" says "Lesson 01: entropy(), hint 1 of 3" "$said"
refuse "a name that is none is refused, and the nearest one named" "exercise entropie. Is it entropy of lesson 01?" \
    run_make hint EXERCISE=entropie FROM="$from"
mkdir -p "$tmp/course/lessons/01-x" "$tmp/course/lessons/02-y" "$tmp/course/tests/01-x" "$tmp/course/tests/02-y"
echo 'void both(int n); void left(int n);' >"$tmp/course/lessons/01-x/x.h"
echo 'void both(int n); void right(int n);' >"$tmp/course/lessons/02-y/y.h"
printf '## both\n' | tee "$tmp/course/lessons/01-x/hints.md" >"$tmp/course/lessons/02-y/hints.md"
refuse "a name of two lessons names both" "Lessons 01 and 02 have an exercise both" \
    sh -c "cd $tmp/course && $tutor find both"
refuse "a function of the reference is asked for first" "entropy() is not passed" \
    run_make solution-01 EXERCISE=entropy FROM="$from"
run_make solution-01 EXERCISE=entropy FROM="$from" SHOW=1 >"$said" 2>&1
prove "... and then shown alone" sh -c "grep -q 'weights.i. \* log' $said && ! grep -q softmax $said"
run_make 01 FROM="$from" >"$said" 2>&1
prove "a first check is no news" sh -c "! grep -q 'What a good' $said"
"$tutor" splice "$from/01-softmax/softmax.c" solutions/01-softmax/softmax.c softmax >"$tmp/softmax.c"
cp "$tmp/softmax.c" "$from/01-softmax/"
run_make 01 FROM="$from" >"$said" 2>&1
prove "an exercise just passed says where to see a good solution, if the screen has no room for it" \
    says 'softmax() is right. To see a good solution: make hint-01 EXERCISE=softmax' "$said"
run_make 01 FROM="$from" >"$said" 2>&1
prove "... once" sh -c "! grep -q 'a good solution' $said"

# --- editors, and the first minute

flags=build/compile_flags.txt
prove "editors know the folder of every lesson" sh -c "
    for lesson in $LOOKBACK_LESSONS; do grep -qx -- -I../lessons/\$lesson $flags || exit 1; done"
for file in lessons/04-additive/additive.c tests/03-scaled/test_scaled.c common/testing/expect.c \
    plots/05-masked/masked_try.c; do
    prove "... and all that $file includes" sh -c \
        "cd build && $LOOKBACK_CC -fsyntax-only \$(cat compile_flags.txt) ../$file"
done
if command -v clangd >/dev/null; then
    clangd --check=lessons/01-softmax/softmax.c >"$said" 2>&1
    prove "clangd finds no fault with lesson 01" says "All checks completed, 0 errors" "$said"
fi
fails_in entropy
run_make 01 FROM="$from" >"$said" 2>&1
matcher=$(sed -n 's/.*"regexp": "\(.*\)",/\1/p' .vscode/tasks.json | sed 's/\\\\/\\/g; s/(?:/(/g; s/\\d/[0-9]/g')
prove "the task of VS Code finds the learner's line" sh -c "
    sed 's|$from|lessons|' $said | grep -E '$matcher' | grep -q 'lessons/01-softmax/softmax.c:[0-9]*: your entropy'"
run_make demo >"$said" 2>&1
prove "make demo shows what attention learns" sh -c "
    grep -q 'was warm .*it: the mat' $said && grep -q 'was tired .*it: the cat' $said"
prove "... in 80 columns, and only the end where nobody looks" sh -c "
    [ \$(grep -c steps $said) = 1 ] && ! grep -q '.\{81\}' $said"
TERM=xterm "$pty" "${MAKE:-make}" demo </dev/null >"$said" 2>&1
prove "... and in a terminal all of it, drawn over" \
    sh -c "[ \$(grep -c \"\$(printf '\\033\\\\[7A')\" $said) = 60 ]"
exit $failed
