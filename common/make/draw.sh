# Draws a lesson's pictures, for plot.sh, figures.sh and the book. The caller sets $lesson; $folder, for tables and
# pictures; $run, the run of the milestone; $FORMAT; and $WIDTH, which is "page" if it is not set.

# A milestone says so if it was not trained to its end, or with other settings.
short_of() { # RUN
    short=0
    ! grep '^Not the whole training' "$1/result.txt" 2>/dev/null || short=1
}

# Letters in a column are 7 pt high, at 300 dots per inch in a PNG and at 192 in an SVG, which contains that
# number.
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
    text/svg) echo "svg size 720,480 font 'sans,18' background 'white'" ;;
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
    [ "${WIDTH:-page}" = page ] || [ "$2" = ascii ] || narrow=1 into=$into/$WIDTH
    [ "$2" != tex ] || into=$into/tex
    picture=$into/$1.$2
}

as_pattern() { # TEXT
    printf %s "$1" | sed 's/[][\\.*^$|]/\\&/g'
}

finish() { # FORMAT: of the picture in its place
    case ${WIDTH:-page}/$1 in
    # The graphic lies beside the .tex file, wherever that is taken.
    page/tex) edit="s|$(as_pattern "$into/")||" ;;
    column/tex) edit="s|$(as_pattern "$into/")||; s|^\\\\begingroup|&\\\\fontsize{7}{8}\\\\selectfont|" ;;
    # The first line that says so is the picture's, the other its background's.
    column/svg) edit='s/^ width="635" height="454"/ width="84mm" height="60mm"/' ;;
    # A figure of a text says what it shows and what drew it, and follows a dark page.
    text/svg) edit="s|<title>.*|<title>$(sed -n '1s/^# //p' "plots/$lesson/$name.gp")</title>|
        s|<desc>.*|<desc>plots/$lesson/$name.gp, drawn by $(gnuplot --version)</desc><style>$(tr '\n' ' ' <common/make/figure.css)</style>|" ;;
    *) edit= ;;
    esac
    [ -z "$edit" ] || { sed "$edit" "$picture" >"$picture.new" && mv "$picture.new" "$picture"; }
    [ "$1" != ascii ] || cat "$picture"
    echo "$picture"
}

# One gnuplot for all of them: it takes longer to begin than to draw.
draw() { # NAME...
    names=$*
    set --
    for name in $names; do
        for format in $FORMAT; do
            place "$name" "$format"
            [ -d "$into" ] || mkdir -p "$into"
            set -- "$@" -e "unset multiplot; reset session" -e "data='$folder'; run='$run'; short=$short; narrow=$narrow" \
                -e "set terminal $(terminal_of "$format"); set output '$picture'" "plots/$lesson/$name.gp"
        done
    done
    [ $# = 0 ] || gnuplot "$@" || return 1
    for name in $names; do
        for format in $FORMAT; do
            place "$name" "$format"
            finish "$format"
        done
    done
}
