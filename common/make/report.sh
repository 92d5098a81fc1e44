#!/bin/sh
# report.sh LESSON...: the homework report of those lessons, as HTML and PDF in build/report/.
# Without pandoc or weasyprint: as Markdown, with the pictures beside it, and a line that says so.
set -u
. "$(dirname "$0")/lib.sh"
# Another's report lies with the results of his folder, and bears its name.
folder=build/report
name=${NAME:-$(git config user.name 2>/dev/null)}
if [ "$LOOKBACK_FROM" != lessons ]; then
    folder=$LOOKBACK_OUT/report
    name=${NAME:-$(basename "$LOOKBACK_FROM")}
fi
report=$folder/report
[ $# != 1 ] || report=$folder/report-${1%%-*}
mkdir -p $folder
rm -f $report.md $report.html $report.pdf

hash_of() {
    if command -v sha256sum >/dev/null; then
        sha256sum
    elif command -v shasum >/dev/null; then
        shasum -a 256
    else
        cksum
    fi | cut -d ' ' -f 1
}

# The learner's name as plain text, whatever characters it has.
plain() {
    sed 's/[][\\`*_<>#|$~^@&"]/\\&/g'
}

# The pictures of what is passed, drawn now: a lesson may have passed a moment ago.
for lesson in "$@"; do
    "$LOOKBACK_OBJECTS/tutor" passed "$lesson" 2>/dev/null || continue
    run_make -s "plot-${lesson%%-*}" FORMAT=png >/dev/null ||
        exit 1
done

# Whether the course is the one that was handed out; nothing where there is no git.
tell_state_of_the_course() {
    commit=$(git rev-parse --short HEAD 2>/dev/null) || return
    changed=$(git status --short -- Makefile common tests plots solutions 'lessons/*/*.h' 2>/dev/null)
    echo "The course: commit $commit, ${changed:+**changed**: }$(echo "${changed:-as it was handed out}" |
        sed 's/^...//' | paste -s -d ' ' - | plain)."
    echo
}
{
    echo "# Lookback: homework report"
    echo
    echo "$(printf '%s' "${name:-No name: make report NAME=...}" | plain), $(date +%Y-%m-%d)"
    echo
    "$LOOKBACK_OBJECTS/tutor" report "$@"
    echo "## Made from"
    echo
    echo "Compiler: $($LOOKBACK_CC --version | head -1 | plain)"
    echo
    tell_state_of_the_course
    echo "| file | SHA-256 |"
    echo "|:--|:--|"
    for lesson in "$@"; do
        file=$LOOKBACK_FROM/$lesson/$(name_of "$lesson").c
        [ ! -f "$file" ] || echo "| \`$file\` | \`$(hash_of <"$file")\` |"
    done
} >$report.md

# Beside the Markdown, so that the folder can be handed in as it is.
beside() {
    for lesson in "$@"; do
        for picture in "$LOOKBACK_OUT/$lesson"/plots/*.png; do
            [ -f "$picture" ] || continue
            mkdir -p "$folder/$lesson"
            cp "$picture" "$folder/$lesson/"
        done
    done
    sed "s|]($LOOKBACK_OUT/\([^/]*\)/plots/|](\1/|" $report.md >$report.new && mv $report.new $report.md
}

if ! sh common/make/need.sh pandoc weasyprint; then
    beside "$@"
    echo "Without pandoc and weasyprint it is Markdown, with its pictures beside it:"
    echo "$report.md"
    exit 0
fi

# pandoc 2.19 and later have another name for it.
whole=--self-contained
pandoc --help | grep -q -- --embed-resources && whole=--embed-resources
html() { # FILE HOW: the Markdown as one HTML file, with nothing outside of it
    pandoc $report.md -f markdown-tex_math_dollars-tex_math_single_backslash-raw_html-raw_tex \
        -t html5 -s $whole -V lang=en -M pagetitle="Lookback: homework report" \
        -c common/make/report.css "$2" -o "$1"
}
# In print the code is plain: coloured, each word is a box of its own, which takes four times as long.
print=$folder/print.html
html $report.html --highlight-style=monochrome && html $print --no-highlight || exit 1
if ! weasyprint -q $print $report.pdf 2>$folder/said && ! weasyprint $print $report.pdf 2>$folder/said; then
    cat $folder/said >&2
    exit 1
fi
rm -f $print
rm -f $folder/said
echo "$report.html"
echo "$report.pdf"
