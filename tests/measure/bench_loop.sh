#!/bin/sh
# bench_loop.sh LESSON OBJECT...: what a learner's `make` costs in CPU time, against compiling, linking
# and running by hand: with the same flags, and plainly, with cc -g -O0 and no sanitizers. All in turns,
# on a copy of the solution in which one line changes each time; prints each round and the medians, and
# keeps those in build/bench/bench.dat. ROUNDS=3 for fewer.
set -u
. common/make/lib.sh
lesson=$1
shift
rounds=${ROUNDS:-9}
turns=10
name=$(name_of "$lesson")
copy=build/bench
export UNSAFE=1 # it is the reference
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

# by_hand FLAGS LIBRARIES OBJECT...
by_hand() {
    flags=$1
    libraries=$2
    shift 2
    for turn in $(seq $turns); do
        edit "$turn"
        $LOOKBACK_CC $flags -c "$file" -o "$copy/bare/$name.o" &&
            $LOOKBACK_CC $flags "$copy/bare/$name.o" "$@" -o "$copy/bare/test" $libraries &&
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
# The tests built plainly, too.
run_make -s 01 SANITIZE=no FROM=$copy >/dev/null
plain=$(run_make -s "objects-$lesson" SANITIZE=no)
for round in $(seq $rounds); do
    a=$(cpu with_make)
    b=$(cpu by_hand "$LOOKBACK_CFLAGS" "$LOOKBACK_LDLIBS" "$@")
    c=$(cpu by_hand "-g -O0 $LOOKBACK_INCLUDES" -lm $plain)
    echo "$a $b $c"
done | awk -v turns=$turns -v kept=build/bench/bench.dat '
    function median(r,    i, j, t) {
        for (i = 1; i <= NR; i++)
            for (j = i + 1; j <= NR; j++)
                if (r[j] < r[i]) { t = r[i]; r[i] = r[j]; r[j] = t }
        return r[int((NR + 1) / 2)]
    }
    { printf "make %5.1f ms   by hand %5.1f ms   plainly %5.1f ms   ratios %.2f %.2f\n",
        $1 / turns, $2 / turns, $3 / turns, $1 / $2, $1 / $3
      same[NR] = $1 / $2; plainly[NR] = $1 / $3
      make[NR] = $1 / turns; flags[NR] = $2 / turns; bare[NR] = $3 / turns }
    END {
        printf "median ratio %.2f to compiling, linking and running by hand with the same flags\n", median(same)
        printf "median ratio %.2f to doing it plainly: cc -g -O0, without sanitizers\n", median(plainly)
        print "what number share" >kept
        print "\"a check after a change: ms\"", median(make), "nan" >kept
        print "\"by hand, with the same flags: ms\"", median(flags), "nan" >kept
        print "\"by hand, without sanitizers: ms\"", median(bare), "nan" >kept
    }'
