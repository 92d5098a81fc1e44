#!/bin/sh
# milestone.sh run|try|bench LESSON SOURCE...: compiles a lesson's milestone for speed, on the learner's functions of all
# lessons that are passed, and runs it. The sources go with it. Its tables go to the folder "run" beside the plots, or to
# "run-quick" if it is not the whole run. If it fails, the tables of the run before stay.
# milestone.sh renew LESSON SOURCE...: runs it before pictures are drawn, if the last tables are from another program.
#
# WITH=14: it uses functions of lesson 14, too. The folder milestone/with-13 of lesson 14 has the files that are added to
# lesson 13's milestone. Its file `instead` has a line for each function that it replaces: the linker turns calls of NAME
# into calls of __wrap_NAME, which finds the replaced function as __real_NAME.
set -u
. "${0%/*}/lib.sh"
verb=$1 lesson=$2
shift 2
number=${lesson%%-*} own=lessons/$lesson/milestone launcher=
trap : INT # Ctrl-C is for the program

# make takes no odd letters in the name of a file.
here=$FROM
case $FROM in *[!A-Za-z0-9_./-]*)
    here=build/as/$(echo "$FROM" | cksum | tr ' ' -)
    mkdir -p build/as && ln -sfn "$(cd "$FROM" && pwd)" "$here" || exit 1
    ;;
esac
before=
for each in $LOOKBACK_ALL; do
    [ "$each" != "$lesson" ] || break
    before="$before $each"
done
before=$("$LOOKBACK_TUTOR" sources "$here" $before) || exit

# A lesson with the file milestone/early runs its milestone with wrong exercises, too, but not with code that crashes or
# does not end.
runs_early() {
    [ -f "$own/early" ] && ! grep -Eqs '^(unbuilt$|broken )' "$LOOKBACK_OUT/$lesson/results"
}

main=$own.c
[ "$verb" = run ] || [ "$verb" = renew ] || main=$own/$verb.c
[ ! -f "$own/launch.sh" ] || launcher="sh $own/launch.sh"
if [ "$verb" = renew ]; then # a run that needs a launcher is never started for a picture
    [ -f "$main" ] && [ ! "$launcher" ] && "$LOOKBACK_TUTOR" passed "$lesson" || exit 0
elif [ -f "$main" ]; then
    runs_early || "$LOOKBACK_TUTOR" passed "$lesson" "To $verb the milestone" || exit 1
else
    echo "Lesson $number has nothing to $verb."
    exit
fi

with= suffix= instead= also=
if [ "${WITH:-}" ] && [ "$verb" != renew ]; then
    for with in lessons/"$WITH"-*/milestone/"with-$number"; do
        [ -f "$with/instead" ] || { printf 'Lesson %s has nothing for WITH=%.40s.\n' "$number" "$WITH" && exit 1; }
    done
    suffix=-with-$WITH also=" with lesson $WITH" instead=$(sed 's/^/-Wl,--wrap=/' "$with/instead")
    before="$before $("$LOOKBACK_TUTOR" sources "$here" "$(echo "$with" | cut -d / -f 2)")"
fi

# A part of the training has tables of its own. Pictures are drawn of them if there are no others.
run=$LOOKBACK_OUT/$lesson/run$suffix program=$LOOKBACK_OUT/$lesson/milestone$suffix
if [ "$verb" = renew ] && [ ! -d "$run" ] && [ -d "$run-quick" ]; then
    is_part || export QUICK=1
fi
! is_part || run=$run-quick

set -- "$here/$lesson/$(name_of "$lesson").c" $before $(ls "$own.c" "$own"/*.c ${with:+"$with"/*.c} 2>/dev/null) "$@"
objects=
for source; do
    objects="$objects $LOOKBACK_OBJECTS/fast/${source%.c}.o"
done
run_make -s $objects || exit 1
compiler=${launcher:+$launcher compile}
mkdir -p "${program%/*}"
printf '%s\n' $objects >"$program.of" # the suites link them with tests of their own
${compiler:-$LOOKBACK_CC} $LOOKBACK_FAST_CFLAGS $objects -o "$program.$$" $LOOKBACK_LDLIBS $instead &&
    mv "$program.$$" "$program" || exit 1

hash=$($sha256 <"$program")
if [ "$verb" = renew ]; then
    [ "$hash" != "$(cat "$run/program" 2>/dev/null)" ] || exit 0
    echo "The milestone of lesson $number runs first, because the pictures need it." >&2
fi
exec 9>"$program.lock"
if command -v flock >/dev/null && ! flock -n 9; then
    echo "Another make is running this milestone." >&2
    exit 1
fi
"$LOOKBACK_TUTOR" whose "$lesson" "Milestone of lesson $number$also, on"
export OMP_WAIT_POLICY=passive # a thread that waits leaves the core to others
in_folder() { # FOLDER [WHAT]
    "$LOOKBACK_TUTOR" fast "$lesson" ${launcher:+$launcher run} "$program" ${2:+"$2"} "$1" 9>&-
}
if [ "$main" != "$own.c" ]; then
    mkdir -p "$run" && in_folder "$run" "$verb"
    exit
fi

rm -rf "$run.new"
mkdir "$run.new" || exit 1
in_folder "$run.new"
status=$?
if [ $status = 0 ] || { [ $status = 3 ] && [ ! -d "$run" ]; }; then
    echo "$hash" >"$run.new/program"
    # What was trained before and not this time is still good to be tried.
    for model in "$run"/*.model; do
        [ ! -f "$model" ] || [ -f "$run.new/${model##*/}" ] || mv "$model" "$run.new/"
    done
    rm -rf "$run" && mv "$run.new" "$run" || exit 1
else
    rm -rf "$run.new"
    case $status in
    2) exit 1 ;; # it has said why
    3) echo "No training was completed, so the tables of the run before are kept." && exit ;;
    4) # something is missing that it has named; pictures that need it wait
        [ "$verb" = renew ] || exit 4
        exit 0
        ;;
    esac
    echo "The milestone stopped. If there was a run before, its tables are kept." >&2
    exit 1
fi
[ "$verb" = run ] && ! is_part && [ ! "$with" ] && [ "$FROM" = lessons ] || exit 0
[ ! -f "$own/try.c" ] || printf 'make try-%s lets you try it; ' "$number"
echo "make plot-$number draws it."
