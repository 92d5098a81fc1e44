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
            grep -q "^- \`$(basename "$script")\`: " "lessons/$lesson/README.md"
    done
    prove "lessons/$lesson/README.md speaks of no picture that is not there" sh -c "
        for name in \$(sed -n 's/^- .\([^ ]*\.gp\).: .*/\1/p' lessons/$lesson/README.md); do
            [ -f plots/$lesson/\$name ] || { echo \$name; exit 1; }
        done"
    if ! run_make "plot-${lesson%%-*}" FROM=$from FORMAT="png svg pdf tex ascii" >"$said" 2>"$said.err"; then
        fail "plots of $lesson: $(grep -m 1 . "$said.err")"
        cat "$said.err"
        continue
    fi
    if grep -qv 'is run first' "$said.err"; then
        fail "plots of $lesson: gnuplot warns"
        cat "$said.err"
    fi
    for script in plots/"$lesson"/*.gp; do
        plot=$(basename "$script" .gp)
        for picture in $plot.png $plot.svg $plot.pdf tex/$plot.tex $plot.ascii; do
            if [ -f "$folder/$picture" ] && [ "$(wc -c <"$folder/$picture")" -gt 1000 ]; then
                ok "$lesson $picture"
            else
                fail "$lesson $picture is not there, or empty: $folder/$picture"
            fi
        done
    done
done
[ ! "${all:-}" ] ||
    refuse "a format that is none is refused" "png, svg, pdf, tex or ascii" \
        run_make plot-01 FROM=$from FORMAT=bmp
exit $failed
