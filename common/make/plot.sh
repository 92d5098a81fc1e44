#!/bin/sh
# plot.sh LESSON "PASSED LESSONS" OBJECT...: links a lesson's data program with the objects, runs
# it, and draws every picture of the lesson as $FORMAT.
set -u
. "$(dirname "$0")/lib.sh"
lesson=$1
passed=$2
shift 2
folder=$LOOKBACK_OUT/$lesson/plots
run=$LOOKBACK_OUT/$lesson/run
program=$LOOKBACK_OBJECTS/$LOOKBACK_FROM/$lesson/plots

case $FORMAT in
png) terminal="pngcairo size 900,560 font 'sans,12'" ;;
svg) terminal="svg size 900,560 font 'sans,12' background 'white'" ;;
pdf) terminal="pdfcairo size 16cm,10cm font 'sans,11'" ;;
tex) terminal="cairolatex pdf size 14cm,9cm" folder=$folder/tex ;;
ascii) terminal="dumb 79 28" ;;
*)
    echo "FORMAT=$FORMAT: it is png, svg, pdf, tex or ascii." >&2
    exit 2
    ;;
esac

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
    picture=$folder/$(basename "$script" .gp).$FORMAT
    gnuplot -e "data='$folder'; run='$run'; set terminal $terminal; set output '$picture'" "$script" || exit 1
    case $FORMAT in
    # The graphic lies beside the .tex file, wherever that is taken.
    tex) sed "s|$folder/||" "$picture" >"$picture.new" && mv "$picture.new" "$picture" ;;
    ascii) cat "$picture" ;;
    esac
    echo "$picture"
done

echo "Drawn from $(whose_code "$lesson" "$passed")."
