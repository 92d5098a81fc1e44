#!/bin/sh
# box.sh VERB ...: compiles, links, runs and unpacks what students handed in, each in a box of its own. A box
# sees the system's programs and nothing of ours. Bytes go in and come out through pipes, and what the box
# writes is gone with it. This is the one place that knows bubblewrap.
#
#   probe                                     can there be boxes? makes what they need, in build/grade/box
#   compile SOURCE.c OBJECT.o FLAGS...        our headers are there, by the names that the flags have
#   link OBJECT.o PROGRAM WORDS...            those of the words that are files go in, too
#   run PROGRAM                               with pipes on 3 and 4, and on 5 one for bwrap's --info-fd
#   tables PROGRAM FOLDER                     runs PROGRAM with a folder of the box as its argument; brings
#                                             the files from there to FOLDER, and what it prints
#   unpack ARCHIVE FOLDER                     a .zip, or a .tar however packed, into an empty folder, with the archives
#                                             in it; prints what of these could not be unpacked
#
# Status 0; 1: what was handed in is to blame; 2: there can be no boxes; 3: this one did not start.
# UNSAFE=1: no boxes, only their limits.
set -uf
case $0 in
*/*) here=$(cd -P "${0%/*}" && pwd) ;;
*) here=$(pwd -P) ;;
esac
root=${here%/common/grade}
compiler=${LOOKBACK_CC:-${CC:-cc}}
unsafe=
[ "${UNSAFE:-0}" = 0 ] || unsafe=yes
made=$root/build/grade/box${unsafe:+-unsafe}
newline='
'

give_up() { # STATUS WHY
    echo "$2" >&2
    exit "$1"
}

# A box is a matter of milliseconds, and so is each process that this script starts on the way: it starts few.

# --- what boxes are made of, a word a line

# No limit counts root's processes, and root may do what others may not. If there is no other user, as in a
# namespace that an ordinary user made, root is no more than that user.
be_nobody() {
    set -- setpriv --reuid=65534 --regid=65534 --clear-groups --
    [ "$(id -u)" != 0 ] || ! "$@" true 2>/dev/null || printf '%s\n' "$@"
}

# Options that not every bubblewrap has.
if_known() { # OPTION WORDS...
    ! bwrap --help 2>&1 | grep -q -e " $1 " || printf '%s\n' "$@"
}

# Shows programs, libraries and headers. Other folders below /usr may be a course, or a class.
see_programs() { # BELOW
    for folder in bin lib lib32 lib64 libx32 libexec include; do
        [ ! -d "$1/$folder" ] || printf '%s\n' --ro-bind "$1/$folder" "$1/$folder"
    done
}

# Our clone, and LOOKBACK_HIDE, a folder a line: where the box would see one of them, it sees an empty folder.
hide() { # sets $hidden
    hidden= IFS=$newline
    for folder in $root ${LOOKBACK_HIDE:-}; do
        case $folder in
        /usr/* | /bin/* | /lib*)
            hidden=$hidden$newline--tmpfs$newline$folder$newline--remount-ro$newline$folder
            ;;
        esac
    done
}

walls() {
    be_nobody
    printf '%s\n' bwrap --unshare-all --unshare-user --die-with-parent --new-session --cap-drop ALL \
        --hostname box --clearenv --setenv PATH /usr/bin:/bin
    see_programs /usr
    # The compiler may be one that was built here.
    case $(command -v "${compiler%% *}") in /usr/local/*) see_programs /usr/local ;; esac
    if_known --disable-userns
    for folder in bin lib lib32 lib64 libx32; do
        if [ -L /$folder ]; then
            printf '%s\n' --symlink "$(readlink /$folder)" /$folder
        elif [ -d /$folder ]; then
            printf '%s\n' --ro-bind /$folder /$folder
        fi
    done
}

# A workshop is for compilers and archivers; with /proc, which the address sanitizer reads, for programs.
workshop() { # WORDS...
    [ $# = 0 ] || printf '%s\n' "$@"
    printf '%s\n' --setenv LC_ALL C --setenv TMPDIR /box --dev-bind /dev/null /dev/null \
        --ro-bind-try /etc/alternatives /etc/alternatives
    if_known --size $((128 << 20))
    printf '%s\n' --tmpfs /box --chdir /box --remount-ro / --
}

# How many processes there are, where those outside of the box count against a limit, too: before Linux 5.14.
crowd() {
    case $unsafe$(uname -r) in
    yes* | [0-4].* | 5.[0-9].* | 5.1[0-3].*)
        echo $((500 + $(find /proc -maxdepth 3 -path "*/task/*" 2>/dev/null | wc -l)))
        ;;
    *) echo 0 ;;
    esac
}

limit() { # PROCESSES OTHERS...: $limits is what comes before a command
    limits="prlimit${newline}--core=0$newline--nproc=$(($1 + crowd))"
    shift
    for word; do
        limits=$limits$newline$word
    done
    limits=$limits$newline--
}

# --- work in a workshop

# work SECONDS SCRIPT WORD...: runs the script there; each of its processes may work for so long. The caller
# watches for processes that only wait. The limit here is a last resort, and then the status is 124.
# The script says "started" on 1 first, and then "failed" or "done"; what it makes goes to 3. This ends the
# shell that calls it.
work() {
    limit 64 --as=${space:-$((1536 << 20))} --cpu="$1:$(($1 + 2))" --fsize=$((64 << 20)) --nofile=64
    limits="$limits${newline}timeout${newline}-k${newline}10$newline${LOOKBACK_LAST_RESORT:-900}"
    script=$2
    shift 2
    if [ "$unsafe" ]; then
        cd "$folder" && IFS=$newline && TMPDIR=$folder $limits sh -c "$script" sh "$@"
    else
        [ "$walls" ] && hide && exec $walls $hidden ${room:-$workshop} $limits sh -c "$script" sh "$@"
    fi
}

# Moves what was made to its place, or removes it if it is not whole.
conclude() { # HOW IT WENT, WHAT IS MADE, WHY IT WAS STOPPED; it comes right behind the work, for its status
    [ $? != 124 ] || { rm -f "$2.part" && give_up 3 "The machine is too busy: this took longer than all else ever does."; }
    case $1 in
    *done) mv "$2.part" "$2" && return ;;
    *failed) rm -f "$2.part" && exit 1 ;;
    started) rm -f "$2.part" && give_up 1 "$3" ;;
    esac
    exit 3
}

compile_it='echo started
name=$1 source=${1#/}
shift
whole_names() {
    [ "$name" != "$source" ] || exec cat
    source=$source: exec awk "index(\$0, ENVIRON[\"source\"]) == 1 { printf \"/\" } 1"
}
tar xf - && { [ -d "${source%/*}" ] || mkdir -p "${source%/*}"; } && cat <&4 >"$source" || exit
"$@" -c "$source" -o made.o >said 2>&1 && cat made.o >&3 && how=done || how=failed
[ ! -s said ] || head -c 200000 said | whole_names >&2
[ $how = done ] || grep -q "^$source:.*error: " said ||
    echo "$name:1:1: error: $(tail -n 1 said | sed "s|^/box/[^ ]* ||")" >&2
echo $how'

compile() { # SOURCE OBJECT FLAGS...
    source=$1 object=$2
    exec 3>"$object.part" 4<"$1" || exit 3
    shift 2
    how=$(work "${LOOKBACK_COMPILE_SECONDS:-10}" "$compile_it" "$source" $compiler "$@" <"$made/headers.tar")
    conclude "$how" "$object" "$source:1:1: error: this keeps the compiler busy for ever, or fills its memory"
}

link_it='echo started
tar xf - && cat <&4 >yours.o || exit
"$@" -o made >said 2>&1 && cat made >&3 && how=done || how=failed
[ ! -s said ] || head -c 200000 said >&2
echo $how'

# The words that are files go in under their whole names less the first slash.
link() { # OBJECT PROGRAM WORDS...
    object=$1 program=$2 files=
    shift 2
    for word; do
        shift
        if [ -f "$word" ]; then
            case $word in
            /*) word=${word#/} ;;
            *) word=${PWD#/}/$word ;;
            esac
            files=$files$newline$word
        fi
        set -- "$@" "$word"
    done
    exec 3>"$program.part" 4<"$object" && chmod +x "$program.part" || exit 3
    how=$(IFS=$newline && tar chf - -C / $files -T /dev/null | work 10 "$link_it" $compiler yours.o "$@")
    conclude "$how" "$program" "the linker was stopped: it had no end"
}

# one ARCHIVE FOLDER: unpacks it, or says why not. unzip ends with 1 where it only warns, of the backslashes that
# some programs of Windows write, and also where it left out what is encrypted.
unpack_one='case $(head -c 2 "$1") in
PK)
    LC_ALL=C.UTF-8 unzip -qq -o -P "" "$1" -x ".git/*" "*/.git/*" -d "$2"
    how=$?
    [ $how = 0 ] || ! unzip -Z "$1" 2>/dev/null | grep -q "^[^ ]*  *[0-9.]*  *[^ ]*  *[0-9]* [TB]" || how=82
    [ $how != 1 ] || how=0
    ;;
*)
    mkdir -p "$2" && tar xf "$1" -C "$2" --exclude=.git
    how=$?
    ;;
esac </dev/null >words 2>&1
[ $how = 0 ] || ! grep -q "No space left" words || how=153
[ $how = 0 ] || ! grep -q "name too long" words || how=name
[ $how = 0 ] || ! grep -qi "unexpected e" words || how=9
case $how in
0) exit 0 ;;
5 | 82) echo "it is encrypted. Pack it without a password" ;;
9) echo "it is not a complete archive. Was the upload cut off?" ;;
81) echo "unzip does not know this kind of compression. Pack it with zip" ;;
153) echo "it contains more than 64 MB" ;;
name) echo "a name in it is longer than 255 bytes" ;;
*) echo "it cannot be unpacked: $(grep . words | grep -v "^caution: " | head -n 1)" ;;
esac
exit 1'

# carried TAR FOLDER: brings out what a box has packed. The box may have been taken over, so this may be anything. tar
# lets no path leave the folder, and here no link leads anywhere. Returns whether all of it is there.
carried() {
    mkdir -p "$2" && tar tvf "$1" | awk '/^[bc]/ { device = 1 } END { exit device || NR > 2100 }' &&
        tar xf "$1" -C "$2" --no-same-owner --no-same-permissions
    whole=$?
    find "$2" -type l -exec ln -sfn nowhere {} \;
    rm "$1"
    return $whole
}

# An archive in it, and no deeper one, is unpacked in its place, under its name less the ending.
unpack_it='echo started
mkdir files inner && cat <&4 >archive && printf "%s\n" "$1" >one || exit
sh one archive files >said 2>&1 && how=done || how=failed
rm archive
chmod -R u+rwX files
find files -name __MACOSX -prune -o -type f ! -name "._*" \( -iname "*.zip" -o -iname "*.tar" -o -iname "*.tar.?z*" \
    -o -iname "*.t[gxb]z*" \) -exec sh -c "n=\$(ls inner | wc -l)
    [ \$n -ge 16 ] || { printf %s/ \"\$1\" >inner/\$n.name && mv \"\$1\" inner/\$n; }" sh {} \;
for name in inner/*.name; do
    [ -e "$name" ] || continue
    path=$(cat "$name") inner=${name%.name}
    path=${path%/}
    to=${path%.[!.]*}
    to=${to%.[Tt][Aa][Rr]}
    [ ! -e "$to" ] || to=$path.unpacked
    if ! why=$(sh one "$inner" "$to" 2>&1); then
        echo "${path##*/}: $why" >>said
        chmod -R u+rwX "$to" 2>/dev/null
        rm -rf "$to" # a part of it would pass for the whole
    fi
done
chmod -R u+rwX files
[ $(find files -exec printf "%.0sx" {} + | wc -c) -le 2001 ] || { echo "it contains more than 2000 files" >said && how=failed; }
[ $(du -sk files | cut -f 1) -le 63000 ] || { echo "it contains more than 64 MB" >said && how=failed; }
tar cf - -C files . >&3 || how=failed
head -c 1000 said >&2
echo $how'

unpack() { # ARCHIVE FOLDER
    command -v unzip >/dev/null || [ "$(head -c 2 "$1")" != PK ] ||
        give_up 3 "a zip needs unzip: apt install unzip"
    exec 3>"$2.all.part" 4<"$1" || exit 3
    how=$(work 10 "$unpack_it" "$unpack_one" </dev/null)
    conclude "$how" "$2.all" "unpacking it takes for ever, or fills the memory"
    carried "$2.all" "$2"
}

# The code may have taken over the program, so all that comes out is untrusted.
tables_it='echo started
cat <&4 >program && chmod +x program && mkdir all all/tables || exit
env "$@" ASAN_OPTIONS=hard_rss_limit_mb=512 ./program all/tables >all/out 2>all/err </dev/null
echo $? >all/status
tar cf - -C all . >&3 && echo done || echo failed'

# The address sanitizer takes more addresses than a limit could allow: should memory become short, this is
# what goes first.
tables() { # PROGRAM FOLDER
    exec 3>"$2.all.part" 4<"$1" || exit 3
    how=$({ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
        space=unlimited room=$program work 10 "$tables_it" ${LOOKBACK_PICTURE:+"LOOKBACK_PICTURE=$LOOKBACK_PICTURE"} </dev/null)
    conclude "$how" "$2.all" "it has no end, or fills the memory"
    rm -rf "$2.new"
    carried "$2.all" "$2.new"
    status=$(head -c 3 "$2.new/status" | tr -cd 0-9)
    cat "$2.new/out"
    cat "$2.new/err" >&2
    find "$2.new/tables" -type f -exec mv -f {} "$2" \;
    rm -rf "$2.new"
    [ $whole = 0 ] && return "${status:-1}"
}

# --- the box of a program

# Limits of time and memory are for those to watch who start it: the address sanitizer takes
# more addresses than a limit could allow. SIGXCPU is for the program, and not for bwrap.
run() { # PROGRAM
    inside=/box/${1##*/} IFS=$newline
    if [ "$unsafe" ]; then
        limit 16 --fsize=$((1 << 20))
        printf '"child-pid": %d\n' $$ >&5
        exec $limits "$1"
    fi
    [ "$walls" ] && hide && limit 16 --fsize=$((1 << 20)) --nofile=32 || exit 3
    # Where the C library's lines are known, a sanitizer would read all of them at each crash.
    [ ! -d /usr/lib/debug ] || hidden="$hidden$newline--tmpfs$newline/usr/lib/debug$newline--remount-ro$newline/usr/lib/debug"
    trap '' XCPU
    $walls $hidden --setenv LC_ALL C --setenv UBSAN_OPTIONS "${UBSAN_OPTIONS:-print_stacktrace=1}" \
        --setenv ASAN_OPTIONS "${ASAN_OPTIONS:-symbolize=1}:quarantine_size_mb=16" --info-fd 5 --seccomp 6 \
        --proc /proc --perms 0555 --ro-bind-data 7 "$inside" --chdir /box --remount-ro / -- \
        $limits "$inside" 6<"$made/calls" 7<"$1"
}

# --- can there be boxes?

# Two probes may run at once, so each file is made beside its place, and moved there.
place() {
    mv "$made/$1.$$" "$made/$1"
}
make_lists() {
    mkdir -p "$made" || exit 2
    (set +f && cd "$root" && tar cf "$made/headers.tar.$$" common/nn/*.h common/testing/*.h lessons/*/*.h) && place headers.tar &&
        $compiler -std=c17 "$here/filter.c" -o "$made/filter.$$" && place filter &&
        "$made/filter" >"$made/calls.$$" && place calls || exit 2
    printf "crowd='%s'\n" "$(crowd)" >"$made/lists.$$"
    [ "$unsafe" ] || printf "walls='%s'\nworkshop='%s'\nprogram='%s'\n" "$(walls)" "$(workshop)" \
        "$(workshop --proc /proc)" >>"$made/lists.$$"
    . "$made/lists.$$"
}

setting() { # WHETHER this setting of the system has that VALUE
    [ "$(cat "/proc/sys/$1" 2>/dev/null)" = "$2" ]
}

how_to_allow() { # BWRAP'S OWN WORDS
    if setting kernel/apparmor_restrict_unprivileged_userns 1; then
        echo "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
    elif setting kernel/unprivileged_userns_clone 0; then
        echo "sudo sysctl kernel.unprivileged_userns_clone=1"
    elif setting user/max_user_namespaces 0; then
        echo "sudo sysctl user.max_user_namespaces=10000"
    elif [ -e /.dockerenv ] || [ -e /run/.containerenv ]; then
        echo "start the container with --privileged"
    else
        echo "$1" | head -1
    fi
}

# Compiles, links and runs a program that does nothing.
probe() {
    [ "$(uname)" = Linux ] || [ "$unsafe" ] || give_up 2 "boxes are made of what Linux has: grade on Linux"
    sh "$root/common/make/need.sh" tar prlimit timeout $([ "$unsafe" ] || echo bwrap) || exit 2
    make_lists
    try=$made/try.$$
    echo 'int main(void) { return 0; }' >"$try.c"
    if ! said=$(work 10 true 2>&1); then
        give_up 2 "bubblewrap cannot make a box here. $(how_to_allow "$said")"
    fi
    said=$( (compile "$try.c" "$try.o") 2>&1 &&
        (link "$try.o" "$try") 2>&1 && (run "$try") 2>&1 5>/dev/null)
    worked=$?
    rm -f "$try" "$try".*
    [ $worked = 0 ] ||
        give_up 2 "$compiler does not work in a box: $(echo "$said" | head -1)"
    place lists
}

case ${1-} in
probe) ;;
compile | link | run | tables | unpack)
    [ -s "$made/lists" ] || give_up 3 "no box is ready: box.sh probe makes what they need"
    . "$made/lists"
    ;;
*) give_up 2 "box.sh probe, compile, link, run, tables or unpack" ;;
esac
if [ "$unsafe" ] && [ "$1" != run ]; then
    folder=$(mktemp -d) || exit 3
    trap 'rm -rf "$folder"' EXIT
fi
"$@"
