# Each documented command can be the first one in a fresh clone: it does its work, or ends with a sentence.
# Of those in whose output scripts read, this is proven with everything made but Unity; first_all proves it
# of all commands, with nothing made.
. tests/suites/lib.sh
without_boxes
top=$PWD
pty=$top/$LOOKBACK_OBJECTS/pty
other=

# Unity comes from this clone, and nothing else comes from anywhere.
mkdir -p "$tmp/bin" "$tmp/home"
commit=$(sed -n 's/^commit=//p' common/make/unity.sh)
cat >"$tmp/bin/git" <<END
#!/bin/sh
case "\$*" in
*" clone "*) for last; do :; done; mkdir -p "\$last/src" && cp $top/build/fetched/unity/unity* "\$last/src" ;;
*arriving*rev-parse*) echo $commit ;;
*) exec $(command -v git) "\$@" ;;
esac
END
printf '#!/bin/sh\necho "E: there is no network" >&2\nexit 100\n' >"$tmp/bin/apt-get"
for program in curl wget npm; do
    printf '#!/bin/sh\nexit 6\n' >"$tmp/bin/$program"
done
chmod +x "$tmp/bin"/*

copy_tree "$tmp/fresh"
rm -r "$tmp/fresh/build"
mkdir -p "$tmp/fresh/class/ada"
cp -R solutions/01-softmax "$tmp/fresh/class/ada"
(cd "$tmp/fresh" && commit_all) || fail "a fresh clone"
clone=$tmp/clone
fresh() {
    rm -rf "$clone"
    cp -Rp "$tmp/fresh" "$clone"
}
first() { # COMMAND...: with no settings but those of a user
    cd "$clone" && env -i PATH="$tmp/bin:$PATH" HOME="$tmp/home" CC="$LOOKBACK_CC" PAGER=cat BROWSER=true GDB=true \
        UNSAFE="${UNSAFE:-0}" "$@"
}
riddle='yntax error\|not found$\|No such file\|nterminated\|egmentation\|annot open\|No rule to make\|No child proc'
speaks() { # STATUS: for prove, of what is in $said
    ! grep -e "$riddle" "$said" || return 1
    [ "$1" = 0 ] || grep -v '^make' "$said" | grep -q '[a-z] [a-z]' || grep -q '^[Mm]ake.*\*\*\* .* .* ' "$said"
}

if [ ! "${LOOKBACK_EVERY_COMMAND:-}" ]; then
    mkdir -p "$tmp/fresh/$LOOKBACK_OBJECTS"
    cp -Rp build/tutor build/compile_flags.txt "$tmp/fresh/build"
    for each in common config flags solutions tests tutor.mk; do
        cp -Rp "$LOOKBACK_OBJECTS/$each" "$tmp/fresh/$LOOKBACK_OBJECTS"
    done
    touch "$tmp/fresh/$LOOKBACK_OBJECTS/config" # newer than the folders that it lists
    rm -r "$tmp/fresh/$LOOKBACK_OBJECTS/common/base" # what a command links of it, it has to ask for
    fresh
    (first make --no-print-directory test-01) >"$tmp/out" 2>"$tmp/err"
    prove "make test-01 begins with a test, and Unity is announced on standard error" sh -c "
        grep -q '^Unity, the test framework' $tmp/err && head -n 1 $tmp/out | grep -q '^tests/01-softmax/.*:[A-Z]*'"
    does() { # WORDS COMMAND...
        words=$1
        shift
        fresh
        (first "$@") >"$said" 2>&1
        prove "$* can be the first command" says "$words" "$said"
        prove "... and Unity came with it" [ -s "$clone/build/fetched/unity/complete" ]
    }
    does "ada (9)" make grade DIR=class LESSON=01
    does "report-01." make report FROM=class/ada LESSON=01 PICTURES=no
    does "1 submissions of 01-softmax" make bench-grade STUDENTS=1
    exit $failed
fi

# A line each, as make help and make maintain have them.
documented() {
    {
        run_make help
        run_make maintain
    } | sed -n 's/^\(make\( [^ ][^ ]*\)*\)  .*/\1/p' | sort -u
}
# What such a command is given here, in $more and, at a terminal, in $keys; or $why it is not tried.
settings_of() { # COMMAND
    more= keys= why=
    case $1 in
    "make test") why="it runs this suite, and continuous integration begins with it" ;;
    "make times") why="it measures the others for many minutes, in copies with everything made" ;;
    "make mutants") why="it takes minutes, and needs what make slips needs" ;;
    "make pictures") why="it draws a picture of the repository again" ;;
    "make slips" | "make costs" | "make book") more="LESSON=01" ;;
    "make bench-grade") more="LESSON=01 STUDENTS=1" ;;
    "make bench-loop") more="ROUNDS=1" ;;
    "make bench") more="ROUNDS=1 SECONDS=.01" ;;
    "make release") more="LESSONS=01" ;;
    "make attempts") more="LESSON=01 DIR=tests/regressions" ;;
    "make grade DIR=class") more="LESSON=01" ;;
    "make watch") keys='?Watching\n^C\n' ;;
    esac
}
try() { # HOW COMMAND...
    how=$1
    shift
    settings_of "$*"
    if [ "$why" ]; then
        [ "$how" = "at a terminal" ] || left "$* as the first command: $why"
        return
    fi
    fresh
    set -- "$@" $more
    name=$*
    if [ "$how" = "at a terminal" ]; then
        [ ! "$other" ] || chown -R 65534 "$clone" "$tmp/home"
        set -- "$pty" $other "$@"
    elif [ "$keys" ]; then
        return # it has no end
    fi
    (printf "$keys" | first "$@") >"$said" 2>&1
    status=$?
    prove "$how $name, the first command, does its work or says why not" speaks $status
}
# As this user and into a file; then at a terminal, as an ordinary user if this is root.
documented >"$tmp/commands"
prove "make help and make maintain have commands" [ "$(wc -l <"$tmp/commands")" -gt 40 ]
while read -r command; do
    try "into a file" $command </dev/null
done <"$tmp/commands"
if [ "$(id -u)" = 0 ]; then
    other="setpriv --reuid=65534 --regid=65534 --clear-groups --"
    $other test -x "$pty" 2>/dev/null || { left "the first command of an ordinary user"; other=; }
fi
while read -r command; do
    try "at a terminal" $command </dev/null
done <"$tmp/commands"

other=
fresh
(first make 01 >"$tmp/one" 2>&1) &
(first make 01 >"$tmp/two" 2>&1)
wait
for each in one two; do
    prove "make $each of two first commands at once checks the lesson" sh -c "
        grep -q 'Lesson 01: Softmax' $tmp/$each && ! grep '$riddle' $tmp/$each"
done
prove "... and nothing half done is left" [ "$(ls "$clone/build/fetched")" = unity ]
exit $failed
