# Drawing one picture, for plot.sh and the book. Who calls says: $folder, for tables and pictures; $run,
# that of the milestone; $short: 1 if that was not trained to its end, or with other settings.

# A milestone says so if it was not trained to its end, or with other settings.
short_of() { # RUN
    short=0
    ! grep '^Not the whole training' "$1/result.txt" 2>/dev/null || short=1
}

# A column's letters have 7 pt: of 300 dots to the inch in a PNG, of 192 in an SVG, which is told so.
terminal_of() { # FORMAT
    case ${WIDTH:-page}/$1 in
    page/png) echo "pngcairo size 900,560 font 'sans,12'" ;;
    page/svg) echo "svg size 900,560 font 'sans,12' background 'white'" ;;
    page/pdf) echo "pdfcairo size 16cm,10cm font 'sans,11'" ;;
    page/tex) echo "cairolatex pdf size 14cm,9cm" ;;
    column/png) echo "pngcairo size 992,709 font 'sans,11' fontscale 2 linewidth 1.6 pointscale 1.6" ;;
    column/svg) echo "svg size 635,454 font 'sans,18.8' background 'white'" ;;
    phone/svg) echo "svg size 600,520 font 'sans,17' background 'white'" ;; # of the book, on a narrow screen
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

draw() { # SCRIPT FORMAT
    narrow=0
    [ "${WIDTH:-page}" = page ] || [ "$2" = ascii ] || narrow=1
    # What a .tex file consists of is kept together.
    into=$folder$([ $narrow = 0 ] || echo "/$WIDTH")$([ "$2" != tex ] || echo /tex)
    picture=$into/$(basename "$1" .gp).$2
    mkdir -p "$into"
    gnuplot -e "data='$folder'; run='$run'; short=$short; narrow=$narrow" \
        -e "set terminal $(terminal_of "$2"); set output '$picture'" "$1" || exit 1
    case $2/$narrow in
    # The graphic lies beside the .tex file, wherever that is taken.
    tex/0) edit="s|$into/||" ;;
    tex/1) edit="s|$into/||; s|^\\\\begingroup|&\\\\fontsize{7}{8}\\\\selectfont|" ;;
    svg/1) edit='s/^ width="635" height="454"/ width="84mm" height="60mm"/' ;; # not of the background
    *) edit= ;;
    esac
    [ -z "$edit" ] || { sed "$edit" "$picture" >"$picture.new" && mv "$picture.new" "$picture"; }
    [ "$2" != ascii ] || cat "$picture"
    echo "$picture"
}
