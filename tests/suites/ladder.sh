# The milestone of lesson 14 measures the reference: not for long, so that nothing here is about speed.
. tests/suites/lib.sh

milestone 14-fast
tables=$folder/run
measured() { # COMMAND SETTING...
    run_make "$@" FROM=$from SECONDS=0 >"$said" 2>&1
}
# Without the peers that may be installed: for each name that peers.c tries there is an empty file, which is
# no library, and the module torch cannot be imported.
alone() {
    mkdir -p "$tmp/none"
    for name in $(grep -o 'libopenblas[^"]*' lessons/$lesson/milestone/peers.c); do
        : >"$tmp/none/$name"
    done
    echo 'raise ImportError' >"$tmp/none/torch.py"
    LD_LIBRARY_PATH=$tmp/none PYTHONPATH=$tmp/none "$@"
}

for setting in T=0 T=abc T=65537 H=0 CAUSAL=2 THREADS=0 SECONDS=-1 T=1e3x; do
    refuse "$setting is refused" "${setting%=*}=${setting#*=} is no number from" run_make bench-14 FROM=$from $setting
done
measured bench-14 T=100 H=1
prove "a length is measured that is no multiple of anything" sh -c "
    grep -q '^  100 tokens .*causal' $said && grep -q '^flash  *[0-9.]* ' $said"
prove "... with each version in its line, and a number for both masks" sh -c "
    for version in 'bare multiply-adds' naive ordered online tiled flash 'flash, backward'; do
        grep -Eq \"^\$version( +[0-9]+[.][0-9]+){8}\$\" $said || { echo \$version; exit 1; }
    done"
prove "... and less than 1 MB besides inputs and outputs, for 2048 tokens, where weights take 134" \
    awk '/^MB besides/ { good = $(NF - 3) < 1 && $(NF - 1) < 1 } END { exit !good }' "$said"
prove "... in 80 columns, without a word for what is no number" sh -c "! grep -nE '.{81}|nan|inf ' $said"
alone measured bench-14 T=64 CAUSAL=1
prove "one mask alone leaves the other's columns empty" grep -Eq '^flash( +-){4}( +[0-9]+[.][0-9]+){4}$' "$said"
alone measured bench-14 T=64
prove "without OpenBLAS it says what it is called" says "no OpenBLAS (libopenblas0)" "$said"
prove "... and that it has not run" grep -Eq '^OpenBLAS( +-){8}$' "$said"
alone measured run-14 T=64
prove "make run-14 keeps the tables for the plots" sh -c "
    [ \$(wc -l <$tables/ladder.dat) = 11 ] && [ \$(wc -l <$tables/time.dat) = 2 ] &&
    [ \$(wc -l <$tables/decode.dat) = 2 ]"
prove "... and what the report shows" says "MB besides inputs and outputs" "$tables/result.txt"
sh tests/suites/plots.sh $lesson $from || failed=1
alone stop_at "tokens" run-14 FROM=$from SECONDS=0
prove "Ctrl-C ends it, and keeps the tables of the run before" sh -c "
    grep -q 'Stopped before the end, so nothing is reported.' $said && [ \$(wc -l <$tables/ladder.dat) = 11 ]"
# Threads that compute other numbers are reported before anything is measured. A race is lost at some times only: here
# the number of threads is added to a gradient.
sed '1i #include <omp.h>
    /^void flash_attention_backward(/,/^}/ s/^ *const int group.*/&\n    d_V[0][0][0] += (float)omp_get_max_threads();/' \
    solutions/$lesson/fast.c >"$tmp/threads.c"
common=$(for part in columns memory progress random room shade todo trainer typed; do ls common/nn/$part.c common/testing/$part.c 2>/dev/null; done)
case $LOOKBACK_FAST_CFLAGS in
*-fopenmp\ * | *-fopenmp)
    prove "threads that give other numbers than one are told" sh -c "
        $LOOKBACK_CC $LOOKBACK_FAST_CFLAGS -w $tmp/threads.c lessons/$lesson/milestone.c lessons/$lesson/milestone/*.c \
            $(echo $common) -o $tmp/threads $LOOKBACK_LDLIBS &&
            ! SECONDS=0 T=64 $tmp/threads bench $tmp >$tmp/threads.said 2>&1 &&
            grep -q 'threads give a different d_V' $tmp/threads.said" ;;
esac
exit $failed
