#!/bin/sh
# read.sh FILE: shows a text of lessons/ in the terminal, a page at a time. pandoc turns its Markdown into 80
# columns of plain text. Without pandoc it shows the Markdown. PAGE=1: as a page in the browser.
set -u
. "${0%/*}/lib.sh"
text=$1
pages=build/pages

plain() {
    if command -v pandoc >/dev/null; then
        pandoc --quiet -f markdown -t plain --columns=80 --lua-filter="${0%/*}/formulas.lua" \
            --lua-filter="${0%/*}/plain.lua" "$text"
    else
        cat "$text"
    fi
}

# lessons/03-scaled/README.md is 03.html, and lessons/README.md is README.html.
page_of() {
    echo "$1" | sed "s|lessons/\([0-9]*\)-.*|$pages/\1.html|; s|lessons/\(.*\)\.md|$pages/\1.html|"
}

# All pages lie side by side, and their links lead to each other.
make_pages() {
    sh common/make/need.sh pandoc || exit 1
    mkdir -p $pages
    for file in lessons/*.md lessons/*/README.md; do
        page=$(page_of "$file")
        [ -n "$(find "$file" -newer "$page" 2>&1)" ] || continue
        outside= # what a link out of lessons/ has to have more
        [ "${file%/*}" != lessons ] || outside='s|](\.\./|](../../|g'
        # In the C locale pandoc takes only ASCII from its command line, so the title is part of the text.
        {
            printf '%s\n' --- "pagetitle: \"$(sed -n '1s/# //p' "$file")\"" --- ''
            sed 's|](\(\.\./\)*\([0-9]*\)-[^)/]*/README\.md)|](\2.html)|g
                '"$outside"'
                s|](\(\.\./\)\{0,1\}\([A-Z]*\)\.md|](\2.html|g
                s|](\([a-z]*\.md\))|](../../'"${file%/*}"'/\1)|g
                s|](\(figures/[^)]*\))|](../../'"${file%/*}"'/\1)|g' "$file"
        } | pandoc --quiet --sandbox --lua-filter="${0%/*}/formulas.lua" -f markdown -t html5 -s --mathml -c ../../common/make/report.css -M document-css=true -V lang=en -o "$page.$$" &&
            mv "$page.$$" "$page" || exit 1
    done
}

show_page() {
    page=$PWD/$(page_of "$text")
    for browser in ${BROWSER:+"$BROWSER"} xdg-open open; do
        command -v "${browser%% *}" >/dev/null 2>&1 || continue
        [ "$browser" != xdg-open ] || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || continue
        LC_ALL=${LOOKBACK_LC_ALL-} $browser "$page" >/dev/null 2>&1 && return
    done
    echo "$page"
}

if [ -n "${PAGE:-}" ]; then
    make_pages
    show_page
elif [ -t 1 ]; then
    plain | in_a_pager
else
    plain
fi
