#!/bin/sh
# play.sh [LESSON...]: writes build/play/NN.html for each lesson that has a scene. The functions of $FROM run
# in this page, compiled to WebAssembly. Functions of earlier lessons are the references, as in the tests.
set -eu
cd "$(dirname "$0")/../../.."
. common/make/lib.sh
here=common/web/play
build=build/play made=build/wasm
[ "$FROM" = lessons ] || build=$LOOKBACK_OUT/play
flags="--target=wasm32-wasi -std=c17 -w -fno-builtin -Icommon -Icommon/nn -Icommon/testing -Icommon/grade"
# Each block, load and store calls host.c. The learner's code is not optimized, so that it keeps its lines.
asks="-mllvm -sanitizer-coverage-prune-blocks=0 -fsanitize-coverage=edge,trace-pc,trace-loads,trace-stores"
of_page=$made/of_page # the functions that the module calls and page.js has
while_linking="-mexec-model=reactor -Wl,--stack-first,-z,stack-size=1048576,--max-memory=67108864,--allow-undefined-file=$of_page"

# 02-dot-product/dot_product and so on: the names of a lesson's files begin with these words.
stems=
for folder in lessons/[0-9]*-*; do
    flags="$flags -I$folder"
    stems="$stems ${folder#*/}/$(name_of "${folder#*/}")"
done
# Each WORD of name("WORD") in the scene: the functions that it calls, the files that it asks for.
named() { # NAME
    grep -o "$1(\"[^\"]*\"" "$scene" | cut -d '"' -f 2 | sort -u | tr '\n' ' '
}
generate() { # WHAT
    build/generate "$1" "$exercises" "$called" $headers
}

# Compiles one of our own files, unless its object is newer than all that it is made of.
ours() { # OBJECT SOURCE FLAGS...
    object=$made/$1 source=$2
    shift 2
    objects="$objects $object"
    [ -f "$object" ] && [ -z "$(find "$source" common/*/*.h lessons/*/*.h $here/play.sh -newer "$object")" ] ||
        { clang $flags "$@" -c "$source" -o "$object.$$" && mv "$object.$$" "$object"; }
}

# The lesson's module in $work, module.wasm, and module.debug with the lines.
compile() {
    objects=
    [ -f "$yours" ] || { echo "There is no $yours." >&2; return 1; }
    generate hosted >"$work/hosted.c" || return 1
    cmp -s "$work/hosted.c" "$made/hosted-$number.c" || mv "$work/hosted.c" "$made/hosted-$number.c"
    ours "hosted-$number.o" "$made/hosted-$number.c" -O1
    ours host.o $here/host.c -O1 -mbulk-memory
    for before in $befores; do
        ours "${before%/*}.o" "solutions/$before.c" $asks -O1
    done
    clang $flags $asks -O0 -g -c "$yours" -o "$work/yours.o" 2>"$work/said" &&
        clang --target=wasm32-wasi $while_linking "$work/yours.o" $objects -lm -o "$work/module.debug" 2>>"$work/said" &&
        llvm-strip --strip-debug "$work/module.debug" -o "$work/module.wasm" ||
        {
            echo "$yours does not compile; make $number says more:" >&2
            grep -m 3 'error' "$work/said" >&2 || cat "$work/said" >&2
            return 1
        }
}

# Where the code begins in the module, and from where in the code each line of the learner's file is; line 0 is no line.
places() {
    llvm-readobj --sections "$work/module.wasm" |
        awk '/Type: CODE/ { code = 1 } code && /Offset:/ { print $2; code = 0 }'
    llvm-dwarfdump --debug-line "$work/module.debug" | awk -v file="\"${yours##*/}\"" '
        /^debug_line\[/ { mine = 0 }
        $1 == "name:" && $2 == file { mine = 1 }
        mine && /^0x/ && $2 > 0 { print $1, /end_sequence/ ? 0 : $2 }' | sort | uniq -f 1
}
# embed ID: the file on standard input, as base64; page.js finds it by its ID.
embed() {
    echo "<script type=\"application/octet-stream\" id=\"$1\">"
    base64
    echo '</script>'
}
# What the run has left of the files that the scene asks for.
kept() {
    run=$LOOKBACK_OUT/$lesson/run
    [ -d "$run" ] || run=$run-quick
    for file in $(named kept); do
        [ ! -f "$run/$file" ] || embed "kept/$file" <"$run/$file"
    done
}

page() {
    title=$(sed -n '1s/^# //p' "lessons/$lesson/README.md")
    cat <<EOF
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'wasm-unsafe-eval'">
<title>$title</title>
<style>
$(cat $here/page.css)
</style>
</head>
<body>
<main>
<h1>$title</h1>
<p id="task"></p>
<p class="from">Computed by <code>$(printf %s "$yours" | sed 's/&/\&amp;/g; s/</\&lt;/g')</code>.</p>
<div id="play"></div>
<noscript><p>The functions run in the page: that takes JavaScript.</p></noscript>
</main>
<script type="application/json" id="table">
$(generate table)
</script>
<script type="text/plain" id="places">
$(places)
</script>
$(embed source <"$yours")
$(kept)
$(embed module <"$work/module.wasm")
<script>
$(cat common/web/shared.js $here/page.js)
</script>
<script>
scene(() => {
$(cat "$scene")
});
</script>
</body>
</html>
EOF
}

mkdir -p "$build" $made
{ echo todo && grep -o 'host_[a-z_]*' $here/page.js; } >$of_page.$$ && mv $of_page.$$ $of_page
offered=$(ls plots/*/*_play.js | cut -d / -f 2)
[ $# -gt 0 ] || set -- $offered
for lesson; do
    number=${lesson%%-*} stem=$lesson/$(name_of "$lesson")
    scene=plots/${stem}_play.js yours=$FROM/$stem.c befores=${stems%% "$stem"*} work=$build/$number
    if [ ! -f "$scene" ]; then
        echo "Lesson $number has no such page; these have: $(echo $offered | sed 's/-[^ ]*//g')" >&2
        exit 2
    fi
    headers=$(printf 'lessons/%s.h ' $befores $stem)
    called=$(named call) exercises=$(sed -n 's/^## //p' "lessons/$lesson/hints.md" | tr '\n' ' ')
    mkdir -p "$work"
    compile
    page >"$work/page.html"
    mv "$work/page.html" "$build/$number.html"
    echo "$build/$number.html"
done
