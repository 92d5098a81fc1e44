#!/bin/sh
# watch.sh LESSON...: runs make again at each save of a lesson's file, until Ctrl-C. It looks at the files 20 times a
# second, which also works where a system reports no changes, as in network and shared folders.
set -u
. "${0%/*}/lib.sh"
state=$LOOKBACK_OUT/watch
mkdir -p "$LOOKBACK_OUT"
trap 'exit 0' INT TERM HUP

for lesson in "$@"; do
    set -- "$@" "$FROM/$lesson/$(name_of "$lesson").c"
    shift
done
unset MAKEFLAGS MAKELEVEL MFLAGS
while :; do
    # A save during the check is not lost, because what counts is how the files were before it.
    "$LOOKBACK_TUTOR" saves "$@" >"$state"
    [ ! -t 1 ] || printf '\033[H\033[2J\033[3J'
    "${MAKE:-make}" --no-print-directory check
    printf '\nWatching. Save a file to check it again; Ctrl-C ends.\n'
    "$LOOKBACK_TUTOR" wait "$state" "$@" || exit
done
