#!/bin/sh
# figures.sh LESSON...: draws the plots that the lessons' texts show, from the reference. A figure of a text is a plot
# if a script has its name: lessons/01-softmax/figures/weights.svg is drawn by plots/01-softmax/weights.gp. To add one,
# make an empty file there, and run make figures. FIGURES=folder writes into folder/01-softmax instead.
set -u
. "${0%/*}/lib.sh"
. "${0%/*}/draw.sh"
FORMAT=svg
WIDTH=text

# The plots among the figures of $lesson; a run's plots are left as they are while that run is not there.
plots_of() {
    for script in plots/"$lesson"/*.gp; do
        name=$(basename "$script" .gp)
        [ -f "lessons/$lesson/figures/$name.svg" ] || continue
        if grep -q 'run\.' "$script" && [ ! -d "$run" ]; then
            echo "$name.svg stays as it is: it needs make run-${lesson%%-*} FROM=solutions." >&2
        else
            echo "$name"
        fi
    done
}

for lesson; do
    folder=build/figures/$lesson
    run=build/from/solutions/$lesson/run
    short=0
    names=$(plots_of)
    [ "$names" ] || continue
    into_text=${FIGURES:+$FIGURES/$lesson}
    into_text=${into_text:-lessons/$lesson/figures}
    mkdir -p "$folder" "$into_text"
    "$LOOKBACK_OBJECTS/tables/$lesson" "$folder" >/dev/null && draw $names >/dev/null || exit 1
    for name in $names; do
        # A line for each named group of the drawing, in place of hundreds.
        tr -s '\t\n' '  ' <"$folder/text/$name.svg" | awk '{ sub(/ +$/, ""); gsub(/ +<g id/, "\n<g id"); print }' >"$into_text/$name.svg"
        echo "$into_text/$name.svg"
    done
done
