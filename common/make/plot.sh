#!/bin/sh
# plot.sh LESSON OBJECT...: lets the tutor run the lesson's data program, made of the objects, and
# draws every picture of the lesson in each format of $FORMAT.
set -u
. "$(dirname "$0")/lib.sh"
lesson=$1
shift
folder=$LOOKBACK_OUT/$lesson/plots
run=$LOOKBACK_OUT/$lesson/run

terminal_of() { # FORMAT
    case $1 in
    png) echo "pngcairo size 900,560 font 'sans,12'" ;;
    svg) echo "svg size 900,560 font 'sans,12' background 'white'" ;;
    pdf) echo "pdfcairo size 16cm,10cm font 'sans,11'" ;;
    tex) echo "cairolatex pdf size 14cm,9cm" ;;
    ascii) echo "dumb 79 28" ;;
    *)
        echo "FORMAT=$1: it is png, svg, pdf, tex or ascii." >&2
        return 2
        ;;
    esac
}

draw() { # SCRIPT FORMAT
    # What a .tex file consists of is kept together.
    into=$folder$([ "$2" != tex ] || echo /tex)
    picture=$into/$(basename "$1" .gp).$2
    mkdir -p "$into"
    gnuplot -e "data='$folder'; run='$run'; short=$short; set terminal $(terminal_of "$2"); set output '$picture'" \
        "$1" || exit 1
    case $2 in
    # The graphic lies beside the .tex file, wherever that is taken.
    tex) sed "s|$into/||" "$picture" >"$picture.new" && mv "$picture.new" "$picture" ;;
    ascii) cat "$picture" ;;
    esac
    echo "$picture"
}

# A milestone says so if it has trained for a short while only; the titles speak of a whole training.
short=0
! grep -q '^Not the whole training' "$run/result.txt" 2>/dev/null || short=1
for format in $FORMAT; do
    terminal_of "$format" >/dev/null || exit 2
done
mkdir -p "$folder"
if ! "$LOOKBACK_TUTOR" plots "$lesson" "$@" >"$folder/printed"; then
    cat "$folder/printed"
    exit 1
fi
if [ -s "$folder/printed" ]; then
    echo "What your code printed meanwhile: $folder/printed"
else
    rm -f "$folder/printed"
fi

for script in plots/"$lesson"/*.gp; do
    for format in $FORMAT; do
        draw "$script" "$format"
    done
done
"$LOOKBACK_TUTOR" whose "$lesson" "Drawn from"
