# The milestone of lesson 06 trains on the reference, and its runs are kept for the plots. SUITES=it_seeds
# trains it at five seeds.
. tests/suites/lib.sh

milestone 06-self-attention
tables=$folder/run
mkdir -p "$tmp/stubs/06-self-attention"
sh common/make/stubs.sh print 06-self-attention >"$tmp/stubs/06-self-attention/self_attention.c"
refuse "make run-06 before the lesson is passed names what is missing" "First: project" \
    run_make run-06 FROM="${tmp#"$PWD"/}/stubs"
refuse "a seed that is no number is refused" "SEED=two is no number" \
    run_make run-06 FROM=$from SEED=two
for seed in ${seeds:-1}; do
    run SEED=$seed
    prove "seed $seed: the head is right on all sentences about pairs that it never saw" \
        says "trained 100.0 %" "$said"
    prove "... and the fixed dot product guesses" sh -c "
        share=\$(sed -n 's/.*fixed dot product \([0-9]*\)\..*/\1/p' $said)
        [ \"\$share\" -gt 35 ] && [ \"\$share\" -lt 65 ]"
done
[ ! "${seeds:-}" ] || exit $failed

prove "the output says whose code it ran" says "The reference replaces your code of" "$said"
prove "... and shows how far it is, in lines where nobody looks" sh -c "
    grep -q '^\[###---------------------------\]  loss' $said && ! grep -q \"\$(printf '\r')\" $said"
prove "the tables are there" sh -c "
    [ \$(wc -l <$tables/training.dat) = 61 ] && [ \$(wc -l <$tables/warm.dat) = 4 ] &&
    [ \$(wc -l <$tables/tired.dat) = 4 ] && [ \$(wc -l <$tables/warm_steps.dat) = 62 ]"
prove "... the steps of the training begin before it, and end after it" sh -c "
    for ending in warm tired; do
        sed -n '2p;4p' $tables/\$ending.dat | cut -d ' ' -f 2- >$tmp/ends
        sed -n '2p;62p' $tables/\${ending}_steps.dat | cut -d ' ' -f 2- | cmp - $tmp/ends || exit 1
    done"
prove "... and what the page is made of" kept_for_the_page 06 "$tables"
cp "$tables/training.dat" "$tmp/first"
run SEED=1
prove "the same seed trains the same head" cmp "$tmp/first" "$tables/training.dat"
broken self_attention sgd_step 's/-= learning_rate/+= learning_rate/'
prove "... and the tables of the run before are still there" cmp "$tmp/first" "$tables/training.dat"
copy_tree "$tmp/clone"
tar cf - "$LOOKBACK_OBJECTS/config" "$LOOKBACK_OBJECTS/flags" "$LOOKBACK_OBJECTS"/unity.* "$LOOKBACK_OBJECTS/common" \
    "$LOOKBACK_OBJECTS/tests" "$LOOKBACK_OBJECTS/solutions" "$LOOKBACK_OBJECTS/fast" |
    (cd "$tmp/clone" && tar xf - && touch "$LOOKBACK_OBJECTS/config")
# To compile the tutor takes a second: asked for it, this compiler brings the one that has been.
compiler=${LOOKBACK_CC%% *}
mkdir "$tmp/bin"
cat >"$tmp/bin/${compiler##*/}" <<SH
#!/bin/sh
case " \$* " in
*" common/tutor/tutor.c "*)
    while [ "\$1" != -o ]; do shift; done
    exec cp "$PWD/$LOOKBACK_TUTOR" "\$2"
    ;;
esac
exec "$(command -v "$compiler")" "\$@"
SH
chmod +x "$tmp/bin/"*
prove "before there is a tutor it is a first command like any other" sh -c "
    cd $tmp/clone && . common/make/lib.sh && run_make run-06 FROM=solutions STEPS=20 PATH='$tmp/bin:$PATH' &&
    cmp build/tutor '$PWD/$LOOKBACK_TUTOR'"
exit $failed
