# The milestone of lesson 08 trains on the reference: what it finds, and what it keeps. SUITES=who_seeds does
# it at five seeds.
. tests/suites/lib.sh

milestone 08-multi-head
tables=$folder/run
# marks NAME TEST: does the test hold for a network's line, with right for the share of answers that are?
marks() {
    sed -n "s/^  $1  *\([0-9]\)/\1/p" "$said" | awk "{ right = (\$1 + \$2) / 2; good = $2 } END { exit !good }"
}
# looks FILE TEST: does it for the last line of a network's table?
looks() {
    awk "NR == 1 { for (i = 1; i <= NF; i++) of[\$i] = i }
         END { who_0 = \$of[\"who_0\"]; whom_0 = \$of[\"whom_0\"]
               who_1 = \$of[\"who_1\"]; whom_1 = \$of[\"whom_1\"]; exit !($2) }" "$tables/$1.dat"
}
each_its_own="who_0 >= 0.9 && whom_1 >= 0.9 || whom_0 >= 0.9 && who_1 >= 0.9"
for seed in ${seeds:-1}; do
    run SEED="$seed"
    prove "seed $seed: one head gives at most .70 of the answers" marks "one head of 48" "right <= 0.7"
    prove "... since it mixes up who and whom: most of the rest" marks "one head of 48" "right + \$4 >= 0.95"
    prove "... two heads give .99" marks "two heads of 24" "right >= 0.99"
    prove "... and look at one of the two each, with .9 of their weight" looks two "$each_its_own"
    prove "... two heads on the same keys and values do, too" marks "two, keys shared" "right >= 0.99 && \$6 == 9216"
    prove "... each in its own place" looks shared "$each_its_own"
    prove "... and the trick of one head lies between" marks "one, nouns in keys" "right > 0.75 && right < 0.95"
    sed -n '/^Share of/,/^SEED/p' "$said"
done
[ ! "${seeds:-}" ] || exit $failed

prove "two heads notice that the cat and the dog change places" \
    grep -q '^  two heads of 24 *who: cat, whom: dog *who: dog, whom: cat$' "$said"
prove "no line is longer than 80 letters" sh -c "! grep -n '.\{81\}' $said"
prove "the tables have a row for each of fifty moments, and one for the end" sh -c "
    for table in one two shared trick; do
        [ \$(wc -l <$tables/\$table.dat) = 52 ] || exit 1
    done && [ \$(wc -l <$tables/weights.dat) = 4 ]"
prove "... and what the page is made of is there" kept_for_the_page 08 "$tables"
prove "networks that know nothing lose the logarithm of 24 nouns" awk \
    'NR == 2 { d = $4 - log(24); exit !(d < 1e-9 && d > -1e-9) }' "$tables/two.dat"
cp -R "$tables" "$tmp/first"
# The stamp holds times, and is the same only by chance.
same_tables() { # as which are kept, and where now
    for table in "$folder/${2:-run}"/*.dat "$folder/${2:-run}"/result.txt; do
        cmp "$table" "$tmp/${1:-first}/${table##*/}" || return 1
    done
}
refuse "a seed that is no number is refused" "SEED=two is no number" run_make run-08 FROM=$from SEED=two
prove "... and the tables are those of the run before" same_tables
run STEPS=4
mv "$folder/run-quick" "$tmp/two-threads"
OMP_NUM_THREADS=1 OMP_THREAD_LIMIT=1 run STEPS=4
prove "one thread trains the very networks of two" same_tables two-threads run-quick
rm -r "$folder/run-quick"

steps=2000 stop_at "###-" run-08 FROM=$from
prove "Ctrl-C ends the training, and what there is is examined" \
    stopped '^  one head of 48 *0\.' '^  one, nouns in keys *-'
prove "... and kept, for there was nothing" [ -f "$folder/run-quick/two.dat" ]
cp "$folder/run-quick/one.dat" "$tmp/before"
steps=100000 stop_at "four networks" run-08 FROM=$from
prove "... the next time it is not: nothing was trained to its end" \
    stopped_too_early "$tmp/before" "$folder/run-quick/one.dat"
broken multi_head merge_heads 's/h \* d_head + c\] = heads/c * n_heads + h] = heads/'
prove "... and the tables of the run before are still there" same_tables
exit $failed
