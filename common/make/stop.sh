#!/bin/sh
# stop.sh MAKE: ends the make with this process id, with status 1 and without its own "*** Error 1", since the screen
# says already what is wrong. On SIGQUIT make waits for its commands and exits with status 1.
#
# Where SIGQUIT is ignored or blocked, as in the background of a script, make has to say it itself.
about=/proc/$1/status

# quit_is FIELD: is SIGQUIT in this set of make's signals? Linux only.
quit_is() {
    while read -r field signals; do
        case $field$signals in $1:*[4-7c-f]) return 0 ;; esac
    done 2>/dev/null <"$about"
    return 1
}
if [ -r "$about" ]; then
    if quit_is SigIgn || quit_is SigBlk; then exit 1; fi
else
    { (ulimit -c 0; exec sh -c 'kill -QUIT $$'); ignored=$?; } 2>/dev/null
    [ $ignored != 0 ] || exit 1
fi
kill -QUIT "$1"
# This command must not end before make has received the signal: then make would find no command to wait for.
[ -r "$about" ] || sleep 0.1
while quit_is SigPnd || quit_is ShdPnd; do
    :
done
