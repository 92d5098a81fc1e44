#!/bin/sh
# stop.sh MAKE: ends the make with this process id, with status 1 and without its own "*** Error 1", since the screen
# says already what is wrong. On SIGQUIT make waits for its commands and exits with status 1.
#
# Where SIGQUIT is ignored, as in the background of a script, make has to say it itself.
{ (ulimit -c 0; exec sh -c 'kill -QUIT $$'); ignored=$?; } 2>/dev/null
[ $ignored != 0 ] || exit 1
kill -QUIT "$1"
# This command must not end before make has received the signal: then make would find no command to wait for.
while grep -q '^S[hi][dg]Pnd:.*[4-7c-f]$' "/proc/$1/status" 2>/dev/null; do
    :
done
[ -r "/proc/$1/status" ] || sleep 0.1
