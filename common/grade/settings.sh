#!/bin/sh
# sh common/grade/settings.sh OBJECT...: make runs it, to print what it tells the tutor, as
# commands of the shell, and the objects that a lesson's tests are linked with.
set -eu
. common/make/lib.sh
for name in CC OBJECTS CFLAGS LDLIBS SLIP_CFLAGS INCLUDES LEAKS LESSONS OURS; do
    eval "value=\${LOOKBACK_$name-}"
    printf "export LOOKBACK_%s='%s'\n" "$name" "$value"
done
# A suite does without the warnings of an optimizer, a compile more.
printf "export LOOKBACK_WARNING_CFLAGS=\"\${LOOKBACK_WARNING_CFLAGS-%s}\"\n" "${LOOKBACK_WARNING_CFLAGS-}"
printf "objects='%s'\n" "$*"
