# The milestone of lesson 15 on several processes: what they find, and what is said when one is lost.
. tests/suites/lib.sh

milestone 15-ring
program=$PWD/$folder/milestone
if ! command -v mpicc >/dev/null || ! command -v mpirun >/dev/null; then
    left "run-15: Open MPI is not here"
    exit $failed
fi
# Where ranks of one machine share memory; else that would be /dev/shm, for all who are at work here.
mkdir "$tmp/shared"
export NO_COLOR=1 OMPI_MCA_btl_vader_backing_directory="$tmp/shared"

# column NAME: its number in the table of the ranks.
column() {
    awk -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) print i }' "$tables/ranks.dat"
}
# each TEST NAME: does the test hold for the number x of the column and the ranks of each row?
each() {
    awk -v column="$(column "$2")" "NR > 1 { rows++; ranks = \$1; x = \$column; if (!($1)) exit 1 }
        END { exit rows != 4 }" "$tables/ranks.dat" || { cat "$tables/ranks.dat"; return 1; }
}
run_make run-15 FROM=$from RANKS=8 STEPS=2 >"$said" 2>&1
prove "1, 2, 4 and 8 ranks are as one, to a millionth of the largest number" each "x <= 1e-6" off
prove "... and so are gradients, to two" each "x <= 2e-6" off_back
prove "a rank sends every block but one, of 1024 tokens" each "x == (1 - 1 / ranks) * 1.048576 || \
    (x / ((1 - 1 / ranks) * 1.048576) - 1) ^ 2 < 1e-6" sent
prove "the model knows what is measured, but for one rank" each "(ranks == 1) == (x == 0)" predicted
prove "a rank of 8 has less memory than a rank alone" awk -v column="$(column memory)" \
    'NR == 2 { alone = $column } { x = $column } END { exit !(x < alone) }' "$tables/ranks.dat"
prove "they learn together, each with the same weights" says "8 ranks of at most 64 MB: " "$said"
prove "no line is longer than 80 letters" sh -c "! grep -n '.\{81\}' $said"

# Processes that train without an end; the last gets a signal once all are there.
nothing_runs() {
    ! pgrep -f "^$program "
}
nothing_is_shared() {
    grep . "$tmp/segments" && [ -z "$(ls "$tmp/shared")" ]
}
lose() { # SIGNAL PATIENCE: enough for all to be there, on a busy machine, too
    (
        cd "$tmp" && RANKS=3 STEPS=1000000 RING_PATIENCE=$2 timeout 900 sh "$OLDPWD/lessons/$lesson/milestone/launch.sh" \
            learn "$program" "$tmp" >"$said" 2>&1
        echo "status $?" >>"$said"
    ) &
    tries=0
    while [ ! -e "$tmp/learning.dat" ] && [ $tries -lt 9000 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    ls "$tmp/shared" >"$tmp/segments"
    kill -s "$1" "$(pgrep -f "^$program learn $tmp" | tail -n 1)"
    wait
    rm "$tmp/learning.dat"
}
lose KILL 300
prove "a rank that is killed is reported by its number" grep -q 'rank [0-2] .*signal 9' "$said"
prove "... and so is the end of the run" says "With 3 ranks the run ended too early" "$said"
prove "... nothing is left running" nothing_runs
prove "... nor any of the memory that they shared" nothing_is_shared
lose STOP 20
prove "a rank that waits for one that hangs reports it, with its number" \
    grep -q 'Rank [0-2] has waited 20 s for rank [0-2] or rank [0-2], which may hang' "$said"
prove "... and the run has ended" sh -c "grep -q 'status 3' $said"
prove "... and nothing is left running" nothing_runs
prove "... nor any of the memory that they shared" nothing_is_shared
# One that never comes as far as MPI_Init(), in which the others wait for it.
cat >"$tmp/stops" <<END
#!/bin/sh
[ "\$OMPI_COMM_WORLD_RANK" != 1 ] || kill -s STOP \$\$
exec $program "\$@"
END
chmod +x "$tmp/stops"
mkdir -p "$tmp/never"
never() {
    RANKS=3 QUICK=1 RING_PATIENCE=1 timeout 900 sh "lessons/$lesson/milestone/launch.sh" run "$tmp/stops" "$tmp/never"
}
refuse "a rank that hangs before all are there is noticed" "s in MPI_Init(): another one may hang." never
prove "... and the run has ended" says "With 2 ranks the run ended too early (status 3)" "$said"
prove "... and nothing is left running" sh -c "! pgrep -f '^(/bin/sh )?$tmp/stops'"
refuse "no number of ranks is refused" "RANKS=four: how many processes?" run_make run-15 FROM=$from RANKS=four
exit $failed
