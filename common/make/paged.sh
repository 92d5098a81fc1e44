#!/bin/sh
# paged.sh COMMAND...: runs the command, and shows at a terminal what it has printed, a page at a time.
set -u
. "${0%/*}/lib.sh"

[ -t 1 ] || exec "$@"
mkdir -p "$LOOKBACK_OUT"
page=$LOOKBACK_OUT/page.$$
trap 'rm -f "$page"' EXIT
[ "${NO_COLOR:-}" ] || export FORCE_COLOR=1
"$@" >"$page"
status=$?
in_a_pager <"$page"
exit $status
