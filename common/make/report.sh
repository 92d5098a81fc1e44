#!/bin/sh
# report.sh LESSON...: the homework report of those lessons, as HTML and PDF in build/report/.
# Without pandoc or weasyprint: as Markdown, with the pictures beside it, and a line that says so.
set -u
. "${0%/*}/lib.sh"
# A report on another folder (FROM=...) is written beside the results of that folder, and has its name.
folder=build/report
if [ "$FROM" != lessons ]; then
    folder=$LOOKBACK_OUT/report
    NAME=${NAME:-$(basename "$FROM")}
fi
NAME=${NAME:-$(git config user.name 2>/dev/null)}
export NAME
report=$folder/report
[ $# != 1 ] || report=$folder/report-${1%%-*}
mkdir -p "$folder"
rm -f "$report.md" "$report.html" "$report.pdf"

for lesson in "$@"; do
    [ "$FROM" = lessons ] || are_files "$FROM/$lesson" "$FROM/$lesson/$(name_of "$lesson").c" \
        "$FROM/answers" "$FROM/answers/${lesson%%-*}.md"
    ! grep -q '^wrong' "$LOOKBACK_OUT/$lesson/results" 2>/dev/null || run_make -s "told-$lesson"
    # The pictures of all that is done, drawn now, beside the Markdown: the folder can be handed in.
    # PICTURES=no leaves them out, and what they wait for: training.
    [ "${PICTURES:-yes}" != no ] || { rm -rf "${folder:?}/$lesson" && continue; }
    drawn=$LOOKBACK_OUT/$lesson/plots/column
    rm -rf "${folder:?}/$lesson" "$drawn"
    "$LOOKBACK_TUTOR" pictures "$lesson" | grep -qv ' ' || continue
    run_make -s "plot-${lesson%%-*}" FORMAT=png WIDTH=column >/dev/null ||
        echo "The pictures of lesson ${lesson%%-*} are missing in the report." >&2
    [ ! -d "$drawn" ] || cp -R "$drawn" "$folder/$lesson"
done

hash_of() {
    $sha256 | cut -d ' ' -f 1
}

# What a lecturer compares: whatever was committed since, another course has another fingerprint.
course_files() {
    find Makefile common lessons plots solutions tests \
        \( -name Makefile -o -name '*.h' -o -name '*.sh' -o -name '*.gp' -o -name slips -o \
        -path '*/milestone*.c' -o -name '*.c' ! -path 'lessons/*' \) -type f | LC_ALL=C sort
}
made_from() {
    [ "${UNSAFE:-0}" = 0 ] || echo "UNBOXED   this code ran with the rights of the person who made the report (UNSAFE=1)"
    echo "compiler  $($LOOKBACK_CC --version | head -n 1)"
    [ ! -f RELEASE ] || printf 'release   %s\n' "$(sh common/make/handed_out.sh)"
    ! commit=$(git rev-parse --short HEAD 2>/dev/null) || {
        echo "commit    $commit"
        git status --short -- Makefile common tests plots solutions 'lessons/*/*.h' | cut -c 4- |
            paste -s -d ' ' - | sed -n 's/^./not committed: &/p'
    }
    [ -f RELEASE ] || echo "course    $(course_files | tr '\n' '\0' | xargs -0 $sha256 | cut -d ' ' -f 1 | hash_of)"
    for lesson in "$@"; do
        file=$FROM/$lesson/$(name_of "$lesson").c
        [ ! -f "$file" ] || echo "lesson ${lesson%%-*} $(hash_of <"$file")"
    done
}
{
    "$LOOKBACK_TUTOR" report "$@" || exit
    echo "## Made from"
    echo
    made_from "$@" | sed 's/^/    /'
    echo
    of="course is the SHA-256 of its tests, headers, references, plots and tools"
    [ ! -f RELEASE ] || of="release is the SHA-256 of all files that were handed out"
    echo "The line of the $of. It is the"
    echo "same in every unchanged copy. The line of a lesson is the SHA-256 of the student's file."
} >"$report.md" || exit

if ! sh common/make/need.sh pandoc weasyprint; then
    echo "Without pandoc and weasyprint, the report is Markdown with pictures beside it:"
    echo "$report.md"
    exit 0
fi

# Whatever a learner's text gets past the tutor, pandoc can read no file. (Before 2.15 it has no sandbox;
# it has no reason to read one, either.) So style and pictures are put in afterwards, and code is divided
# at its empty lines, so that a page ends there.
sandbox=
! pandoc --help | grep -q -- --sandbox || sandbox=--sandbox
put_in() {
    (cd "$folder" && awk -v style="$OLDPWD/common/make/report.css" '
        /^<\/head>/ {
            print "<style>"
            while ((getline line <style) > 0) print line
            print "</style>"
        }
        /^<body>$/ { $0 = $0 "<main>" }
        /^<\/body>$/ { $0 = "</main>" $0 }
        sub(/<code class="sourceCode c">/, "&<span class=\"part\">") { code = 1 }
        code { gsub(/<a href="#cb[^>]*><\/a>/, "") }
        code && /^<span id="cb[-0-9]*"><\/span>$/ { printf "</span><span class=\"part\">"; next }
        code && sub(/<\/code>/, "</span>&") { code = 0 }
        {
            while (match($0, /<img src="[0-9][^":]*\.png"/)) {
                picture = substr($0, RSTART + 10, RLENGTH - 11)
                printf "%s%s<img src=\"data:image/png;base64,", end, substr($0, 1, RSTART - 1)
                end = ""
                while (("base64 <" picture) | getline line) printf "%s", line
                $0 = "\"" substr($0, RSTART + RLENGTH)
            }
            printf "%s%s", end, $0
            end = "\n"
        }
        END { print "" }')
}
if ! pandoc --quiet $sandbox --wrap=preserve -f markdown-tex_math_dollars-tex_math_single_backslash-raw_html-raw_tex-smart \
    -t html5 -s -V lang=en -M document-css=false --highlight-style=monochrome "$report.md" >"$folder/bare.html" ||
    ! put_in <"$folder/bare.html" >"$report.html"; then
    exit 1
fi
# What is a heading, a table, or the text of a picture: a reader's programs find it in a tagged PDF.
for options in "-q --pdf-tags" "-q --pdf-variant pdf/ua-1" ""; do
    ! weasyprint "$report.html" "$report.pdf" $options 2>"$folder/said" || break
    [ "$options" ] || { cat "$folder/said" >&2 && exit 1; }
done
rm -f "$folder/bare.html" "$folder/said"
echo "$report.html"
echo "$report.pdf"
