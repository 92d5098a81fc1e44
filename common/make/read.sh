#!/bin/sh
# read.sh LESSON: the lesson's text at the terminal, a page at a time where somebody looks on.
# PAGE=1: as a page for the browser, with its formulas set.
set -u
. "$(dirname "$0")/lib.sh"
lesson=$1

in_a_pager() {
    LESSCHARSET=${LESSCHARSET:-utf-8}
    export LESSCHARSET
    for pager in ${PAGER:+"$PAGER"} "less -FR" more cat; do
        command -v "${pager%% *}" >/dev/null 2>&1 || continue
        [ "$pager" != less ] || pager="less -FR"
        # The tutor writes into a pipe and cannot see the terminal behind it.
        [ "${TERM:-dumb}" = dumb ] || FORCE_COLOR=1
        export FORCE_COLOR
        "$LOOKBACK_TUTOR" read "$lesson" | sh -c "$pager"
        return
    done
}

# The pages of all lessons lie side by side, so that their links lead to each other.
make_pages() {
    sh common/make/need.sh pandoc || exit 1
    pages=build/pages
    mkdir -p $pages
    { echo '<style>' && cat common/make/report.css && echo '</style>'; } >$pages/style
    for each in $LOOKBACK_LESSONS; do
        page=$pages/${each%%-*}.html
        text=lessons/$each/README.md
        [ -z "$(find "$text" common/make/report.css -newer $page 2>&1)" ] && continue
        sed 's|](\.\./\([0-9]*\)-[^)/]*/README\.md)|](\1.html)|g; s|](\([a-z]*\.md\))|](../../lessons/'"$each"'/\1)|g' "$text" |
            pandoc --quiet --sandbox -f markdown -t html5 -s --mathml -H $pages/style -V lang=en \
                -M pagetitle="$(sed -n '1s/# //p' "$text")" -o "$page.new" &&
            mv "$page.new" "$page" || exit 1
    done
}

show_page() {
    page=$PWD/build/pages/${lesson%%-*}.html
    for browser in ${BROWSER:+"$BROWSER"} xdg-open open; do
        command -v "${browser%% *}" >/dev/null 2>&1 || continue
        [ "$browser" != xdg-open ] || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || continue
        $browser "$page" >/dev/null 2>&1 && return
    done
    echo "$page"
}

if [ -n "${PAGE:-}" ]; then
    make_pages
    show_page
elif [ -t 1 ]; then
    in_a_pager
else
    "$LOOKBACK_TUTOR" read "$lesson"
fi
