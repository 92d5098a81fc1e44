#!/bin/sh
# plot.sh LESSON OBJECT...: lets the tutor run the lesson's data program, made of the objects, and
# draws every picture of the lesson in each format of $FORMAT. WIDTH=column draws them 84 mm wide, for a
# column of print.
set -u
. "${0%/*}/lib.sh"
. "${0%/*}/draw.sh"
lesson=$1
shift
folder=$LOOKBACK_OUT/$lesson/plots
run=$LOOKBACK_OUT/$lesson/run
# A run of a part of the training has tables of its own; they are drawn if there are no others.
! is_part && { [ -d "$run" ] || [ ! -d "$run-quick" ]; } || run=$run-quick

short_of "$run"
for format in $FORMAT; do
    terminal_of "$format" >/dev/null || exit 2
done
mkdir -p "$folder"
# What waits for an exercise is left out, and what was drawn of it before goes.
"$LOOKBACK_TUTOR" pictures "$lesson" >"$folder/waiting" || exit 1
ready=$(sed -n 's/^\([^ ]*\)$/\1/p' "$folder/waiting")
if [ ! -s "$folder/waiting" ]; then
    echo "lessons/$lesson/README.md names no picture. Each one needs a line there, such as" >&2
    echo '- `weights.gp`: what the picture shows' >&2
    exit 1
fi
if [ -z "$ready" ]; then
    "$LOOKBACK_TUTOR" passed "$lesson" "The pictures"
    exit 1
fi
rm -f "$folder/printed"

compute() { # OBJECT...: the tables; of $LOOKBACK_PICTURE alone if it is set
    "$LOOKBACK_TUTOR" plots "$lesson" "$@" >"$folder/new" || { cat "$folder/new" && return 1; }
    [ ! -s "$folder/new" ] || cat "$folder/new" >>"$folder/printed"
}
if grep -q ' ' "$folder/waiting"; then
    for picture in $(sed 's/ .*//' "$folder/waiting"); do
        find "$folder" -name "$picture.*" ! -name '*.dat' -exec rm -f {} +
    done
    sed -n 's/^\([^ ]*\) \(.*\)/\1.gp waits for \2./p' "$folder/waiting" | fold -s -w 79
    for picture in $ready; do
        export LOOKBACK_PICTURE="$picture"
        compute "$@" || ready=$(echo "$ready" | grep -vx "$picture")
    done
    unset LOOKBACK_PICTURE
else
    compute "$@" || exit 1
fi
[ ! -f "$folder/printed" ] || echo "The output of your code is in $folder/printed"
rm -f "$folder/new"

# Pictures whose tables no training run has written wait, because a report on another person's work does not train, and
# a run may be one of a part. Lessons with a launcher are drawn without a run.
needs_run() { # NAME
    [ ! -f "lessons/$lesson/milestone/launch.sh" ] || return 1
    for table in $(grep -o 'run\."/[a-z0-9.-]*' "plots/$lesson/$1.gp" | sed 's/.*"//'); do
        case $table in *.dat) [ -f "$run$table" ] || return 0 ;; *) [ -d "$run" ] || return 0 ;; esac
    done
    return 1
}
trained=
for name in $ready; do
    if needs_run "$name"; then
        echo "$name.gp needs make run-${lesson%%-*} first."
    else
        trained="$trained $name"
    fi
done
ready=$trained
draw $ready || exit 1
"$LOOKBACK_TUTOR" whose "$lesson" "Drawn from"
