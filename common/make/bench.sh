#!/bin/sh
# bench.sh [SECONDS=.1]: what the single benches measure, in one table, with the machine that it is true
# of. Each keeps its numbers in bench.dat, in rows of "what: unit", a number, and its share of the most
# that there is, or nan. SECONDS are those of a race of lesson 14; they are no variable here, since some
# shells have one of that name that counts.
set -u
. "${0%/*}/lib.sh"
unset QUICK STEPS ONLY MODEL WITH # which would be kept elsewhere
export T="${T:-1024}"       # of lesson 14
table=build/bench/table
mkdir -p build/bench
: >"$table"

load() {
    LC_ALL=C uptime | sed 's/.*load average[s]*: *//; s/[, ].*//'
}
processor() {
    sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -1 | grep . ||
        sysctl -n machdep.cpu.brand_string 2>/dev/null || uname -m
}

# bench TITLE KEPT WHAT...: runs make WHAT, and adds its rows to the table; what was kept before is of
# another time.
bench() {
    title=$1
    kept=$2
    shift 2
    printf '\r%-40.40s' "make $*" >&2
    rm -f "$kept"
    run_make -s "$@" >build/bench/said 2>&1
    if [ -s "$kept" ]; then
        awk -v title="$title" 'NR > 1 { split($0, part, "\""); split(part[3], number, " ")
            print title "|" part[2] "|" number[1] "|" number[2]; title = "" }' "$kept"
    else
        echo "$title|make $1 says why there is none||"
    fi >>"$table"
}
# The benches of a lesson's milestone, alone and with those of later lessons.
bench_lesson() {
    number=${1%%-*}
    title=$(sed -n '1s/^# \([0-9]*\) · /\1 /p' "lessons/$1/README.md")
    bench "$title" "$LOOKBACK_OUT/$1/run/bench.dat" "bench-$number" $settings
    for with in lessons/*/milestone/with-"$number"/; do
        [ -d "$with" ] || continue
        with=${with#lessons/}
        with=${with%%-*}
        bench "$number with $with" "$LOOKBACK_OUT/$1/run-with-$with/bench.dat" "bench-$number" "WITH=$with" $settings
    done
}

before=$(load)
settings=$*
[ ! -f tests/measure/bench_loop.sh ] || bench make build/bench/bench.dat bench-loop "ROUNDS=${ROUNDS:-3}"
for lesson in $LOOKBACK_LESSONS; do
    [ ! -f "lessons/$lesson/milestone/bench.c" ] || bench_lesson "$lesson"
done
after=$(load)
printf '\r%-40s\r' "" >&2

{
    echo "$(processor), $(getconf _NPROCESSORS_ONLN) cores; $($LOOKBACK_CC --version | head -1)"
    echo "The machine's load was $before, and $after in the end.$(awk -v load="$before" 'BEGIN {
        if (load > 0.5) print " Others are at work: compare within one lesson." }')"
} | fold -s -w 79 | sed 's/ *$//'
awk -F '|' '
    function shown(x) {
        return x == "" ? "" : x >= 100 ? sprintf("%.0f", x) : x >= 10 ? sprintf("%.1f", x) : sprintf("%.2f", x)
    }
    BEGIN { printf "%78s\n", "share" }
    {
        split($2, part, ": ")
        if ($3 == "") { printf "%-24s%s\n", $1, $2; next }
        printf "%-24s%-33s%8s %-7s%5s\n", $1, part[1], shown($3), part[2], ($4 == "nan" ? "" : shown($4))
    }' "$table" | sed 's/ *$//'
echo "Lesson 14: T = $T, d = 64, one thread; share: of bare multiply-adds or reads."
