#!/bin/sh
# prove.sh: everything in this repository is right. A line for each thing proven; the last line is
# "N passed, N failed", and the exit status tells the same.
#
# SUITES="stubs slips:01-softmax" proves only those. Each suite is a script in
# tests/suites that prints "ok    what" and "FAIL  what"; four run at a time.
set -u
. "$(dirname "$0")/lib.sh"
# The long ones first, so that they end together; some of them mostly wait.
slips=$(ls -S solutions/*/*.c | sed 's|solutions/\(.*\)/.*|slips:\1|')
suites=${SUITES:-translation loop tutor state $slips it report lecturer warnings plots references stubs texts quiz learner common setup}
results=build/prove
export results

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
}

if [ $# = 1 ]; then
    one "$1"
    exit
fi

rm -rf $results
mkdir -p $results
# Everything is built before the suites run beside each other.
run_make -j 3 -s all-objects || exit 1
echo "Proving with $($LOOKBACK_CC --version | head -1)"
echo $suites | tr ' ' '\n' | xargs -P 4 -I '{}' sh "$0" '{}'

passed=$(cat $results/* | grep -c '^ok  ')
failed=$(cat $results/* | grep -c '^FAIL  ')
if [ "$failed" != 0 ]; then
    echo
    grep -h '^FAIL' $results/*
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
