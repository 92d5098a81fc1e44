#!/bin/sh
# bench_loop.sh LESSON OBJECT...: what a learner's `make` costs in CPU time, against the bare
# compile, link and run by hand with the same flags. Both in turns, on a copy of the solution in
# which one line changes each time; prints each round's ratio and their median.
set -u
. "$(dirname "$0")/lib.sh"
lesson=$1
shift
rounds=9
turns=10
name=$(name_of "$lesson")
copy=build/bench
file=$copy/$lesson/$name.c
mkdir -p "$copy/$lesson" "$copy/bare"

edit() {
    { cat "solutions/$lesson/$name.c"; echo "/* edit $1 */"; } >"$file"
}

with_make() {
    for turn in $(seq $turns); do
        edit "$turn"
        run_make -s FROM=$copy >/dev/null || exit 1
    done
}

by_hand() {
    for turn in $(seq $turns); do
        edit "$turn"
        $LOOKBACK_CC $LOOKBACK_CFLAGS -c "$file" -o "$copy/bare/$name.o" &&
            $LOOKBACK_CC $LOOKBACK_CFLAGS "$copy/bare/$name.o" "$@" -o "$copy/bare/test" \
                $LOOKBACK_LDLIBS &&
            "$copy/bare/test" >/dev/null || exit 1
    done
}

# The CPU time of all children of a subshell, in milliseconds.
cpu() {
    ("$@" || exit 1; times) | tail -1 |
        sed 's/[ms]/ /g' | awk '{ printf "%d\n", 1000 * (60 * $1 + $2 + 60 * $3 + $4) }'
}

edit 0
with_make >/dev/null
for round in $(seq $rounds); do
    a=$(cpu with_make)
    b=$(cpu by_hand "$@")
    echo "$a $b"
done | awk -v turns=$turns '
    { printf "make %5.1f ms   by hand %5.1f ms   ratio %.2f\n", $1 / turns, $2 / turns, $1 / $2
      ratio[NR] = $1 / $2 }
    END {
        for (i = 1; i <= NR; i++)
            for (j = i + 1; j <= NR; j++)
                if (ratio[j] < ratio[i]) { t = ratio[i]; ratio[i] = ratio[j]; ratio[j] = t }
        printf "median ratio %.2f (make, against compiling, linking and running by hand)\n",
            ratio[int((NR + 1) / 2)]
    }'
