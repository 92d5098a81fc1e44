#!/bin/sh
# run.sh: everything in this repository is right. A line for each thing proven; the last line is
# "N passed, N failed", with what was left out if anything was, and the exit status tells the same. The
# line above it says which suites cost most; with VERBOSE=1 it says of all what they cost.
#
# SUITES="stubs slips:01-softmax" proves only those. Each suite is a script in
# tests/suites that prints "ok    what" and "FAIL  what"; five run at a time. LEFT_OUT=fail: what needs a program that
# is not installed must not be left out.
set -u
. common/make/lib.sh
results=build/prove/results
costs=build/prove/costs

verbose=${VERBOSE:-0}
unset VERBOSE COLUMNS # the suites have their own mind
unset UNITY   # taken by now

# The seconds of CPU that the children of this shell have cost until now.
note_cost() { # OF WHAT
    times >"$costs/$1" # in a pipe it would be those of a subshell
}

one() {
    suite=$1
    if ! sh -n "tests/suites/${suite%%:*}.sh" 2>&1; then
        echo "FAIL  tests/suites/${suite%%:*}.sh is no shell script" | tee "$results/$suite"
        return
    fi
    sh "tests/suites/${suite%%:*}.sh" "${suite#*:}" >"$results/$suite" 2>&1
    status=$?
    if [ $status != 0 ] && ! grep -q '^FAIL' "$results/$suite"; then
        echo "FAIL  $suite: ended with status $status" >>"$results/$suite"
    fi
    cat "$results/$suite"
    note_cost "$suite"
}

if [ $# = 1 ]; then
    one "$1"
    exit
fi

# The long ones first, so that they end together; some take minutes, and are run by name only.
slips=$(ls -S solutions/*/*.c | sed 's|solutions/\(.*\)/.*|slips:\1|')
regressions=$(ls -S tests/regressions/* | sed 's|.*/|regressions:|')
long="book translation ring writer tower loop tutor report story warnings $slips $regressions plots references"
known=$(ls tests/suites/*.sh | sed 's|.*/||; s|\.sh$||' | grep -vx lib)
by_name="bench busy book_all everybody fast_machines first_all grade_calls_all grade_hostile_all mutants
    references_plain release ring_hosts story_machines story_real $(echo "$known" | grep '_seeds$')"
short=$(echo "$known" | grep -vxF "$(echo slips regressions $long $by_name | tr ' ' '\n')")
suites=${SUITES:-$long $short}
known=$(echo "$known" | sed 's/^slips$\|^mutants$\|^regressions$/&:LESSON/')
for suite in $suites; do
    case $suite in
    slips:* | mutants:* | regressions:*) [ ! -f "tests/${suite#*:}/slips" ] || suite=${suite%%:*}:LESSON ;;
    esac
    echo "$known" | grep -qxF -- "$suite" && continue
    echo "There is no suite '$suite'. There are:" $known. | fold -s -w 79 >&2
    exit 2
done

other=
# A second one would delete what this one finds. One that was killed may have left its lock.
lock=build/prove.lock
[ ! -f $lock ] || ! kill -0 "$(cat $lock)" 2>/dev/null || {
    echo "Another make test runs here already, as process $(cat $lock)." >&2
    exit 1
}
trap 'rm -f $lock; [ -z "$other" ] || rm -r "${other%/*}"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p build && echo $$ >$lock
rm -rf build/prove
mkdir -p $results $costs
# The suites put their folder into words of commands: one with a space goes by another name.
case $PWD in
*' '*)
    other=$(TMPDIR=/tmp mktemp -d)/here
    ln -s "$PWD" "$other" && cd "$other" && export PWD || exit 1
    ;;
esac
# Everything is built before the suites run beside each other, and nothing of it with a warning.
run_make -j 3 -s all-objects STRICT=-Werror || exit 1
note_cost building
unity=$(sed -n 's/^#define UNITY_VERSION_M[A-Z]* *//p; s/^#define UNITY_VERSION_BUILD *//p' build/fetched/unity/unity.h)
echo "Proving with $($LOOKBACK_CC --version | head -1), Unity $(echo $unity | tr ' ' .)"
echo $suites | tr ' ' '\n' | xargs -P 5 -I '{}' sh "$0" '{}'

passed=$(cat $results/* | grep -c '^ok  ')
failed=$(cat $results/* | grep -c '^FAIL  ')
left=$(cat $results/* | grep -c "^left  ")
if [ "$failed" != 0 ]; then
    echo
    grep -h '^FAIL' $results/*
fi
strict=no
[ "${LEFT_OUT:-}" != fail ] || [ "$left" = 0 ] || strict=yes
if [ $strict = yes ]; then
    echo
    echo "Left out, and LEFT_OUT=fail counts that as a failure:"
    grep -h '^left  ' $results/*
fi
for cost in $costs/*; do
    sed 's/[ms]/ /g' "$cost" | awk -v what="${cost##*/}" 'NR == 2 { print 60 * $1 + $2 + 60 * $3 + $4, what }'
done | sort -rn | awk -v all="$verbose" '
    { sum += $1 }
    all != 0 || NR <= 5 { list = list sprintf("%s %s %.1f", NR > 1 ? "," : "", $2, $1) }
    END { printf "%.0f s of CPU, most of it in%s\n", sum, list }' | fold -s -w 79
echo "$passed passed, $failed failed$([ "$left" = 0 ] || echo ", $left left out")"
[ "$failed" = 0 ] && [ "$passed" != 0 ] && [ $strict = no ]
