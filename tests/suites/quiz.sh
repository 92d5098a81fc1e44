# The quiz at the terminal: its questions, their order, and the scores that are kept.
. tests/suites/lib.sh

tutor=$PWD/$LOOKBACK_OBJECTS/tutor-checked quiz="sh $PWD/common/make/quiz.sh"
mkdir -p "$tmp/lessons/01-toy" "$tmp/out/01-toy"
cd "$tmp" || exit 1
printf '# 01 · Toy\n\nA toy.\n' >lessons/01-toy/README.md
echo 'int one(void);' >lessons/01-toy/toy.h
echo '## one' >lessons/01-toy/hints.md
for n in 1 2 3; do
    printf '## %s\nWhich is right,\nin two lines?\n\n' $n
    printf -- '- a) wrong\n- b) right of %s\n- c) false\n- d) untrue\n\n' $n
    printf '<details><summary>Answer</summary>\n\n**b)** Since it is number %s.\n\n</details>\n\n' $n
done >lessons/01-toy/quiz.md

# take SEED ANSWERS: one taking of the quiz, with answers of a letter each.
take() {
    echo "$2" | tr ' ' '\n' | SEED=$1 LOOKBACK_OUT=out $quiz 01-toy >"$said" 2>&1
}

# right_letters SEED: the letters of the right options in that order.
right_letters() {
    take "$1" "a a a"
    sed -n 's/^  \(.\)) right of .*/\1/p' "$said" | tr '\n' ' '
}

# score_is WORDS: what make list and the report say of a passed lesson.
score_is() {
    LOOKBACK_OUT=out FROM=lessons "$tutor" report 01-toy >report 2>&1
    says "| $1 |" report
}

prove "a quiz that was never taken has no score" score_is "not taken"
take 0 "b"
prove "a question that goes over two lines is one paragraph" says "  Which is right, in two lines?" "$said"
prove "SEED=0 keeps the order of the file" says "Right: b." "$said"
prove "a try that was left counts as far as it went" score_is "1 of 1 so far"
take 0 "a b"
prove "the first try stays when a second one begins" score_is "1 of 1, then 1 of 2"
prove "a wrong answer is told the right one, and why" sh -c "
    grep -q 'Not a. The answer is b.' $said && grep -q 'Since it is number 1.' $said"
take 0 "b b b"
prove "... and stays when the last one changes" score_is "1 of 1, then 3 of 3"
prove "... as the file says in two lines" sh -c "printf '1 1 3\n3 3 3\n' | cmp - out/01-toy/quiz"
take 0 ""
prove "leaving before the first answer changes nothing" score_is "1 of 1, then 3 of 3"
rm out/01-toy/quiz
take 0 "b x a b"
prove "a key that is no option is asked again" says "one letter from a to d" "$said"
prove "one try is one score" score_is "2 of 3"

for seed in 0 1 2 3 4 5 6 7 8 9; do
    right_letters $seed
    echo
done >orders
prove "every seed asks all, and none twice" sh -c "[ \$(wc -w <orders) = 30 ]"
prove "the options come in another order with another seed" sh -c "[ \$(sort -u orders | wc -l) -ge 6 ]"
prove "... and the right one comes to stand everywhere" sh -c "[ \$(tr ' ' '\n' <orders | grep . | sort -u | wc -l) = 4 ]"
letters=$(right_letters 7)
rm out/01-toy/quiz
take 7 "$letters"
prove "... where it is still the right one" score_is "3 of 3"
unset SEED
for n in 1 2 3 4 5 6; do
    echo a | LOOKBACK_OUT=out $quiz 01-toy | grep '^  [a-d]) ' | head -4 | tr -d '\n'
    echo
done >orders
prove "without a seed it is another order each time" sh -c "[ \$(sort -u orders | wc -l) -gt 1 ]"
sed 's/^\*\*b)/**e)/' lessons/01-toy/quiz.md >broken
mv broken lessons/01-toy/quiz.md
refuse "an answer that is no option is no question" "no valid questions" \
    env LOOKBACK_OUT=out $quiz 01-toy
exit $failed
