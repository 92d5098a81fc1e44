# One table of all benches, and lesson 13 on the attention of lesson 14: their form, and what they compute;
# not how fast it is.
. tests/suites/lib.sh

milestone 13-transformer
run() { # COMMAND SETTING...
    run_make "$@" FROM=$from >"$said" 2>&1
}

# The shortest of each.
run_make bench FROM=$from SECONDS=0 ROUNDS=1 T=64 >"$said" 2>"$tmp/progress"
prove "make bench names the machine and its load" sh -c "
    grep -q ' cores; ' $said && grep -q '^The machine.s load was [0-9.]*, and [0-9.]* in the end[.]' $said"
prove "... and has numbers for the loop, for 07, 13 and 14, and for 13 with 14" sh -c "
    for title in make '07 Seq' '13 The' '13 with 14' '14 Fast'; do
        grep -Eq \"^\$title.* [0-9.]+ (ms|words/s|GF/s)\" $said || { echo \$title; exit 1; }
    done"
prove "... of each mask and both ways" sh -c "
    for what in flash 'flash, backward' 'flash, causal' 'flash, backward, causal'; do
        grep -Eq \"^ +\$what +[0-9.]+ GF/s +[0-9.]+\$\" $said || { echo \$what; exit 1; }
    done"
prove "... of the length that was asked for" says "T = 64" "$said"
# Lesson 16 needs a model, which make story-model fetches.
prove "... on a screen of 80 columns and 24 lines" sh -c "
    ! grep -v 'make bench-16 says why' $said | grep -nE '.{81}|nan|inf |says why' && [ \$(wc -l <$said) -le 24 ]"

# The same network with the attention of both.
losses() { # FOLDER
    for course in writer dates translation; do
        sed 1d "$folder/$1/training-$course.dat"
    done
}
run run-13 STEPS=3
losses run-quick >"$tmp/doubles"
run run-13 WITH=14 STEPS=3
losses run-with-14-quick >"$tmp/floats"
prove "with lesson 14 the first steps lose what they lose without, to 1e-6 of it, and not exactly" sh -c "
    [ -s $tmp/doubles ] && ! cmp -s $tmp/doubles $tmp/floats && paste $tmp/doubles $tmp/floats | awk '
    { off = \$5 / \$2 - 1; if (\$1 != \$4 || off * off > 1e-12) { print; bad = 1 } } END { exit bad || NR != 9 }'"
run bench-13 WITH=14
prove "... and a text of any length gets the same gradients, to a millionth of the largest" awk '
    /^a text of/ { rows++; good += $(NF - 1) < 1e-6 && $NF < 1e-6 && $NF > 0 } END { exit !(rows == 3 && good == 3) }' "$said"
prove "... which is told in 80 columns" sh -c "! grep -v '^Milestone' $said | grep -nE '.{81}|nan'"
refuse "a lesson without anything for 13 is refused" "Lesson 13 has nothing for WITH=12." \
    run_make run-13 FROM=$from WITH=12
exit $failed
