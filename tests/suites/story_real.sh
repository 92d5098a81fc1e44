# The published model of lesson 16, where make story-model has fetched it: its logits and its story are those of a
# program that shares no code with the lesson. By name only, because nothing is fetched for it.
. tests/suites/lib.sh

milestone 16-story
program=$PWD/$folder/milestone
tables=$folder/run
model=build/fetched/story/stories15M.bin
tokenizer=build/fetched/story/tokenizer.bin
if [ ! -f $model ]; then
    left "the published model: make story-model fetches it"
    exit $failed
fi
$LOOKBACK_CC -std=c17 -O2 -Ilessons/$lesson tests/$lesson/story_check.c lessons/$lesson/milestone/pinned.c \
    -o "$tmp/check" -lm || fail "tests/$lesson/story_check.c compiles"

prove "the known logits are those of an independent program" "$tmp/check" $model
run_make run-16 FROM=$from >"$said" 2>&1
prove "make run-16 tells the story" says ", there was a little girl named Lily. She loved to play" "$said"
prove "... in all three kinds" [ "$(grep -c '^double: 222 tokens\|^float: 222 tokens\|^int8: ' "$said")" = 3 ]
prove "... and no logit is wrong" sh -c "! grep -q 'that of your code\|not the known story' $said"
prove "... on a screen of 80 columns" sh -c "! LC_ALL=C grep -nE '.{80}|nan|inf ' $said"
prove "... and all 252 tokens are the most likely ones, as the independent program finds" "$tmp/check" $model "$tables"
prove "both files of the tokenizer give the tokens that another tokenizer finds" \
    passes tokens_check "$program" 32000 $tokenizer "$tmp/tokenizer.bin" lessons/*/README.md README.md solutions/*/*.c
hashes=$(sed -n '/^tokenizers=/,/"$/p' lessons/$lesson/milestone/fetch.sh | grep -o '[0-9a-f]\{64\}' | sort)
prove "... and these are the two that are published" [ "$($sha256 $tokenizer "$tmp/tokenizer.bin" | cut -d ' ' -f 1 | sort)" = "$hashes" ]

# The whole run with sanitizers, on the machine of every run before.
common=$(for part in columns memory progress random room shade todo trainer typed; do ls common/nn/$part.c common/testing/$part.c 2>/dev/null; done)
sanitized() {
    $LOOKBACK_CC $(echo "$LOOKBACK_FAST_CFLAGS" | sed 's/-O3/-O1 -g/') -fsanitize=address,undefined -fno-sanitize-recover=all \
        lessons/$lesson/milestone.c lessons/$lesson/milestone/*.c solutions/*/*.c common/nn/tasks/*.c $common \
        -o "$tmp/sanitized" -lm && mkdir -p "$tmp/tables" && "$tmp/sanitized" "$tmp/tables" &&
        printf '%s\n' "The dragon" "look 4.2" lens surprise "without 4.2" Once | "$tmp/sanitized" try "$tmp/tables"
}
prove "... and sanitizers find nothing" sanitized

# What the text says of the heads.
number() { # FILE ROW COLUMN TEST
    awk -v row="\"$2\"" "\$1 == row { found = 1; good = \$$3 $4 } END { exit !(found && good) }" "$tables/$1" ||
        { echo "$1, row $2: column $3 is not $4"; cat "$tables/$1"; return 1; }
}
prove "head 1.2 attends from \"it\" to the ball" number links.dat 1.2 2 "> 0.5"
prove "head 4.4 attends from \"She\" to Lily" number links.dat 4.4 3 "> 0.25"
prove "head 2.0 attends to the token before" number links.dat 2.0 4 "> 0.25"
prove "head 4.2 attends to what came after an earlier L" number links.dat 4.2 5 "> 0.25"
for head in 0.5 4.2 2.0; do
    prove "without head $head a repeated name costs much more" number removed.dat $head 3 "> 2"
done
prove "... and a story hardly more without 4.2" number removed.dat 4.2 2 "< 0.3"
prove "each layer makes the mean surprise smaller" awk '
    $1 == "\"mean\"" { good = 1; for (i = 3; i <= 8; i++) good = good && $i < $(i - 1) } END { exit !good }' "$tables/lens.dat"
sh tests/suites/plots.sh $lesson $from || failed=1
exit $failed
