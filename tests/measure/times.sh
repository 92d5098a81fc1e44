#!/bin/sh
# times.sh: how long each command takes on finished lessons, the median of three; the seconds go into
# the last column of the README's table of commands. In a copy of the tree, built beforehand.
set -u
. common/make/lib.sh
top=$PWD
readme=$top/README.md
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
{
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
    cd ../tree || exit 1
} | tee ../measured
awk -F '|' -v OFS='|' -v measured=../measured '
    BEGIN { while ((getline line < measured) > 0) { split(line, part, "\t"); of[part[1]] = part[2] } }
    /^\| `make/ && NF == 5 {
        split($2, word, "`")
        last = word[3] == " to " ? "make " word[4] : word[2]
        least = most = ""
        for (what in of)
            if (what >= word[2] && what <= last) {
                if (least == "" || of[what] + 0 < least + 0) least = of[what]
                if (most == "" || of[what] + 0 > most + 0) most = of[what]
            }
        $4 = " " (least == most ? "" : least " to ") (most == "" ? "" : most " ")
    }
    { print }' "$readme" >../README.md && cp ../README.md "$readme"
