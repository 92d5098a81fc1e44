# What lesson 13 says of its milestone holds at three seeds. `make test` leaves it out: see writer.sh.
. tests/suites/lib.sh

copy_solutions
tables=$out/13-transformer/run
at() { # COLUMN TEST LENGTH...: does the test hold at these lengths?
    column=$1
    holds=$2
    shift 2
    for length; do
        awk "\$1 == $length { good = \$$column $holds } END { exit !good }" "$tables/accuracy.dat" ||
            { echo "column $column at $length words: not $holds"; return 1; }
    done
}
# told LINE COLUMN TEST: the same of a line that the run printed.
told() {
    grep "^ *$1" "$said" | tail -1 | awk "{ good = \$$2 $3 } END { exit !good }"
}
for seed in 1 2 3; do
    run_make run-13 FROM=$from SEED=$seed >"$said" 2>&1
    prove "seed $seed: the writer's loss is at most .03 nats per character above the grammar's, and never below" \
        told "Held-out loss" 10 '> 0 && $10 <= 0.03'
    prove "... top-p .95 is grammatical in .95 of all lines" told "top-p 0.95" 3 '>= 0.95'
    prove "... and more often than temperature 1" sh -c "
        awk '/^\"top-p 0.95/ { p = \$3 } /^\"temperature 1\"/ { t = \$3 } END { exit !(p > t) }' $tables/speak.dat"
    prove "... greedy writes one line" told greedy 3 '== 0'
    prove "... the dates are right to the last digit in .97 of all cases" told dates 2 '>= 0.97'
    prove "... sentences of up to 15 words in .95" at 2 '>= 0.95' 5 10 15
    prove "... of 20 words in .9" at 2 '>= 0.9' 20
    prove "... and of 25 and 30, longer than any in training, in at most .05" at 2 '<= 0.05' 25 30
    sed -n '/^Held-out loss/,$p' "$said"
done
exit $failed
