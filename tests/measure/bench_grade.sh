#!/bin/sh
# bench_grade.sh LESSON: what it takes to grade a class of 120 honest submissions of that lesson, for the
# first time, and again when nothing has changed. They are made of the reference, the stub, tests/NN/slips
# and tests/regressions.
set -u
. common/make/lib.sh
lesson=$1
count=${STUDENTS:-120}
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
awk -v count="$count" -v folder=$DIR -v file="$file" \
    -v plant="$LOOKBACK_OBJECTS/prove plant $lesson" -f tests/measure/honest.awk build/bench-grade/stub.c \
    "solutions/$file" "tests/$lesson/slips" "tests/regressions/$lesson" || exit 1

now() {
    date +%s.%N
}
run() { # WHAT
    before=$(now)
    sh common/make/grade.sh "$lesson" >build/bench-grade/said 2>&1 || { cat build/bench-grade/said; exit 1; }
    echo "$before $(now)" | awk -v what="$1" '{ printf "%-44s %6.1f s\n", what, $2 - $1 }'
}
echo "Load before: $(cut -d ' ' -f 1 /proc/loadavg)"
run "$count submissions of $lesson, $(nproc) processors"
run "the same again, nothing changed"
awk -F, 'NR > 1 { sum[$7]++; done += $3; of += $4 }
    END { for (state in sum) printf "%s: %d. ", state, sum[state]
          printf "%d of %d exercises done.\n", done, of }' $OUT/results.csv
