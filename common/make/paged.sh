#!/bin/sh
# paged.sh COMMAND...: runs the command. At a terminal, what is longer than the screen is shown a page at a time.
set -u
. "${0%/*}/lib.sh"

[ -t 1 ] || exec "$@"
mkdir -p "$LOOKBACK_OUT"
page=$LOOKBACK_OUT/page.$$
trap 'rm -f "$page"' EXIT
[ "${NO_COLOR:-}" ] || export FORCE_COLOR=1
"$@" >"$page"
status=$?
exec 3>&1
size=$(stty size 2>/dev/null <&3)
rows=${size%% *}
if [ $status = 0 ] && [ "$(wc -l <"$page")" -ge "${rows:-24}" ]; then
    in_a_pager <"$page"
else
    cat "$page"
fi
exit $status
