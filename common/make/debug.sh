#!/bin/sh
# debug.sh LESSON OBJECT...: the debugger at the first test that fails, stopped in the learner's
# function. EXERCISE=name: at that exercise's. GDB="gdb -tui": another debugger, or other options.
set -u
. "${0%/*}/lib.sh"
lesson=$1
shift
# Variables, too, not only lines.
export LOOKBACK_CFLAGS="$LOOKBACK_CFLAGS -g"
found=$("$LOOKBACK_TUTOR" failing "$lesson" "${EXERCISE:--}" "$@") || exit
IFS='
'
set -- $found
unset IFS
[ $# = 4 ] || { echo "$found"; exit 0; } # there is nothing to debug, and why
program=$1 function=$2 test=$3 place=$4
debugger=${GDB:-gdb}
three="print *x@3 "
if [ -z "${GDB:-}" ] && ! command -v gdb >/dev/null && command -v lldb >/dev/null; then
    debugger=lldb
    three="parray 3 x "
elif [ -z "${GDB:-}" ]; then
    sh common/make/need.sh gdb || exit 1
fi

cat <<END
$place: $function(), in the test
  $test

  n (next)       the next line              print sum     a variable
  s (step)       into what it calls         $three   three numbers from x on
  c (continue)   on, to the end             bt, up, down  the calls, along them
  b 31           stop in line 31, too       q             quit

END
# Under a debugger leaks cannot be looked for, and a crash is to stop where it happens.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:print_legend=0 UBSAN_OPTIONS=print_stacktrace=1:abort_on_error=1
export LC_ALL="${LOOKBACK_LC_ALL-}"
unset DEBUGINFOD_URLS # gdb would ask whether to use them
if [ "$debugger" = lldb ]; then
    exec lldb -o "breakpoint set --one-shot true --name $function" -o run -- "$program" "$test"
fi
exec $debugger -q -ex "set confirm off" -ex "set disable-randomization off" -ex "tbreak ${place##*/}" \
    -ex run --args "$program" "$test"
