# stop.sh, read by the shell of a command that failed: ends make with status 1 and without its own "*** Error 1",
# because the screen says already what is wrong. On SIGQUIT make waits for its commands, prints those that failed, and
# exits with status 1. So the command ends with status 0.
#
# Where SIGQUIT is ignored or blocked, as in the background of a script, the shell cannot trap it either. Then make says
# "*** Error 1".
trap 'quits=yes' QUIT
kill -QUIT $$
trap - QUIT
[ "${quits:-}" ] || exit 1
kill -QUIT $PPID
# The shell must not end before make has received the signal: then make would find no command to wait for. On Linux,
# ShdPnd is the set of the signals that wait for a process.
pending() {
    while read -r field signals; do
        case $field$signals in ShdPnd:*[4-7c-f]) return 0 ;; ShdPnd:*) return 1 ;; esac
    done
    return 1
}
[ -r "/proc/$PPID/status" ] || sleep 0.1
while pending 2>/dev/null <"/proc/$PPID/status"; do
    sleep 0.01
done
exit 0
