# What lesson 10 says of its milestone holds at three seeds. `make test` leaves it out: see tower.sh.
. tests/suites/lib.sh

milestone 10-depth
# row NAME TEST: does the test hold for the row of this name? In it a, b and c are the shares right with
# 2, 4 and 8 layers, or of another training a.
row() {
    grep "^  $1 " "$said" | sed "s/^  $1 *//" | awk "{ a = \$1; b = \$2; c = \$3; good = $2 } END { exit !good }"
}
for seed in 1 2 3; do
    run SEED=$seed
    prove "seed $seed: pre-norm learns with 2, 4 and 8 layers" \
        row "pre-norm" "a >= 0.97 && b >= 0.97 && c >= 0.97"
    prove "... bare with 2, not with 4 or 8" row bare "a >= 0.9 && b <= 0.2 && c <= 0.2"
    prove "... so does norm only" row "norm only" "a >= 0.9 && b <= 0.2 && c <= 0.2"
    prove "... residual only with 2 and 4, not with 8" row "residual only" "a >= 0.9 && b >= 0.9 && c <= 0.2"
    prove "... and post-norm" row "post-norm" "a >= 0.9 && b >= 0.9 && c <= 0.2"
    for rate in .002 .05; do
        prove "... Adam learns at rate $rate, too" row "Adam at rate $rate" "a >= 0.9"
    done
    prove "... SGD at .3" row "SGD at rate .3" "a >= 0.97"
    prove "... but not at .05" row "SGD at rate .05" "a <= 0.5"
    prove "... and at 1 its loss is not a number" sh -c "grep -q '^  SGD at rate 1 .*not a number' $said"
    sed -n '/^Share of right/,$p' "$said"
done
exit $failed
