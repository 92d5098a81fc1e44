# The milestone of lesson 12 trains on the reference, for a short while: what it finds, and what it keeps.
# SUITES=sort_seeds trains it in full, at five seeds.
. tests/suites/lib.sh

milestone 12-decoder
if [ "${seeds:-}" ]; then
    quick= tables=$folder/run paces=5
    sorts="least >= 0.95" longer="twelve >= 0.9" unshifted=0.002 unmasked=0.02 looks=0.9
else # young networks; that holds at seeds 1 to 4
    quick=QUICK=1 paces=3
    sorts="five >= 0.3" longer="twelve >= 0.1" unshifted=0.004 unmasked=0.3 looks=0.6
fi
# of NETWORK TEST: does the test hold for its row: the loss, the share right at 5 letters, the least and the
# most of the shares at lengths that were trained on, and the share at 12?
of() {
    awk -F '"' -v network="$1" '$2 == network { print $3 }' "$tables/right.dat" | awk "
        { loss = \$1; five = least = most = \$2; twelve = \$6
          for (i = 3; i <= 5; i++) { if (\$i < least) least = \$i; if (\$i > most) most = \$i }
          good = $2 } END { exit !good }" || { cat "$tables/right.dat"; return 1; }
}
# heads TEST: does it hold for the shares of cases in which the largest weight is where it should be?
heads() {
    awk "NR == 2 { one = \$1; mean = \$2; for (i = 3; i <= 6; i++) if (\$i > best) best = \$i }
         END { exit !($1) }" "$tables/aligned.dat" || { cat "$tables/aligned.dat"; return 1; }
}

refuse "a seed that is no number is refused" "SEED=two is no number" run_make run-12 FROM=$from SEED=two
for seed in ${seeds:-1}; do
    run SEED="$seed" $quick
    for network in "four heads" "one head"; do
        prove "seed $seed: $network: sorts, writing alone" of "$network" "$sorts"
        [ "$network$quick" = "one headQUICK=1" ] ||
            prove "... two letters more than it was trained on, too" of "$network" "$longer"
    done
    prove "... not shifted: by far the smallest loss, and nothing right" of "not shifted" "loss <= $unshifted && most <= 0.05"
    prove "... no mask: a small one, and nothing right" of "no mask" "loss <= $unmasked && most <= 0.2"
    prove "... one head looks at the letter that it writes" heads "one >= $looks"
    prove "... of four none does alone; their mean does more" heads "best <= 0.8 && mean >= best + 0.05"
    prove "... a cache gives what the whole pass gives, from 16 words on" awk -v paces=$paces '
        NR > 1 { rows += $4 <= 1e-12 } END { exit rows != paces }' "$tables/cache.dat"
    sed -n '/^Words sorted/,/^SEED/p' "$said"
done
[ ! "${seeds:-}" ] || exit $failed

prove "our word is sorted by one that can, and by none that cannot" awk '
    /^  four heads .* aceikmrv$/ { good++ }
    /^  (not shifted|no mask) / && !/aceikmrv/ { bad++ } END { exit !(good == 1 && bad == 2) }' "$said"
prove "no line is longer than 80 letters" sh -c "! grep -n '.\{81\}' $said"
prove "the tables are there" sh -c "
    [ \$(wc -l <$tables/training.dat) = 41 ] && [ \$(wc -l <$tables/right.dat) = 5 ] || exit 1
    for head in one 1 2 3 4; do
        [ \$(wc -l <$tables/weights-\$head.dat) = 9 ] || exit 1
    done"
prove "the network's gradients are what nudging measures, and with its cache it writes what whole passes would" \
    passes sorter_check $folder/milestone
sh tests/suites/plots.sh $lesson $from || failed=1

# With one thread, to the last bit, except the clock.
same_tables() { # FOLDER FOLDER
    for table in training right aligned weights-one weights-1 weights-2 weights-3 weights-4; do
        cmp "$1/$table.dat" "$2/$table.dat" || return 1
    done
}
cp -R "$tables" "$tmp/first"
cp -R "$tables" "$folder/run" # stands for a run in full
run STEPS=4
cp -R "$tables" "$tmp/two"
(export OMP_NUM_THREADS=1 OMP_THREAD_LIMIT=1 && run STEPS=4)
prove "one thread trains the very networks of two" same_tables "$tmp/two" "$tables"
run STEPS=4 SEED=2
prove "another seed trains others" sh -c "! cmp -s $tmp/two/training.dat $tables/training.dat"

ctrl_c 12 "$tables/right.dat" 200 ": loss" \
    60 "[##################-" '^  four heads *0\.'
prove "... and kept: what got to its end is whole, and the rest has nan" awk '
    NR > 1 { for (i = 2; i <= 5; i++) steps[i] += $i ~ /^[0-9]/ }
    END { for (i = 2; i <= 5; i++) steps[i] == NR - 1 ? whole++ : cut++; exit !(whole && cut) }' "$tables/training.dat"

broken decoder cache_rows 's/h \* d + c\]/c * w->n_kv_heads + h]/'
prove "... and the tables of the run before are still there" same_tables "$tmp/first" "$folder/run"
exit $failed
