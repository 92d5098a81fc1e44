# What the suites share. Each suite prints "ok    what" or "FAIL  what" for each thing it proves.
. common/make/lib.sh
. tests/copies.sh

failed=0
tmp=$PWD/build/tmp/$1 # of this suite; or of the lesson that it is about
rm -rf "$tmp"
mkdir -p "$tmp"
said=$tmp/said   # what a step of a suite printed
proof=$tmp/proof # what a proof printed

# A copy of the solutions, for this suite alone: FROM=$from, its results in $out. Other suites link the
# objects of solutions/ at the same time. It is our own code, and runs outside of boxes.
copy_solutions() {
    export UNSAFE=1
    from=${tmp#"$PWD"/}/solutions
    out=build/from/$from
    rm -rf "$out"
    cp -R solutions "$from"
}

# For others' reports where no boxes can be made.
without_boxes() {
    sh common/grade/box.sh probe >/dev/null 2>&1 || export UNSAFE=1
}

ok() {
    echo "ok    $*"
}

fail() {
    echo "FAIL  $*"
    failed=1
}

# Counts a proof as left out, because a tool that it needs is not here.
left() {
    echo "left  $*"
}

# prove WHAT COMMAND...: ok if the command succeeds; otherwise its output, too.
prove() {
    what=$1
    shift
    if "$@" >"$proof" 2>&1; then
        ok "$what"
    else
        fail "$what"
        grep -v ':PASS$' "$proof" | tail -n 30 | sed 's/^/      /'
    fi
}

# refuse WHAT WORDS COMMAND...: ok if the command fails and says the words.
refuse() {
    what=$1
    words=$2
    shift 2
    if "$@" >"$proof" 2>&1; then
        fail "$what: it succeeded"
    elif grep -qF -- "$words" "$proof"; then
        ok "$what"
        cp "$proof" "$said"
    else
        fail "$what: it does not say '$words'"
        sed 's/^/      /' "$proof"
    fi
}

# says WORDS FILE: for prove.
says() {
    grep -qF -- "$1" "$2" || { echo "not found: $1"; cat "$2"; return 1; }
}

# stop_at TEXT WHAT...: make, at a terminal, with Ctrl-C as soon as it has printed the text. On a busy machine the
# training may have ended before the key arrives: then again, with more STEPS=.
stop_at() {
    text=$1
    shift
    for longer in 1 8 64; do
        printf '?%s\n^C\n' "$text" | NO_COLOR=1 "$PWD/$LOOKBACK_OBJECTS/pty" "${MAKE:-make}" "$@" \
            ${steps:+STEPS=$((steps * longer))} >"$said" 2>&1
        if [ ! "${steps:-}" ] || grep -qE 'it was stopped|tables .*are kept' "$said"; then break; fi
    done
}

# stopped_too_early KEPT TABLE: for prove; nothing had come to its end, and the table is that of the run before.
stopped_too_early() {
    says 'the tables of the run before are kept' "$said" && cmp "$1" "$2"
}

# stopped PATTERN...: for prove; what there was has been examined, and the screen has a line for each pattern.
stopped() {
    says 'Not the whole training: it was stopped' "$said" || return
    for pattern in "$@"; do
        grep -q "$pattern" "$said" || { echo "not found: $pattern"; cat "$said"; return 1; }
    done
}

# ctrl_c LESSON TABLE STEPS TEXT STEPS TEXT PATTERN: Ctrl-C at a terminal during a training of so many steps, as soon as
# it has printed the text. The first time nothing has come to its end, so the table does not change. The second time
# something has, and the screen has a line for the pattern.
ctrl_c() {
    cp "$2" "$tmp/before-ctrl-c"
    steps=$3 stop_at "$4" "run-$1" FROM=$from
    prove "Ctrl-C before anything is finished keeps the tables of the run before" \
        stopped_too_early "$tmp/before-ctrl-c" "$2"
    steps=$5 stop_at "$6" "run-$1" FROM=$from
    prove "later it ends the training, and what there is is examined" stopped "$7"
}

# milestone LESSON: makes a copy of the reference for `run`. What a run leaves is in $folder, and the tables of a short
# one are in $tables.
milestone() {
    lesson=$1
    copy_solutions
    folder=$out/$lesson
    tables=$folder/run-quick
}
run() { # SETTING...
    run_make "run-${lesson%%-*}" FROM=$from "$@" >"$said" 2>&1
}
# broken FILE EXERCISE SED [SETTING]: with this change of the reference, the milestone does not run.
broken() {
    sed "$3" $from/$lesson/$1.c >"$tmp/x.c"
    cp "$tmp/x.c" $from/$lesson/$1.c
    refuse "a lesson that is no longer right does not train" "First: $2" run_make "run-${lesson%%-*}" FROM=$from ${4:-}
}
# at COLUMN TEST LENGTH...: for prove; does the test hold for this column of accuracy.dat, at these lengths?
at() {
    column=$1
    holds=$2
    shift 2
    for length; do
        awk "\$1 == $length { good = \$$column $holds } END { exit !good }" "$tables/accuracy.dat" ||
            { echo "column $column at $length words: not $holds"; return 1; }
    done
}
# told LINE COLUMN TEST: the same of a line that the run printed.
told() {
    grep "^ *$1" "$said" | tail -1 | awk "{ good = \$$2 $3 } END { exit !good }"
}

# Which there is, if any, in $browser.
has_browser() {
    for browser in chromium chromium-browser google-chrome; do
        ! command -v $browser >/dev/null || return 0
    done
    browser=
    return 1
}
# open_page ADDRESS OPTION...: in $browser, without a window; what becomes of the page in $tmp/dom, what the console
# said in $tmp/console. No host but this one has an address: whatever a page asked for would be missed there.
# Without the locale, what the browser stores for a page crashes in a folder with an umlaut, again and again.
open_page() {
    address_of_page=$1
    shift
    LC_ALL=C.UTF-8 timeout 900 $browser --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync \
        --disable-background-networking --disable-component-update --user-data-dir="$tmp/browser" \
        --js-flags=--no-opt,--no-wasm-tier-up \
        --host-resolver-rules="MAP * ~NOTFOUND, EXCLUDE 127.0.0.1" --enable-logging=stderr --v=0 "$@" \
        --dump-dom "$address_of_page" >"$tmp/dom" 2>"$tmp/console"
}

# serve FOLDER: by a web server on this machine, at $address, until `kill $server`; $tmp/served has what it says.
serve() {
    $LOOKBACK_CC -std=c17 tests/suites/serve.c -o "$tmp/serve" || fail "tests/suites/serve.c compiles"
    "$tmp/serve" "$1" >"$tmp/served" &
    server=$!
    while [ ! -s "$tmp/served" ] && kill -0 $server; do sleep 0.1; done
    address=http://127.0.0.1:$(head -n 1 "$tmp/served")
}

# passes NAME MILESTONE [WORD...]: for prove; tests/LESSON/NAME.c, with the objects of the milestone that has run.
passes() {
    checked=$1
    grep '\.o$' "$2.of" | xargs ar rc "$tmp/$1.a" &&
        $LOOKBACK_CC $LOOKBACK_FAST_CFLAGS -O0 "tests/$lesson/$1.c" common/nn/product.c "$tmp/$1.a" -lm -o "$tmp/$1" &&
        shift 2 && "$tmp/$checked" "$@"
}

# kept_for_the_page NUMBER FOLDER: for prove; does a run leave what its page (make play-NN) is made of?
kept_for_the_page() {
    set -- "$1" "$2" common/nn/todo.c common/nn/room.c common/nn/random.c common/nn/tasks/language.c
    for before in solutions/*/*.c; do
        set -- "$@" "$before"
        case $before in solutions/"$1"-*) break ;; esac
    done
    page=$1 kept=$2
    shift 2
    $LOOKBACK_CC -std=c17 -w $LOOKBACK_INCLUDES "tests/play/$page.c" "$@" -lm -o "$tmp/page" && "$tmp/page" "$kept"
}

# get_axe: axe-core, which finds what keeps people from reading a page, as $tmp/axe.min.js. It is fetched once.
axe=axe-core-4.14.1.tgz
axe_sha256=e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745
get_axe() {
    if [ ! -s build/fetched/$axe ]; then
        (cd "$tmp" && npm pack --silent "$(echo "${axe%.tgz}" | sed 's/\(.*\)-/\1@/')" && $sha256 $axe | grep -q "^$axe_sha256 ") >"$said" 2>&1 &&
            mv "$tmp/$axe" build/fetched/ || return 1
    fi
    tar -xzOf build/fetched/$axe package/axe.min.js >"$tmp/axe.min.js"
}

# Has this processor all of these features?
runs_here() { # FEATURE...
    for feature; do
        echo "int main(void) { __builtin_cpu_init(); return !__builtin_cpu_supports(\"$feature\"); }" >"$tmp/has.c"
        cc "$tmp/has.c" -o "$tmp/has" 2>"$tmp/has.said" && "$tmp/has" || return
    done
}
