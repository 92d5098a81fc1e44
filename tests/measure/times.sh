#!/bin/sh
# times.sh: prints how many seconds each command takes on finished lessons: the median of three runs, or one run if it
# is long. In a copy of the tree, built beforehand.
set -u
. common/make/lib.sh
. tests/copies.sh
rm -rf build/times
copy_tree build/times/proven
copy_tree build/times/tree
cp -R solutions/* build/times/tree/lessons/
cd build/times/tree || exit 1

# seconds COMMAND...: of one run, to a hundredth.
seconds() {
    began=$(date +%s.%N)
    "$@" >/dev/null 2>&1 </dev/null
    date +%s.%N | awk -v began="$began" '{ printf "%.2f\n", $1 - began }'
}
# Once to build and draw what there is to be built and drawn, then three times to be measured.
measure() {
    [ "$times" = 1 ] || run_make "$@" >/dev/null 2>&1 </dev/null
    for i in $(seq $times); do
        seconds run_make "$@"
    done | sort -n | sed -n "$(((times + 1) / 2))p" | awk -v what="make $*" '
        { sub(/ SHOW=1/, "", what); printf "%s\t%s\n", what, $1 < 10 ? $1 : int($1 + 0.5) }'
}
run_make list >/dev/null 2>&1
times=3
for command in 02 list show-02 plot-02 play-02 "solution-02 SHOW=1" run-06 report test-02 help; do
    measure $command
done
times=1
for command in run-07 try-07 bench-07 run-08 run-09 run-10 run-11 run-12 run-13 book; do
    measure $command
done
# The proofs ask git, too; and they have everything to build.
cd ../proven && commit_all && measure test
