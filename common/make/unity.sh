#!/bin/sh
# unity.sh FOLDER: puts Unity's three source files into FOLDER, and last FOLDER/complete, their checksums.
#
# They come from UNITY=dir where it is given, from a copy on this system, from Debian's package (checked
# by hash), or from upstream's tag (checked by commit). Several makes may run this at once, and each may
# be stopped at any moment: each works in a folder of its own and moves whole files into place. What is
# missing or damaged is repaired the next time. What it says goes to standard error, because scripts read
# what make prints.
set -u
. "${0%/*}/lib.sh"
folder=$1

sources="unity.c unity.h unity_internals.h"
tag=v2.6.1
commit=cbcd08fa7de711053a3deec6339ee89cad5d2697
repository=https://github.com/ThrowTheSwitch/Unity
package=cmock_2.5.3+git40-g379a9a8-2_all.deb
package_sha256=166e45090937251892363d10860b5e7aa5353d5553fde2cbaba514760ba3785e

above=$(dirname "$folder")
work=
trap 'trap "" HUP INT TERM; rm -rf ${work:+"$work"}' EXIT
trap 'exit 1' HUP INT TERM

# Each folder is one, even where a file has its name.
for place in "$above" "$folder"; do
    [ -d "$place" ] || rm -f "$place"
    mkdir -p "$place" || exit 1
done
work=$(mktemp -d "$above/arriving.XXXXXX") || exit 1

# Are the files those that FOLDER/complete was written for?
is_complete() {
    (cd "$folder" && $sha256 $sources | cmp -s - complete) 2>/dev/null
}

# What does not compile must not replace what does.
must_compile() { # WORDS
    ${CC:-cc} -w -c "$work/unity.c" -o "$work/unity.o" && return
    echo "Unity $1 does not compile, so it is not used." >&2
    exit 1
}

# take DIR WORDS: moves copies of the sources in DIR into place, says where they are from, and ends.
# A file that has not changed keeps its time, so that nothing is compiled again.
take() {
    for source in $sources; do
        [ -f "$1/$source" ] || return 1
        cp "$1/$source" "$work/" || exit 1
    done
    (cd "$work" && $sha256 $sources >complete) || exit 1
    [ -z "$had" ] || must_compile "$2"
    for file in $sources complete; do
        [ $file = complete ] || ! cmp -s "$work/$file" "$folder/$file" 2>/dev/null || continue
        [ ! -d "$folder/$file" ] || rm -rf "${folder:?}/$file"
        mv -f "$work/$file" "$folder/$file" || exit 1
    done
    [ "$had" ] || echo "Unity, the test framework: $2" >&2
    exit 0
}

# The very package of Debian, from whatever mirror apt is configured with, unpacked, not installed.
from_debian() {
    helper=/usr/lib/apt/apt-helper
    [ -x "$helper" ] && command -v dpkg-deb >/dev/null || return 1
    for mirror in $(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | sort -u); do
        for component in main universe; do
            if said=$(LC_ALL=C "$helper" -o Acquire::Retries=0 -o Acquire::http::Timeout=20 download-file \
                "${mirror}pool/$component/c/cmock/$package" "$work/unity.deb" "SHA256:$package_sha256" 2>&1); then
                dpkg-deb -x "$work/unity.deb" "$work/deb" && return 0
            fi
            case $said in *"Hash Sum mismatch"*)
                echo "Debian's $package is not the one that this project knows, so it is not used." >&2
                ;;
            esac
        done
    done
    return 1
}

from_tag() {
    command -v git >/dev/null || return 1
    GIT_TERMINAL_PROMPT=0 git -c advice.detachedHead=false -c http.lowSpeedLimit=1000 -c http.lowSpeedTime=20 \
        clone --depth 1 --branch "$tag" "$repository" "$work/git" >/dev/null 2>&1 || return 1
    [ "$(git -C "$work/git" rev-parse HEAD)" = "$commit" ] && return 0
    echo "Unity's tag $tag is not the commit that this project knows, so it is not used." >&2
    return 1
}

had=
! is_complete || had=yes
if [ -n "${UNITY:-}" ]; then
    take "$UNITY/src" "from $UNITY"
    take "$UNITY" "from $UNITY"
    echo "UNITY=$UNITY does not contain unity.c, unity.h and unity_internals.h." >&2
    exit 1
fi
if [ "$had" ]; then
    touch "$folder/complete" # newer than the files again
    exit
fi
for place in /usr/share/cmock/vendor/unity/src /usr/local/share/cmock/vendor/unity/src; do
    take "$place" "from this system ($place)"
done
from_debian && take "$work/deb/usr/share/cmock/vendor/unity/src" "from Debian's cmock package"
from_tag && take "$work/git/src" "$tag, from its repository"
echo "Cannot fetch Unity (no network?). To use your own copy: make UNITY=/path/to/Unity" >&2
exit 1
