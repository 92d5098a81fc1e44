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
# An editor writes in place, or puts a new file in place of the old one. Both can be seen here.
look() { # FILE...
    find "$@" -newer "$state" 2>&1
    ls -li "$@" 2>&1
}
# Without a process, which a learner's battery would pay for: in most rounds nothing is saved.
is_newer() { # FILE...
    for file; do
        if [ ! -e "$file" ] || [ "$file" -nt "$state" ]; then return; fi
    done
    return 1
}
while :; do
    # A save during the check is not lost, because what counts is how the files were before it.
    : >"$state"
    before=$(look "$@")
    [ ! -t 1 ] || printf '\033[H\033[2J\033[3J'
    "${MAKE:-make}" --no-print-directory check
    printf '\nWatching. Save a file to check it again; Ctrl-C ends.\n'
    # A save is over when nothing changes any more. A file that disappears meanwhile is waited for, for 2 s.
    now=$before last= missing=0 round=0
    while [ "$now" = "$before" ] || [ "$now" != "$last" ] || { [ $missing -gt 0 ] && [ $missing -le 40 ]; }; do
        sleep 0.05
        round=$((round + 1))
        [ "$now" != "$before" ] || [ $((round % 10)) = 0 ] || is_newer "$@" || continue
        last=$now now=$(look "$@")
        case $now in *"No such file"*) missing=$((missing + 1)) ;; *) missing=0 ;; esac
    done
done
