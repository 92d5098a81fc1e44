#!/bin/sh
# mistakes.sh LESSON...: plants every mistake of tests/LESSON/mistakes in the reference solution,
# and proves that the tests fail in that exercise and tell the learner its name.
#
# An entry of the file, with an empty line after it (the white space around lines counts for
# nothing; several pairs of - and + are possible):
#     mistake  its_name
#     in       the_function
#     - whole lines of the solution, which occur there once
#     + what stands there instead
#     says     words that the learner must read
set -u
here=$(dirname "$0")
failed=0

for lesson in "$@"; do
    name=$(echo "${lesson#*-}" | tr - _)
    list=tests/$lesson/mistakes
    folder=build/mistakes/$lesson
    rm -rf "$folder"
    mkdir -p "$folder"
    if ! awk -v solution="solutions/$lesson/$name.c" -v lesson="$lesson" -v folder="$folder" \
        -v file="$name.c" -f "$here/plant.awk" "$list"; then
        failed=$((failed + 1))
        continue
    fi
    objects=$(${MAKE:-make} -s --no-print-directory "objects-$lesson")
    while read -r mistake exercise says; do
        planted=$folder/$mistake
        LOOKBACK_FROM=$planted LOOKBACK_OUT=$planted LOOKBACK_OBJECTS=$planted/objects \
            LOOKBACK_SECONDS=2 NO_COLOR=1 \
            "$LOOKBACK_OBJECTS/tutor" check "$lesson" $objects >"$planted/screen" 2>&1
        status=$?
        read_by_learner=$(tr -s ' \n' '  ' <"$planted/screen")
        case $read_by_learner in
        *" $exercise "*"<- you are here"*"$says"*) caught=yes ;;
        *) caught=no ;;
        esac
        if [ $status = 1 ] && [ $caught = yes ] &&
            grep "<- you are here" "$planted/screen" | grep -q " $exercise "; then
            echo "ok    $lesson $mistake: named in $exercise"
        elif [ $status = 0 ]; then
            echo "FAIL  $lesson $mistake: passes all tests"
            failed=$((failed + 1))
        else
            echo "FAIL  $lesson $mistake: not told '$says' in $exercise, see $planted/screen"
            failed=$((failed + 1))
        fi
    done <"$folder/list"
done
[ $failed = 0 ]
