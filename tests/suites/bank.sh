# The milestone of lesson 11 trains on the reference, for a third of its steps, on half as many sentences: what it finds, and what it
# keeps. SUITES=bank_seeds trains it in full, at five seeds.
. tests/suites/lib.sh

milestone 11-encoder
if [ "${seeds:-}" ]; then
    steps= near=0.07 off=0.03 apart=0.2
else
    steps=STEPS=200 near=0.14 off=0.07 apart=0.1 # a young network's; they hold at seeds 1 to 4
fi
# marks NAME TEST: does the test hold for a line of the result?
marks() {
    sed -n "s/^  $1  *\([0-9]\)/\1/p" "$said" |
        awk "{ gap = \$1; bank = \$2; right = \$3; same = \$4; other = \$5; good = $2 } END { exit !good }"
}
# before TEST: the same for the line of the words before the blocks, which has no losses.
before() {
    sed -n "s/^  before the blocks  *\([0-9]\)/\1/p" "$said" |
        awk "{ right = \$1; same = \$2; other = \$3; good = $1 } END { exit !good }"
}
floor="log(8) - 0.03" # of a thousand answers or less: chance is in it
for seed in ${seeds:-1}; do
    run SEED="$seed" $steps
    prove "seed $seed: the embedding of a word does not depend on the topic" before "right == 0.5 && same == 1 && other == 1"
    prove "... after two blocks, the nearest noun is right in 98 of 100 sentences" marks "both" "right >= 0.98"
    prove "... at a loss within $near of log 8" marks "both" \
        "bank < log(8) + $near && gap < log(8) + $near && bank > $floor && gap > $floor"
    prove "... and the vectors of a word differ by topic" marks "both" "same >= 0.95 && other <= 0.2"
    prove "... only attention is enough for that" marks "only attention" "right >= 0.98 && bank < log(8) + $near"
    prove "... only feed-forward is not, with a loss within $off of log 16" marks "only feed-forward" \
        "right == 0.5 && other == 1 && bank > log(16) - $off && bank < log(16) + $off && gap > log(16) - $off"
    prove "... trained at the gap only, the answers at the gap are good and the others are not" marks "both, at the gap only" \
        "gap < log(8) + $near && bank > log(8) + 0.15 && other > $apart"
    sed -n '/loss at/,/^SEED/p' "$said"
done
[ ! "${seeds:-}" ] || exit $failed

prove "a short run says that it is one" says "Not the whole training: QUICK or STEPS." "$said"
prove "no line is longer than 80 letters" sh -c "! grep -n '.\{81\}' $said"
prove "the nouns nearest to the bank of the river are about water, the others about money" sh -c "
    grep -q '^  the .* floods .* river  *[ ,a-z]*\(fish\|shore\|wave\|lake\|boat\|river\|net\|stone\)' $said &&
    ! grep -E '^  the .* floods .* river .*(broker|account|market|client|lender|price|profit|bond)' $said &&
    grep -qE '^  the .* pays .* broker .*(broker|account|market|client|lender|price|profit|bond),' $said"
prove "the numbers are those of the text's formula: 2 blocks, and 47 words of 32" \
    says "4 networks of $((2 * (4 * 32 * 32 + 2 * 32 * 64 + 5 * 32 + 64) + 47 * 32)) numbers" "$said"
prove "bank.dat has 400 words, each in one position before the blocks and in two after them" awk '
    NR > 1 { rows++; apart += ($6 > 0.5) != $3; place[$1] = $4 } NR > 1 && $4 != place[$1] { moved = 1 }
    END { exit rows != 400 || apart > 8 || moved }' "$tables/bank.dat"
prove "loss.dat and gradients.dat have a row for each of 60 moments" sh -c "
    [ \$(wc -l <$tables/loss.dat) = 61 ] && [ \$(wc -l <$tables/gradients.dat) = 61 ]"
prove "the numbers of the page are there" kept_for_the_page 11 "$tables"
sh tests/suites/plots.sh $lesson $from || failed=1
# These replace a run in full.
mv "$tables" "$folder/run"
cp -R "$folder/run" "$tmp/first"
# The stamp holds times, and is the same only by chance.
same_tables() {
    for table in "$folder"/run/*.dat "$folder"/run/result.txt; do
        cmp "$table" "$tmp/first/${table##*/}" || return 1
    done
}
run STEPS=4
cp -R "$tables" "$tmp/two"
(export OMP_NUM_THREADS=1 OMP_THREAD_LIMIT=1 && run STEPS=4)
prove "one thread trains the very networks of two" sh -c "
    cd $tmp/two && for table in *.dat *.txt; do
        cmp \$table $PWD/$tables/\$table || exit 1
    done"
refuse "a seed that is no number is refused" "SEED=two is no number" run_make run-11 FROM=$from SEED=two

# Ctrl-C, at a terminal.
ctrl_c 11 "$tables/loss.dat" 100000 "4 networks" \
    120 "only feed-forward" '^  both *2\.'
prove "... and kept" sh -c "! cmp -s $tmp/two/loss.dat $tables/loss.dat"
prove "the run in full has lost nothing by all that" same_tables

broken encoder feed_forward_backward 's/if (hidden\[i\]\[c\] == 0.0)/if (0)/'
prove "... and the tables of the run before are still there" same_tables
exit $failed
