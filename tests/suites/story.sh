# The milestone of lesson 16 runs small random models, so nothing is fetched: their stories are those of a program that
# shares no code with the lesson. SUITES=story_real does the same with the published model.
. tests/suites/lib.sh

milestone 16-story
program=$PWD/$folder/milestone
$LOOKBACK_CC -std=c17 -O1 -Ilessons/$lesson tests/$lesson/story_check.c lessons/$lesson/milestone/pinned.c \
    -o "$tmp/check" -lm || fail "tests/$lesson/story_check.c compiles"
$LOOKBACK_CC -std=c17 $LOOKBACK_INCLUDES tests/$lesson/small_model.c common/nn/random.c -o "$tmp/small" -lm ||
    fail "tests/$lesson/small_model.c compiles"

# Models of several shapes: heads that share keys, odd sizes, a matrix for the logits of their own.
small() { # NAME SIZES...
    mkdir -p "$tmp/$1"
    model=$tmp/$1
    shift
    "$tmp/small" "$model" "$@"
}
small shared 24 50 2 3 1 60 1
small wide 60 41 2 10 5 40 0
small story 36 41 3 6 2 90 0
for shape in shared wide story; do
    run MODEL="$tmp/$shape/model.bin"
    prove "$shape: each token of the story is the most likely one" "$tmp/check" "$tmp/$shape/model.bin" "$tables"
    prove "... and floats and bytes agree with doubles" [ "$(grep -c 'differ$' "$said")" = 2 ]
done
prove "... on a screen of 80 columns" sh -c "! LC_ALL=C.UTF-8 grep -nE '.{80}' $said"
prove "... with the speed of each kind" sh -c "
    for kind in double float int8; do
        grep -Eq \"^\$kind: 90 tokens, [0-9.e+]+ a second\" $said || exit 1
    done"
prove "the tables of another model are kept apart" sh -c "[ ! -d $folder/run ] && [ -s $tables/result.txt ]"

run_make plot-16 MODEL="$tmp/story/model.bin" FROM=$from FORMAT=svg >"$said" 2>&1
prove "... so pictures of the published one wait" says "weights.gp needs make run-16 first." "$said"
prove "... and the others are drawn" [ -s "$folder/plots/gradients.svg" ]
prove "every line has the tokens that another tokenizer finds" \
    passes tokens_check "$program" 309 "$tmp/story/tokenizer.bin" "$tmp/other.bin" lessons/$lesson/README.md

# Other files, and tokenizers of other models.
opened() { # the program on $tmp/MODEL
    mkdir -p "$tmp/tables" && MODEL=$1 "$program" "$tmp/tables" </dev/null
}
broken() { # WHAT WORDS COMMAND: makes $tmp/broken/model.bin of $model/model.bin, which is $whole
    rm -rf "$tmp/broken" && mkdir "$tmp/broken" && cp "$model/tokenizer.bin" "$tmp/broken"
    whole=$model/model.bin
    (cd "$tmp/broken" && eval "$3")
    refuse "$1 is refused" "$2" opened "$tmp/broken/model.bin"
}
broken "a file that is not there" "cannot be read: No such file" :
broken "a folder" "a folder without stories15M.bin" 'mkdir model.bin'
broken "an empty file" "almost empty" ': >model.bin'
broken "a file that is cut off" "is cut off: it has 90000 of " 'head -c 90000 $whole >model.bin'
broken "a file that is too long" "has 4 bytes more than" '{ cat $whole && printf 1234; } >model.bin'
broken "a newer format" "--version 0" '{ printf 24ka && cat $whole; } >model.bin'
broken "GGUF" "format GGUF" '{ printf GGUF && cat $whole; } >model.bin'
broken "an archive" "ZIP" '{ printf "PK\003\004" && cat $whole; } >model.bin'
broken "a web page" "a web page" '{ echo "<!DOCTYPE html>" && cat $whole; } >model.bin'
broken "a pointer of Git LFS" "Git LFS" 'echo "version https://git-lfs.github.com/spec/v1 oid sha256:0" >model.bin'
broken "text" "are not the sizes of a Llama" 'yes story | head -c 100000 >model.bin'
broken "zeros" "are not the sizes of a Llama" 'head -c 100000 /dev/zero >model.bin'
tokenizer() { # WHAT WORDS COMMAND: makes $tmp/broken/tokenizer.bin of $whole
    rm -rf "$tmp/broken" && mkdir "$tmp/broken" && cp "$model/model.bin" "$tmp/broken"
    whole=$model/tokenizer.bin
    (cd "$tmp/broken" && eval "$3")
    refuse "$1 is refused" "$2" opened "$tmp/broken/model.bin"
}
tokenizer "a tokenizer that is cut off" "not the file of a tokenizer" 'head -c 2000 $whole >tokenizer.bin'
tokenizer "one with more tokens" "more tokens than the model" '{ cat $whole && printf 1234567890; } >tokenizer.bin'
tokenizer "an empty one" "it is empty" ': >tokenizer.bin'
tokenizer "one that is text" "not the file of a tokenizer" 'yes story | head -c 5000 >tokenizer.bin'
[ -e build/fetched/story/tokenizer.bin ] ||
    tokenizer "one that is not there" "cannot be read" ':'
cp "$model/tokenizer.bin" "$tmp/broken/tok309.bin"
echo >"$tmp/broken/tokenizer.bin"
prove "a tokenizer that is named after its size is found first" opened "$tmp/broken/model.bin"
no_model() {
    (cd "$tmp" && "$program" tables >"$said" 2>&1)
    [ $? = 4 ]
}
prove "without a model it is left out" no_model
prove "... and two lines say how to get one" sh -c "
    [ \$(wc -l <$said) = 2 ] && grep -q 'make story-model' $said && grep -q MODEL= $said"

# Typing.
try() {
    printf '%s\n' "$@" | run_make try-16 MODEL="$tmp/story" FROM=$from >"$said" 2>&1
}
mv "$tmp/story/model.bin" "$tmp/story/stories15M.bin"
hostile=$(printf '\377\376 \303\251 \360\237\230\200 \355\240\200 caf\303\251 \033[2J \200\200\200\200\200\200')
long=$(printf 'time and %.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30)
try "look 0.0" "Once" "look 2.5" "look 3.0" "look 2" "lens" "surprise" "without 1.1" "the time" "without" \
    "temperature 0" "temperature hot" "top 5" "p 0.5" "p 2" "seed 7" "seed x" "kind int8" "kind half" "Once" \
    "kind double" "tokens the" "tokens" "$hostile" "look at the end" "surprise" "$long $long $long" "?" "" "never read"
prove "make try-16 says that there is no text yet" says "There is no text yet." "$said"
prove "... draws the weights of a head" grep -q '^Layer 2, head 5: how much' "$said"
prove "... knows which heads there are" [ "$(grep -c 'The heads are called 0.0 to 2.5' "$said")" = 2 ]
prove "... shows what layers would say" grep -Eq '^  after +layer 0 +layer 1 +layer 2 +the end' "$said"
prove "... and how surprising each token was" says "The mean surprise of a token is" "$said"
prove "... and the tokens of a word" sh -c "grep -Eq '^  the +token +[0-9]+, score -' $said && grep -q '^Which word' $said"
prove "... and what a head adds" grep -q 'nats with all heads, and .* without this one' "$said"
prove "... refuses numbers that are none" [ "$(grep -c 'This must be a number from' "$said")" = 3 ]
prove "... and other kinds" says "It can compute with double, float or int8." "$said"
prove "... and texts that are too long" grep -q '^These are [0-9]* tokens, and a text has at most 90' "$said"
prove "... shows no byte that a terminal cannot show" sh -c "! LC_ALL=C grep -n '[[:cntrl:]]' $said && iconv -f utf-8 -t utf-8 $said"
prove "... takes a sentence for no command" grep -q '^look at the' "$said"
prove "... lists its commands" grep -q '^without 4.2 ' "$said"
prove "... and ends at an empty line" sh -c "! grep -q 'never read' $said"

# The speed.
run_make bench-16 MODEL="$tmp/story" SECONDS=0 FROM=$from >"$said" 2>&1
prove "make bench-16 has a line for each kind" sh -c "
    for kind in double float int8; do
        grep -Eq \"^\$kind +[0-9]+ +[0-9.]+ +[0-9.]+\$\" $said || exit 1
    done"
prove "... and one for each bare read, in 80 columns" sh -c "
    [ \$(grep -c 'a bare read of' $said) = 3 ] && ! grep -nE '.{80}|nan|inf ' $said"
refuse "SECONDS that are no number are refused" "SECONDS=x is no number" \
    run_make bench-16 MODEL="$tmp/story" SECONDS=x FROM=$from
mkdir -p "$tmp/llama2"
printf '%s\n' 'int main(int n, char **w) { return n != 10 || w[2][1] != 116; }' >"$tmp/llama2/run.c"
echo 'this is no C' >"$tmp/llama2/runq.c"
cp "$tmp/story/stories15M.bin" "$tmp/story/stories15M_q80.bin"
run_make bench-16 MODEL="$tmp/story" LLAMA2="$tmp/llama2" SECONDS=0 FROM=$from >"$said" 2>&1
prove "a run.c of llama2.c is compiled and measured" grep -q '^run.c -Ofast' "$said"
prove "... and one that does not compile is named" says "runq.c does not compile" "$said"
run_make bench-16 MODEL="$tmp/story" LLAMA2="$tmp" SECONDS=0 FROM=$from >"$said" 2>&1
prove "... and one that is not there" says "run.c cannot be read" "$said"

# Wrong code, and code that is not written yet.
cp "$from/$lesson/story.c" "$tmp/right.c"
sed 's/\(rotate(1, d, position\), rows_q/\1 + 1, rows_q/' "$tmp/right.c" >"$from/$lesson/story.c"
refuse "wrong code tells a story of its own" "So this is not the story of the model, but that of your code" \
    run_make run-16 MODEL="$tmp/story" FROM=$from
prove "... of which the beginning is enough" grep -q '^float: 80 tokens' "$said"
prove "... and then it is said what the tests find" says "make 16 on rope_attention_next():" "$said"
sed '/^void matrix_vector(/,/^}/ s/^    float sum = 0.0f;/    TODO("a sum");/; s/^    const int rows_ahead/    TODO("a sum");\n&/' \
    "$tmp/right.c" >"$from/$lesson/story.c"
refuse "before matrix_vector() is written the story is told in doubles" "matrix_vector() is not written yet" \
    run_make run-16 MODEL="$tmp/story" FROM=$from
prove "... up to its end" grep -q '^double: 90 tokens' "$said"
exit $failed
