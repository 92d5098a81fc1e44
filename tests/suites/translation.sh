# The milestone of lesson 07 trains on the reference, for a short while; what it keeps can be drawn and
# tried. SUITES=translation_seeds trains it in full.
. tests/suites/lib.sh

milestone 07-seq2seq

run QUICK=1
prove "the networks' gradients are what nudging measures" passes network_check $folder/milestone
prove "a short run says what it trained" says "Share of sentences with every word right" "$said"
prove "what the page is made of is there" kept_for_the_page 07 "$tables"
# share NETWORK COLUMN: of the table of what looked where.
share() {
    grep "^  $1 " "$said" | tail -1 | awk -v column="$2" '{ print int(100 * $column) }'
}
prove "attention-20 looks at the word that it translates, in 70 of 100 cases and more" sh -c \
    "[ $(share attention-20 3) -ge 70 ]"
prove "... and translates sentences of 10 words, four in ten and more, with a fixed vector none" awk \
    '$1 == 10 { good = $3 >= 0.4 && $2 <= 0.1 } END { exit !good }' "$tables/accuracy.dat"
prove "... and most dates come out right" awk \
    '/^Dates right/ { good = $7 >= 0.6 } END { exit !good }' "$said"
prove "accuracy.dat has ten lengths and eight shares" awk \
    'NR > 1 && NF == 9 { rows++ } END { exit rows != 10 }' "$tables/accuracy.dat"
prove "a network that knows nothing loses the logarithm of its 112 words" awk \
    'NR == 2 { exit !($2 > 0.8 * log(112) && $2 < 1.1 * log(112)) }' "$tables/training-fixed-40.dat"
sh tests/suites/plots.sh $lesson $from || failed=1

# The same steps with other code: the same losses, apart from rounding.
losses() {
    for table in "$1"/run-quick/training-*.dat; do
        awk 'NR > 1 { print $2 }' "$table"
    done
}
run STEPS=4
losses "$folder" >"$tmp/reference"
OMP_NUM_THREADS=1 OMP_THREAD_LIMIT=1 run STEPS=4
losses "$folder" >"$tmp/one-thread"
prove "one thread finds the very losses of two" cmp "$tmp/reference" "$tmp/one-thread"
other=build/tmp/translation/otherwise
mkdir -p $other/$lesson
sed 's/for (int c = 0; c < d; c++)/for (int c = d - 1; c >= 0; c--)/
     s/1\.0 \/ (1\.0 + exp(-\(.*\) - \(.*\)));/0.5 + 0.5 * tanh(0.5 * (\1 + \2));/
     s/tanh(gates\(.*\));/1.0 - 2.0 \/ (exp(2.0 * (gates\1)) + 1.0);/' \
    solutions/$lesson/seq2seq.c >$other/$lesson/seq2seq.c
prove "another right solution has other lines" sh -c \
    "[ \$(diff solutions/$lesson/seq2seq.c $other/$lesson/seq2seq.c | grep -c '^>') = 5 ]"
run_make run-07 FROM=$other STEPS=4 >"$said" 2>&1
losses build/from/$other/$lesson >"$tmp/losses"
prove "... and trains with the same losses to 1e-9" sh -c "
    paste $tmp/reference $tmp/losses | awk '
        { d = \$1 - \$2; if (d < 0) d = -d; if (!(d <= 1e-9 * \$1)) bad++; rows++ }
        END { exit bad || rows != 24 }'"

# Trying, with the networks of the short run.
try() {
    printf '%s\n' "$@" | run_make try-07 QUICK=1 FROM=$from >"$said" 2>&1
}
try "the young cat saw a red house" "the unicorn sees Anna" "3 may 2021 #" "" "never read"
prove "make try-07 writes a word a line, with its weights" \
    grep -q '^  [a-z]*  *[ .:=+*#%@-]*  [a-z]* 0\.' "$said"
prove "... names a word that it does not know" says "It does not know 'unicorn'." "$said"
prove "... and a letter" says "It does not know '#'." "$said"
prove "... in 80 columns" sh -c "! grep -n '.\{81\}' $said"
rm "$tables/dates.model"
export STEPS=4
try ""
unset STEPS
prove "... and trains a network first if there is none" sh -c "
    grep -q 'dates  *[0-9]' $said && [ -f $tables/dates.model ]"

# Damaged model files: one line, and nothing is loaded.
model=$tables/dates.model
cp "$model" "$tmp/whole"
size=$(wc -c <"$tmp/whole")
broken() {
    refuse "a model that $1 is refused" "dates.model $2" sh -c \
        "echo 3 may 2021 | QUICK=1 $folder/milestone try $tables"
    prove "... in one line" sh -c "[ \$(grep -c 'dates.model' $said) = 1 ] && ! grep -q '2021' $said"
    cp "$tmp/whole" "$model"
}
# change FROM_BYTE TEXT: writes over some bytes.
change() {
    printf "$2" | dd of="$model" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
change $((size / 2)) lookback
broken "has a few other bytes" "is damaged"
head -c $((size / 2)) "$tmp/whole" >"$model"
broken "ends early" "is cut off"
head -c 30 "$tmp/whole" >"$model"
broken "has hardly begun" "is cut off"
cp "$tmp/whole" "$model" && echo more >>"$model"
broken "goes on" "is damaged"
echo "hello" >"$model"
broken "is some text" "is no model"
: >"$model"
broken "is empty" "is no model"
change 12 '\002'
broken "is of another version" "is of another version"
change 8 '\001\002\003\004'
broken "has its bytes the other way round" "comes from a machine"
cp "$tables/attention-20.model" "$model"
broken "was trained for another task" "was trained for another task"

# Ctrl-C, at a terminal, when a training has begun.
ctrl_c 07 "$tables/accuracy.dat" 90 fixed-20 \
    40 attention-20 '^  fixed-20 .* 0\.'
prove "... and kept: accuracy.dat has numbers, and nan for what was not trained" awk \
    '$1 == 10 { good = $2 ~ /^[0-9]/ && $5 == "nan" } END { exit !good }' "$tables/accuracy.dat"
exit $failed
