# Every plot renders, in every format, to a picture that is not empty, and without a warning: of all lessons
# that need no long run first. The suite of such a run has its plots proven by plots.sh LESSON FROM.
lessons=$1
from=${2:-}
set -- "plots${from:+-$lessons}" # a folder for what is said
. tests/suites/lib.sh

if [ "$from" ]; then
    out=build/from/$from
else
    all=yes
    copy_solutions
    lessons=
    for lesson in $LOOKBACK_LESSONS; do
        [ -d lessons/"$lesson"/milestone ] || lessons="$lessons $lesson"
    done
fi
plot() { # LESSON ARGUMENT...: where a run is short, it is much shorter here
    number=${1%%-*}
    shift
    run_make -s "plot-$number" LOOKBACK_WARNING_CFLAGS= ${all:+STEPS=20} "$@" # what an optimizer finds is proven in warnings
}
for lesson in $lessons; do
    folder=$out/$lesson/plots
    rm -rf "$folder"
    for kind in weights gradients; do
        prove "plots of $lesson include $kind" sh -c "ls plots/$lesson/$kind*.gp"
    done
    for script in plots/"$lesson"/*.gp; do
        prove "$script asks a question, is short, and leaves the terminal to make" sh -c "
            head -1 $script | grep -q '^# .*?\$' && [ \$(wc -l <$script) -le 25 ] &&
            ! grep -nE 'set +(term|out)' $script"
        prove "$script has no letter in its words that LaTeX would trip over" sh -c "
            ! sed 's/rgb \"[^\"]*\"//' $script | grep -nE '^ *set +(multiplot|[xy]label|title|cblabel|label).*\"[^\"]*[_^%&#\\\\{}~]'"
        prove "$script has its line in the lesson's text" \
            grep -q "^- \`${script##*/}\`: " "lessons/$lesson/README.md"
    done
    prove "lessons/$lesson/README.md speaks of no picture that is not there" sh -c "
        for name in \$(sed -n 's/^- .\([^ ]*\.gp\).: .*/\1/p' lessons/$lesson/README.md); do
            [ -f plots/$lesson/\$name ] || { echo \$name; exit 1; }
        done"
    # Pictures that are drawn for a column below need a second SVG, PDF and LaTeX file in one lesson only.
    formats="png svg ascii pdf tex"
    [ ! "${all:-}" ] || [ "$lesson" = "${LOOKBACK_LESSONS%% *}" ] || formats="png ascii"
    if ! plot "$lesson" FROM=$from FORMAT="$formats" >"$said" 2>"$said.err"; then
        fail "plots of $lesson: $(grep -m 1 . "$said.err")"
        cat "$said.err"
        continue
    fi
    if grep -qv 'runs first' "$said.err"; then
        fail "plots of $lesson: gnuplot warns"
        cat "$said.err"
    fi
    for script in plots/"$lesson"/*.gp; do
        plot=${script##*/} plot=${plot%.gp}
        for format in $formats; do
            picture=$plot.$format
            [ $format != tex ] || picture=tex/$picture
            if [ -f "$folder/$picture" ] && [ "$(wc -c <"$folder/$picture")" -gt 1000 ]; then
                ok "$lesson $picture"
            else
                fail "$lesson $picture is not there, or empty: $folder/$picture"
            fi
        done
    done
done
[ "${all:-}" ] || exit $failed

# The plots in the lessons' texts. Another gnuplot draws others, and so does a run that another compiler has trained.
for lesson in $lessons; do
    for figure in lessons/"$lesson"/figures/*.svg; do
        script=plots/$lesson/$(basename "$figure" .svg).gp
        [ -f "$script" ] && ! grep -q 'run\.' "$script" || continue
        if ! grep -q "$(gnuplot --version)" "$figure"; then
            left "$figure: this gnuplot is not the one that drew it"
            continue
        fi
        [ -f "$tmp/figures/$lesson/${figure##*/}" ] ||
            FIGURES=$tmp/figures run_make -s figures LESSON="${lesson%%-*}" >"$said" 2>&1
        prove "$figure is what make figures draws" cmp "$tmp/figures/$lesson/${figure##*/}" "$figure"
    done
done
refuse "a format that is none is refused" "png, svg, pdf, tex or ascii" \
    run_make plot-01 FROM=$from FORMAT=bmp
refuse "a width that is none is refused" "page or column" run_make plot-01 FROM=$from WIDTH=wide

. common/make/draw.sh
# A learner who has done what the line Needs names, and nothing else, sees the picture.
part=${tmp#"$PWD"/}/part
rm -rf "build/from/$part"
for lesson in $lessons; do
    file=$(name_of "$lesson").c
    mkdir -p "$part/$lesson"
    for script in $(grep -l '^# Needs ' plots/"$lesson"/*.gp); do
        picture=$lesson/plots/$(basename "$script" .gp).png
        sh common/make/stubs.sh print "$lesson" >"$tmp/$file"
        for exercise in $(sed -n 's/^# Needs //p' "$script"); do
            "$LOOKBACK_TUTOR" splice "$tmp/$file" "solutions/$lesson/$file" "$exercise" >"$tmp/new" &&
                mv "$tmp/new" "$tmp/$file"
        done
        cmp -s "$tmp/$file" "$part/$lesson/$file" || { # pictures that need the same are drawn together
            cp "$tmp/$file" "$part/$lesson/$file"
            plot "$lesson" FROM=$part FORMAT=png >"$said" 2>&1
        }
        # The learner has not trained, not even for a short while, and a picture says so.
        [ ! -d "$out/$lesson/run-quick" ] ||
            (folder=$out/$lesson/plots run=none short=0 FORMAT=png && draw "$(basename "$script" .gp)") >/dev/null
        prove "$script waits for no more than it needs" sh -c "
            cmp build/from/$part/$picture build/from/$from/$picture || { cat $said; exit 1; }"
    done
done

# words_fit PDF LEAST WIDTH HEIGHT: no word is cut off, and none is set in less than so many points.
words_fit() {
    pdftotext -bbox "$1" - | awk -F '"' -v least="$2" -v right="$3" -v bottom="$4" '
        /<word/ {
            wide = $6 - $2
            high = $8 - $4
            letters = length($9) - length("></word>")
            small = (letters > 3) == (wide < high) ? wide : high # turned on its side, or too short to tell
            if ($2 < 0 || $4 < 0 || $6 > right || $8 > bottom || small < least * 1.16) { print; bad = 1 }
        }
        END { exit bad }'
}
# The size of a PNG is that of its terminal, which is the same for all.
plot 01 FROM=$from WIDTH=column >"$said" 2>&1
for picture in "build/from/$from"/01-*/plots/column/*.png; do
    prove "$(basename "$picture") is 84 mm wide in a column" sh -c "
        [ \"\$(od -An -tx1 -j16 -N4 $picture | tr -d ' ')\" = 000003e0 ]"
done
WIDTH=column FORMAT="svg pdf tex"
for lesson in $lessons; do
    # The tables are those of above.
    folder=$out/$lesson/plots run=$out/$lesson/run-quick
    column=$folder/column
    short_of "$run" >/dev/null
    (cd "plots/$lesson" && printf '%s\n' *.gp) | sed 's/\.gp$//' >"$tmp/names"
    draw $(cat "$tmp/names") >"$said" 2>&1
    prove "plots of $lesson are drawn for a column, without a warning" \
        sh -c "! grep -i 'warning\|line [0-9]' $said"
    for script in plots/"$lesson"/*.gp; do
        plot=${script##*/} plot=${plot%.gp}
        prove "$lesson $plot is 84 mm wide in a column, in letters of 7 pt" sh -c "
            grep -q 'width=\"84mm\"' $column/$plot.svg &&
            grep -q '^<rect .*width=\"635\" height=\"454\" fill=\"#ffffff\"' $column/$plot.svg &&
            grep -q 'fontsize{7}' $column/tex/$plot.tex && [ \$(wc -c <$column/$plot.pdf) -gt 1000 ] &&
            [ \$(wc -c <$column/tex/$plot.tex) -gt 1000 ] &&
            ! grep -o 'font-size=\"[0-9.]*' $column/$plot.svg | grep -v '1[89]\|[2-9][0-9]'"
        ! command -v pdftotext >/dev/null ||
            prove "... and no word of it is cut off or smaller" words_fit "$column/$plot.pdf" 7 238.2 170.2
    done
done
exit $failed
