#!/bin/sh
# plot.sh LESSON OBJECT...: lets the tutor run the lesson's data program, made of the objects, and
# draws every picture of the lesson in each format of $FORMAT. WIDTH=column draws them 84 mm wide, for a
# column of print.
set -u
. "$(dirname "$0")/lib.sh"
lesson=$1
shift
folder=$LOOKBACK_OUT/$lesson/plots
run=$LOOKBACK_OUT/$lesson/run
# A run of a part of the training has tables of its own; they are drawn if there are no others.
case ${QUICK:-0}${STEPS:-}${ONLY:-} in
0) [ -d "$run" ] || [ ! -d "$run-quick" ] || run=$run-quick ;;
*) run=$run-quick ;;
esac

# A column's letters have 7 pt: of 300 dots to the inch in a PNG, of 192 in an SVG, which is told so.
terminal_of() { # FORMAT
    case ${WIDTH:-page}/$1 in
    page/png) echo "pngcairo size 900,560 font 'sans,12'" ;;
    page/svg) echo "svg size 900,560 font 'sans,12' background 'white'" ;;
    page/pdf) echo "pdfcairo size 16cm,10cm font 'sans,11'" ;;
    page/tex) echo "cairolatex pdf size 14cm,9cm" ;;
    column/png) echo "pngcairo size 992,709 font 'sans,11' fontscale 2 linewidth 1.6 pointscale 1.6" ;;
    column/svg) echo "svg size 635,454 font 'sans,18.8' background 'white'" ;;
    column/pdf) echo "pdfcairo size 8.4cm,6cm font 'sans,10.6' linewidth 0.6 pointscale 0.6" ;;
    column/tex) echo "cairolatex pdf size 8.4cm,6cm font ',8' linewidth 0.6 pointscale 0.6" ;;
    page/ascii | column/ascii) echo "dumb 79 28" ;;
    page/* | column/*)
        echo "FORMAT=$1: it is png, svg, pdf, tex or ascii." >&2
        return 2
        ;;
    *)
        echo "WIDTH=$WIDTH: it is page or column." >&2
        return 2
        ;;
    esac
}

place() { # NAME FORMAT: where that picture is drawn; what a .tex file consists of is kept together.
    narrow=0
    into=$folder
    [ "${WIDTH:-page}" = page ] || [ "$2" = ascii ] || narrow=1 into=$into/column
    [ "$2" != tex ] || into=$into/tex
    picture=$into/$1.$2
}

finish() { # FORMAT: of the picture in its place
    case $1/$narrow in
    # The graphic lies beside the .tex file, wherever that is taken.
    tex/0) edit="s|$into/||" ;;
    tex/1) edit="s|$into/||; s|^\\\\begingroup|&\\\\fontsize{7}{8}\\\\selectfont|" ;;
    svg/1) edit='s/width="635" height="454"/width="84mm" height="60mm"/' ;;
    *) edit= ;;
    esac
    [ -z "$edit" ] || { sed "$edit" "$picture" >"$picture.new" && mv "$picture.new" "$picture"; }
    [ "$1" != ascii ] || cat "$picture"
    echo "$picture"
}

# A milestone says so if it was not trained to its end, or with other settings.
short=0
! grep '^Not the whole training' "$run/result.txt" 2>/dev/null || short=1
for format in $FORMAT; do
    terminal_of "$format" >/dev/null || exit 2
done
mkdir -p "$folder"
# What waits for an exercise is left out, and what was drawn of it before goes.
"$LOOKBACK_TUTOR" pictures "$lesson" >"$folder/waiting" || exit 1
ready=$(sed -n 's/^\([^ ]*\)$/\1/p' "$folder/waiting")
if [ -z "$ready" ]; then
    "$LOOKBACK_TUTOR" passed "$lesson" "The pictures"
    exit 1
fi
rm -f "$folder/printed"

compute() { # OBJECT...: the tables; of $LOOKBACK_PICTURE alone if it is set
    if "$LOOKBACK_TUTOR" plots "$lesson" "$@" >"$folder/new"; then
        cat "$folder/new" >>"$folder/printed"
        rm -f "$folder/new"
        return
    fi
    cat "$folder/new"
    return 1
}
if grep -q ' ' "$folder/waiting"; then
    for picture in $(sed 's/ .*//' "$folder/waiting"); do
        find "$folder" -name "$picture.*" ! -name '*.dat' -exec rm -f {} +
    done
    sed -n 's/^\([^ ]*\) \(.*\)/\1.gp waits for \2./p' "$folder/waiting" | fold -s -w 79
    for picture in $ready; do
        LOOKBACK_PICTURE=$picture
        export LOOKBACK_PICTURE
        compute "$@" || ready=$(echo "$ready" | grep -vx "$picture")
    done
    unset LOOKBACK_PICTURE
else
    compute "$@" || exit 1
fi
if [ -s "$folder/printed" ]; then
    echo "What your code printed meanwhile: $folder/printed"
else
    rm -f "$folder/printed"
fi

# What nobody trained for waits: a report of others' work does not train. What needs a launcher does without.
trained=
for name in $ready; do
    if [ ! -d "$run" ] && [ ! -f "lessons/$lesson/milestone/launch.sh" ] &&
        grep -q 'run\."' "plots/$lesson/$name.gp"; then
        echo "$name.gp waits for make run-${lesson%%-*}."
    else
        trained="$trained $name"
    fi
done
ready=$trained
# One gnuplot for all of them: it takes longer to begin than to draw.
set --
for name in $ready; do
    for format in $FORMAT; do
        place "$name" "$format"
        mkdir -p "$into"
        set -- "$@" -e "unset multiplot; reset session" -e "data='$folder'; run='$run'; short=$short; narrow=$narrow" \
            -e "set terminal $(terminal_of "$format"); set output '$picture'" "plots/$lesson/$name.gp"
    done
done
[ $# = 0 ] || gnuplot "$@" || exit 1
for name in $ready; do
    for format in $FORMAT; do
        place "$name" "$format"
        finish "$format"
    done
done
"$LOOKBACK_TUTOR" whose "$lesson" "Drawn from"
