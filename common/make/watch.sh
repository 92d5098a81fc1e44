#!/bin/sh
# watch.sh LESSON...: runs make again at each save of a lesson's file, until Ctrl-C.
#
# Waits with entr where it is installed, and otherwise looks at the files 20 times a second, which
# also works where a system reports no changes: network and shared folders (POLL=1 insists on it).
set -u
. "${0%/*}/lib.sh"
state=$LOOKBACK_OUT/watch
tutor=$LOOKBACK_TUTOR
mkdir -p "$LOOKBACK_OUT"
trap 'exit 0' INT TERM HUP

check() {
    [ ! -t 1 ] || printf '\033[H\033[2J\033[3J'
    "${MAKE:-make}" --no-print-directory check
    echo
    echo "Watching. Save a file to check it again; Ctrl-C ends."
}

# A save during the check is not lost: what counts is how the files were before it.
changed_since() {
    "$tutor" saves "$@" | cmp -s - "$state" && return 1
    return 0
}

wait_with_entr() {
    changed_since "$@" || printf '%s\n' "$@" | entr -n -p -z true >/dev/null 2>&1
}

for lesson in "$@"; do
    set -- "$@" "$FROM/$lesson/$(name_of "$lesson").c"
    shift
done
unset MAKEFLAGS MAKELEVEL MFLAGS
while :; do
    "$tutor" saves "$@" >"$state"
    check
    if [ -z "${POLL:-}" ] && command -v entr >/dev/null 2>&1; then
        wait_with_entr "$@"
    fi
    "$tutor" wait "$state" "$@" || exit
done
