# The set-up brings what is missing, asks where it may not, and leaves nothing half done.
. tests/suites/lib.sh

top=$PWD

# A PATH with the basic tools and those programs only that a test puts there.
bin=$tmp/bin
tools="sh cat cp rm mv mkdir cmp grep head sed sort dirname basename mktemp touch env awk tr sha256sum"
paths=
for tool in $tools; do
    paths="$paths $(command -v "$tool")"
done
new_system() {
    rm -rf "$bin"
    mkdir -p "$bin"
    ln -s $paths "$bin"
    program id 'echo 1000'
}
program() {
    printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}
on_it() {
    env PATH="$bin" "$@"
}
need() {
    on_it sh common/make/need.sh gnuplot
}

# The files as a Git that writes CRLF checks them out.
for crlf in true false; do
    git -c core.autocrlf=$crlf checkout-index -a --prefix="$tmp/$crlf/"
done
prove "a checkout under core.autocrlf=true is the same, byte for byte" diff -r "$tmp/true" "$tmp/false"
prove "... without a carriage return" sh -c "! grep -rlI \"\$(printf '\r')\" $tmp/true"

new_system
program gnuplot true
prove "a program that is there is not asked for" sh -c \
    "[ -z \"\$(PATH=$bin sh common/make/need.sh gnuplot 2>&1)\" ]"
for pair in "apt-get:sudo apt-get install gnuplot-nox" "dnf:sudo dnf install gnuplot" \
    "pacman:sudo pacman -S gnuplot" "brew:brew install gnuplot"; do
    new_system
    program "${pair%%:*}" 'echo "must not run" >&2; exit 1'
    refuse "with ${pair%%:*}, and not as root, the one command is printed" "${pair#*:}" need
    prove "... on one line, and nothing is run" sh -c "[ \$(wc -l <$said) = 1 ] && ! grep must $said"
done
new_system
refuse "without any of them, a plain request" "your system's package manager" need

new_system
program id 'echo 0'
program apt-get "echo \"\$@\" >>$tmp/apt; [ \$1 = update ] || printf '#!/bin/sh\n' >$bin/gnuplot"
rm -f "$tmp/apt"
prove "as root with apt, it is installed" need
prove "... without a question" says "install -y" "$tmp/apt"
new_system
program id 'echo 0'
program apt-get 'echo "E: no network" >&2; exit 100'
refuse "an apt that fails is one clear line" "Cannot install gnuplot-nox: E: no network" need

new_system
program id 'echo 0'
program apt-get "case \"\$*\" in *install*no-such*) exit 100 ;; *install*gnuplot*) printf '#!/bin/sh\n' >$bin/gnuplot ;; esac"
prove "an optional program that apt does not know keeps none of the others out" sh -c \
    "PATH=$bin sh common/make/need.sh -o no-such gnuplot >/dev/null && [ -f $bin/gnuplot ]"

new_system
program dnf 'echo "must not run" >&2; exit 1'
prove "what is optional is left out in silence" sh -c \
    "[ -z \"\$(PATH=$bin sh common/make/need.sh -o gnuplot 2>&1)\" ]"

commit=$(sed -n 's/^commit=//p' common/make/unity.sh)
unity() {
    on_it sh common/make/unity.sh "$tmp/unity"
}
new_system
program apt-get 'exit 1'
program git 'exit 128'
refuse "without a network, Unity is one clear line" "make UNITY=/path/to/Unity" unity
prove "... and nothing is half done" sh -c "[ \$(wc -l <$said) = 1 ] && [ ! -e $tmp/unity/unity.c ] && ! ls $tmp/arriving.*"
new_system
program git "case \"\$*\" in
    *rev-parse*) echo 0123456789 ;;
    *clone*) for last; do :; done; mkdir -p \$last/src; touch \$last/src/unity.c \$last/src/unity.h \$last/src/unity_internals.h ;;
    esac"
refuse "an upstream commit that is not the known one is not used" "not the commit" unity
prove "... and nothing is half done" sh -c "[ ! -e $tmp/unity/unity.c ] && ! ls $tmp/arriving.*"
program git "case \"\$*\" in
    *rev-parse*) echo $commit ;;
    *clone*) for last; do :; done; mkdir -p \$last/src; touch \$last/src/unity.c \$last/src/unity.h \$last/src/unity_internals.h ;;
    esac"
prove "the known one is" unity
prove "... whole" sh -c "ls $tmp/unity/unity.c $tmp/unity/unity.h $tmp/unity/unity_internals.h"
prove "... and where it is from goes to standard error: scripts read what make prints" sh -c "
    rm $tmp/unity/complete && [ -z \"\$(PATH=$bin sh common/make/unity.sh $tmp/unity 2>$said)\" ] && grep -q '^Unity' $said"
new_system
prove "a second run fetches nothing" unity
rm -rf "$tmp/unity"
UNITY=$tmp/nothing
export UNITY
refuse "UNITY=dir without Unity in it says so" "does not contain unity.c" unity
UNITY=$PWD/build/fetched/unity
prove "UNITY=dir is taken" unity
prove "... with its files as they are" cmp "$tmp/unity/unity.c" build/fetched/unity/unity.c
cp -R build/fetched/unity "$tmp/newer"
echo '#error' >>"$tmp/newer/unity.c"
UNITY=$tmp/newer
refuse "another that does not compile is refused" "does not compile, so it is not used" \
    sh common/make/unity.sh "$tmp/unity"
prove "... and the one before is still there" cmp "$tmp/unity/unity.c" build/fetched/unity/unity.c
cp build/fetched/unity/unity.c "$tmp/newer"
echo '/* newer */' >>"$tmp/newer/unity.h"
prove "another that does is taken in its place" sh common/make/unity.sh "$tmp/unity"
prove "... as it is" diff -r -x complete "$tmp/unity" "$tmp/newer"
unset UNITY

# Each command of unity.sh waits at a gate: the one whose turn is $STOP says so in $tmp/reached, and goes on
# when there is a $tmp/go. The git that comes last delivers this machine's Unity.
gate() { # TOOL COMMAND
    program "$1" "[ \"\${STOP:-}\" ] || exec $2 \"\$@\"
        echo \"$1 \$*\" >>$tmp/steps
        if [ \$(wc -l <$tmp/steps) = \$STOP ]; then
            : >$tmp/reached
            tries=0
            ! echo 'It stops here.' 2>/dev/null >/dev/tty || :
            while [ ! -e $tmp/go ] && [ \$((tries += 1)) -lt \${PATIENCE:-1000} ]; do $(command -v sleep) 0.02; done
        fi
        exec $2 \"\$@\""
}
new_system
rm -f "$bin"/cp "$bin"/mv "$bin"/rm "$bin"/sha256sum "$bin"/mktemp "$bin"/mkdir
ln -s "$(command -v wc)" "$bin"
for tool in cp mv rm sha256sum mktemp mkdir; do
    gate $tool "$(command -v $tool)"
done
program upstream "case \"\$*\" in
    *rev-parse*) echo $commit ;;
    *clone*) for last; do :; done; $(command -v mkdir) -p \$last/src && $(command -v cp) $PWD/build/fetched/unity/unity* \$last/src ;;
    esac"
gate git "$bin/upstream"
unity_is_whole() {
    diff -r -x complete build/fetched/unity "$tmp/unity" && (cd "$tmp/unity" && sha256sum unity.c unity.h unity_internals.h | cmp - complete) &&
        [ -z "$(ls -d "$tmp"/arriving.* 2>/dev/null)" ]
}
start_to() { # TURN: one that stops there, as process $first; fails if it has ended before
    rm -rf "$tmp/unity" "$tmp/steps" "$tmp/reached" "$tmp/go"
    STOP=$1 on_it sh common/make/unity.sh "$tmp/unity" >"$tmp/first" 2>&1 &
    first=$!
    while [ ! -e "$tmp/reached" ]; do
        kill -0 $first 2>/dev/null || return 1
        sleep 0.02
    done
}
both_fetch() { # while the first one stops, a second one comes and goes
    unity && unity_is_there || return 1
    : >"$tmp/go"
    wait $first && unity_is_whole
}
unity_is_there() {
    (cd "$tmp/unity" && sha256sum unity.c unity.h unity_internals.h | cmp - complete)
}
stop=1
while start_to $stop; do
    both_fetch >"$proof" 2>&1 || { fail "of two makes at once both have Unity, if one waits before: $(tail -n 1 "$tmp/steps")"; cat "$tmp/first" "$proof"; }
    stop=$((stop + 1))
done
prove "two makes at once both have Unity, wherever one of them stops: $((stop - 1)) places" [ $stop -gt 12 ]

# Ctrl-C at each of them, in a clone of which only Unity is missing; then make again.
clone=$tmp/clone
fetched=build/fetched/unity/complete
copy_tree "$clone" Makefile common lessons 'tests/0*'
mkdir -p "$clone/$LOOKBACK_OBJECTS"
cp -p build/tutor build/compile_flags.txt "$clone/build"
cp -p "$LOOKBACK_OBJECTS/flags" "$clone/$LOOKBACK_OBJECTS"
cp "$LOOKBACK_OBJECTS/config" "$clone/$LOOKBACK_OBJECTS"
for tool in $(cd "$bin" && ls); do
    grep -q "$tmp/steps" "$bin/$tool" || [ "$tool" = upstream ] || rm "$bin/$tool"
done
program apt-get 'exit 1'
make_it() {
    (cd "$clone" && env PATH="$bin:$PATH" "$@")
}
interrupt_at() { # TURN: fails if make ended before
    rm -rf "$clone/build/fetched" "$tmp/steps" "$tmp/reached" "$tmp/go"
    printf '?It stops here.\n^C\n' |
        STOP=$1 PATIENCE=50 make_it "$top/$LOOKBACK_OBJECTS/pty" "${MAKE:-make}" --no-print-directory $fetched >"$tmp/first" 2>&1
    [ -e "$tmp/reached" ]
}
mends_itself() {
    make_it env -u STOP -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "${MAKE:-make}" $fetched &&
        diff -r -x complete build/fetched/unity "$clone/build/fetched/unity" &&
        (cd "$clone/build/fetched/unity" && sha256sum unity.c unity.h unity_internals.h | cmp - complete) &&
        [ "$(ls "$clone/build/fetched")" = unity ]
}
stop=1
while interrupt_at $stop; do
    mends_itself >"$proof" 2>&1 || { fail "after Ctrl-C make works again, if it came at: $(tail -n 1 "$tmp/steps")"; cat "$tmp/first" "$proof"; }
    stop=$((stop + 1))
done
prove "after Ctrl-C make works again, wherever it came: $((stop - 1)) places" [ $stop -gt 12 ]

# Whatever else happened to what was fetched.
repaired() { # WHAT COMMAND: in build/fetched of the clone
    (cd "$clone/build/fetched" && eval "$2")
    prove "make repairs $1" mends_itself
}
repaired "a file that is missing" 'rm unity/unity.h'
repaired "a file that is empty" ': >unity/unity.c'
repaired "a file that is cut off" 'head -c 1000 unity/unity.h >part && mv part unity/unity.h'
repaired "a folder without Unity" 'rm unity/*'
repaired "a folder in place of a file" 'rm unity/unity.c && mkdir unity/unity.c'
repaired "a file in place of the folder" 'rm -r unity && : >unity'
repaired "a file in place of all that was fetched" 'cd .. && rm -r fetched && : >fetched'
repaired "checksums of something else" 'echo 1 >unity/complete && touch -t 200001010000 unity/complete'

# A folder in which make may not write, and files that it may not read.
other= # an ordinary user, if this is root
[ "$(id -u)" != 0 ] || other="setpriv --reuid=65534 --regid=65534 --clear-groups --"
as_other() {
    (cd "$clone" && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS $other "${MAKE:-make}" --no-print-directory "$@")
}
if $other test -r "$clone/Makefile" 2>/dev/null; then
    whose="is write-protected, so make cannot write in it. This command allows it: chmod -R u+w build"
    if [ "$other" ]; then
        whose="belongs to root, perhaps after sudo make, so make cannot write in it. This command makes it yours: sudo chown -R 65534:65534 build"
        chown -R 65534 "$clone"
        chown 0 "$clone/build" "$clone/$LOOKBACK_OBJECTS"
    else
        chmod a-w "$clone/build" "$clone/$LOOKBACK_OBJECTS"
    fi
    for goal in check 01 list clean CC=another; do
        refuse "make $goal says why it cannot write in build/" "build $whose" as_other $goal
        prove "... on one line" [ "$(wc -l <"$said")" = 1 ]
    done
    prove "make help works all the same" as_other help
    [ "$other" ] && chown 65534 "$clone/build" || chmod u+w "$clone/build"
    refuse "a folder below it is named" "$LOOKBACK_OBJECTS $whose" as_other 01
    [ "$other" ] && chown 65534 "$clone/$LOOKBACK_OBJECTS" || chmod u+w "$clone/$LOOKBACK_OBJECTS"
    chmod 0 "$clone/lessons/01-softmax/softmax.c"
    refuse "a file that cannot be read is not called wrong" "softmax.c could not be built" as_other 01
    prove "... and a command makes it readable" says "chmod u+r lessons/01-softmax/softmax.c" "$said"
    chmod 644 "$clone/lessons/01-softmax/softmax.c"
    [ ! "$other" ] || chown -R 0 "$clone"
else
    left "who may not write in build/, and not read his file: it takes setpriv, and a clone that others may read"
fi
PATH=$bin:$PATH run_make -C "$clone" clean
prove "... and make clean keeps it" [ "$(ls "$clone/build")" = fetched ]

refuse "a compiler that is not there is one clear line" "is not installed" \
    env CC=no-such-compiler sh common/make/probe.sh "$tmp/config" "$LOOKBACK_LESSONS" "$LOOKBACK_LESSONS"
prove "... and nothing is half done" [ ! -e "$tmp/config" ]
mkdir -p "$tmp/objects"
probe() {
    sh common/make/probe.sh "$tmp/objects/config" "${1:-$LOOKBACK_LESSONS}" "$LOOKBACK_LESSONS"
}
sed "s|$LOOKBACK_OBJECTS\$|$tmp/objects|" "$LOOKBACK_OBJECTS/flags" >"$tmp/objects/flags"
touch -t 202001010000 "$tmp/objects/flags"
probe
prove "the same flags leave all objects as they are" [ -z "$(find "$tmp/objects/flags" -newer Makefile)" ]
probe "$LOOKBACK_LESSONS 98-typical"
prove "... and so does a lesson more" [ -z "$(find "$tmp/objects/flags" -newer Makefile)" ]
echo "LOOKBACK_LEAKS := no longer" >>"$tmp/objects/flags"
probe
prove "other flags are written down, and objects made again" sh -c "
    [ \$(find '$tmp/objects/flags' -newer Makefile) ] && ! grep 'no longer' '$tmp/objects/flags'"
refuse "a suite that is none is refused, and told which there are" "There is no suite 'figure-2'. There are: bank" \
    env SUITES="stubs figure-2" sh tests/run.sh
refuse "a second make test at once is refused" "Another make test runs here already" \
    env SUITES=stubs sh tests/run.sh
exit $failed
