#!/bin/sh
# found.sh LESSON STATUS: after a milestone that wrong code has spoiled, prints what the tests find in this code. Not if
# the milestone was left out, with status 4. Ends with status 1.
set -u
. "${0%/*}/lib.sh"
results=$LOOKBACK_OUT/$1/results
[ "$2" != 4 ] && grep -q '^wrong' "$results" 2>/dev/null || exit 1
run_make -s "told-$1" >/dev/null
echo
awk '/^wrong/ { print "make '"${1%%-*}"' on " $4 "():" } /^told/ { print substr($0, 6) }' "$results" |
    fold -s -w 74 | sed 's/ *$//; /^make .* on .*:$/!s/^/  /'
exit 1
