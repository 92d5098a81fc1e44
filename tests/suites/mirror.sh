# The milestone of lesson 09 trains on the reference, for a short while: which method solves which task. SUITES=mirror_seeds asks for more of four seeds, trained in full.
seeds=${2:-}
. tests/suites/lib.sh

milestone 09-positions
if [ "$seeds" ]; then
    tables=$folder/run mirrored=0.98 known=0.97 steady=0.8 apart=0.1 guess=0.12
else
    mirrored=0.5 known=0.45 steady=0.65 apart=0.15 guess=0.14 # young networks'
fi
# holds FILE ROW COLUMN TEST: of a number in a table.
holds() {
    awk "\$1 == \"$2\" { good = \$$3 $4 } END { exit !good }" "$tables/$1" ||
        { echo "$1, row $2: column $3 is not $4"; cat "$tables/$1"; return 1; }
}
mirror() { # WAY TEST: of the share of words right
    holds result.txt "$1" 2 "$2"
}
before() { # WORDS COLUMN TEST: nothing 2, learned 3, sinusoidal 4, RoPE 5, ALiBi 6, RoPE with 4 heads 7
    holds cliff.dat "$1" "$2" "$3"
}
both() { # COMMAND... -- COMMAND...
    first=
    while [ "$1" != -- ]; do
        first="$first '$1'"
        shift
    done
    shift
    eval "$first" && "$@"
}

refuse "a seed that is no number is refused" "SEED=two is no number" run_make run-09 FROM=$from SEED=two
for seed in ${seeds:-1}; do
    run SEED=$seed $([ "$seeds" ] || echo QUICK=1)
    sed -n '/^Share of right/,$p' "$said"
    for way in nothing RoPE; do
        prove "seed $seed: $way: the mirror is a guess among 11" both mirror $way '>= 0.07' -- mirror $way "<= $guess"
    done
    prove "... which costs no less than log 11" holds result.txt nothing 3 '>= log(11)'
    for way in learned sinusoidal; do
        prove "... $way: the mirror is right" mirror $way ">= $mirrored"
    done
    for column in 3 4 5 7; do
        prove "... column $column knows the word before, as far as it was trained" before 20 $column ">= $known"
    done
    for column in 3 4; do
        prove "... absolute ways do not stretch to 30 words: column $column" before 30 $column '<= 0.2'
    done
    prove "... RoPE does" before 30 5 '>= 0.85'
    prove "... with 4 heads not to 60" before 60 7 '<= 0.2'
    prove "... ALiBi is as good at 60 words as at 20" awk '
        $1 == 20 { short = $6 } $1 == 60 { long = $6 }
        END { exit !(short >= '$steady' && long >= short - '$apart' && long <= short + '$apart') }' "$tables/cliff.dat"
done
[ ! "$seeds" ] || exit $failed

prove "the network's gradients are what nudging measures, and the last word alone says the same" \
    passes network_check $folder/milestone
prove "the output says whose code it ran, and how far it is" sh -c "
    grep -q 'on solutions\|The reference replaces your code of' $said && grep -q '^\[###---------------------------\]  ' $said"
prove "the result fits in 80 columns" sh -c "! grep -n '.\{81\}' $said"
sh tests/suites/plots.sh $lesson $from || failed=1

# The same with one thread, to the last bit; and another seed is another training.
run STEPS=4
cp "$tables/cliff.dat" "$tmp/two"
OMP_NUM_THREADS=1 OMP_THREAD_LIMIT=1 run STEPS=4
prove "one thread finds what two find" cmp "$tmp/two" "$tables/cliff.dat"
run STEPS=4 SEED=2
prove "another seed finds something else" sh -c "! cmp -s $tmp/two $tables/cliff.dat"

# Ctrl-C, at a terminal.
ctrl_c 09 "$tables/cliff.dat" 200 "before: RoPE" \
    150 "[############---" '^RoPE  .* [01]\.[0-9]* *[^ ]*$'
prove "... and kept" holds cliff.dat 20 5 '>= 0.6'

# A lesson that is no longer right.
cp "$tables/cliff.dat" "$tmp/kept"
broken positions position_angle 's/= position \//= 1 + position \//; s/return position \//return 1 + position \//'
prove "... and the tables of the run before are still there" cmp "$tmp/kept" "$tables/cliff.dat"
exit $failed
