# The milestone of lesson 10 trains on the reference, for a short while: its eight layers, and a few steps of
# everything, which can be drawn. SUITES=tower_seeds trains it in full, at three seeds.
. tests/suites/lib.sh

milestone 10-depth

refuse "a seed that is no number is refused" "SEED=two is no number" run_make run-10 FROM=$from SEED=two
refuse "a depth above 12 is refused" "ONLY=13 is not a depth" run_make run-10 FROM=$from ONLY=13

run QUICK=1 ONLY=8
prove "eight layers learn with pre-norm" sh -c "
    awk '/^  pre-norm/ { good = \$2 >= 0.9 } END { exit !good }' $said"
prove "... and in none of the other four arrangements" sh -c "
    awk '/^  (bare|norm only|residual only|post-norm) / { rows += \$(NF - 1) <= 0.2 }
        END { exit rows != 4 }' $said"
prove "... and those without a residual connection learn nothing" sh -c "
    [ \$(grep -cE '^  (bare|norm only) .* 2\.4849\$' $said) = 2 ]"
cp "$tables/depth.dat" "$tmp/before"
run STEPS=4
prove "a short run says that it is one" says "Not the whole training: QUICK or STEPS." "$said"
prove "the table is no wider than 80 columns" sh -c "! grep -n '.\{81\}' $said"
prove "depth.dat has three depths and five shares" awk \
    'NR > 1 && NF == 6 { rows++ } END { exit rows != 3 }' "$tables/depth.dat"
# at FILE DEPTH TEST: does the test hold for the numbers of an untrained stack of so many layers?
at() {
    awk "\$1 == $2 { bare = \$2; norm = \$3; residual = \$4; after = \$5; before = \$6; good = $3 } END { exit !good }" \
        "$tables/$1"
}
prove "initialization: 8 layers make all words equal without a residual connection, and not with it" \
    at alike.dat 8 "bare > 0.9999 && norm > 0.9999 && residual < 0.9 && before < 0.7"
prove "... half-size matrices: the gradient vanishes in 12 bare layers, and not with a residual connection" \
    at gradients-half.dat 12 "bare < 1e-5 && residual > 0.9 && residual < 1.2 && before > 0.9 && before < 1.2"
prove "... full-size matrices: the gradient explodes with residual connections only, and not with pre-norm" \
    at gradients.dat 12 "residual > 1e3 && before < 5 && before > 1"
sh tests/suites/plots.sh $lesson $from || failed=1

cp "$tables/steps.dat" "$tmp/reference"
OMP_NUM_THREADS=1 OMP_THREAD_LIMIT=1 run STEPS=4
prove "one thread finds the very losses of two" cmp "$tmp/reference" "$tables/steps.dat"
prove "... which are not those of before" sh -c "! cmp -s $tmp/before $tables/depth.dat"

# Ctrl-C, at a terminal, while a stack is being trained.
ctrl_c 10 "$tables/steps.dat" 60 "8 layers" \
    40 "4 layers" '^  SGD at rate \.3  *- '
prove "... and kept: steps.dat has numbers, and nan for what was not trained" awk \
    'NR > 1 { adam += $2 ~ /^[0-9]/; sgd += $6 ~ /^[0-9]/ } END { exit !(adam > 0 && sgd == 0) }' "$tables/steps.dat"

cp "$tables/depth.dat" "$tmp/before"
broken depth adam_step 's/parameter\[i\] -= /parameter[i] += /' QUICK=1
prove "... and the tables of the run before are still there" cmp "$tmp/before" "$tables/depth.dat"
exit $failed
