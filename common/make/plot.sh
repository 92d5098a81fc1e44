#!/bin/sh
# plot.sh LESSON "PASSED LESSONS" OBJECT...: links a lesson's data program with the objects, runs
# it, and draws every picture of the lesson in each format of $FORMAT.
set -u
. "$(dirname "$0")/lib.sh"
lesson=$1
passed=$2
shift 2
folder=$LOOKBACK_OUT/$lesson/plots
run=$LOOKBACK_OUT/$lesson/run
program=$LOOKBACK_OBJECTS/$LOOKBACK_FROM/$lesson/plots

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
$LOOKBACK_CC $LOOKBACK_CFLAGS "$@" -o "$program" $LOOKBACK_LDLIBS || exit 1
if ! "$program" "$folder" >"$folder/printed" 2>"$folder/said"; then
    echo "The program that computes the pictures of lesson $lesson failed:" >&2
    sed -n 1,8p "$folder/said" >&2
    exit 1
fi
rm -f "$folder/said"
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
tell_whose_code "Drawn from" "$lesson" "$passed"
