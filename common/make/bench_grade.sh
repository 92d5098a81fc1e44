#!/bin/sh
# bench_grade.sh LESSON: what it takes to grade a class of 120 honest submissions of that lesson, for the
# first time, and again when nothing has changed. They are made of the reference, the stub, tests/NN/slips
# and tests/attempts.
set -u
. "$(dirname "$0")/lib.sh"
lesson=$1
count=${COUNT:-120}
file=$lesson/$(name_of "$lesson").c
DIR=build/bench-grade/class
OUT=build/bench-grade/out
LOOKBACK_GRADE_IN=build/bench-grade/ours # no verdict is there yet
export DIR OUT LOOKBACK_GRADE_IN
rm -rf build/bench-grade
for student in $(seq -f %03.0f "$count"); do
    mkdir -p "$DIR/s$student/$lesson"
done
sh common/make/stubs.sh print "$lesson" >build/bench-grade/stub.c || exit 1
awk -v count="$count" -v folder=$DIR -v file="$file" -f common/make/honest.awk build/bench-grade/stub.c \
    "solutions/$file" "tests/$lesson/slips" "tests/attempts/$lesson" || exit 1

# Seconds on the clock, and of the processors: a busy machine takes its time.
run() ( # WHAT, in a shell of its own, whose children are all of this run
    before=$(date +%s.%N)
    sh common/make/grade.sh "$lesson" >build/bench-grade/said 2>&1 || { cat build/bench-grade/said; exit 1; }
    after=$(date +%s.%N)
    times >build/bench-grade/times
    sed 's/[ms]/ /g' build/bench-grade/times | awk -v what="$1" -v before="$before" -v after="$after" '
        NR == 2 { printf "%-44s %6.1f s, %6.1f s of CPU\n", what, after - before, 60 * $1 + $2 + 60 * $3 + $4 }'
)
run "$count submissions of $lesson, $(nproc) processors" || exit 1
run "the same again, nothing changed" || exit 1
awk -F, 'NR > 1 { sum[$7]++; done += $3; of += $4 }
    END { for (state in sum) printf "%s: %d. ", state, sum[state]
          printf "%d of %d exercises done.\n", done, of }' $OUT/results.csv
