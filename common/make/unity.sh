#!/bin/sh
# unity.sh FOLDER: puts Unity's three source files into FOLDER, once.
#
# From UNITY=dir where it is given, a copy on this system, Debian's package (checked by hash), or
# upstream's tag (checked by commit). Never half done: FOLDER appears whole or not at all.
set -u
folder=$1

tag=v2.6.1
commit=cbcd08fa7de711053a3deec6339ee89cad5d2697
repository=https://github.com/ThrowTheSwitch/Unity
package=cmock_2.5.3+git40-g379a9a8-2_all.deb
sha256=166e45090937251892363d10860b5e7aa5353d5553fde2cbaba514760ba3785e

work=$folder.part
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
rm -rf "$work"
mkdir -p "$work/src" || exit 1

# take DIR WORDS: copies the sources found in DIR, says where they are from, and ends.
take() {
    for source in unity.c unity.h unity_internals.h; do
        [ -f "$1/$source" ] || return 1
        cp "$1/$source" "$work/src/$source" || return 1
    done
    if [ -f "$folder/unity.c" ]; then
        # What does not compile is not to take the place of what does.
        ${CC:-cc} -w -c "$work/src/unity.c" -o "$work/unity.o" || {
            echo "Unity $2 does not compile: not taken." >&2
            exit 1
        }
        # UNITY=dir again: touch only what differs, so that nothing is rebuilt for nothing.
        for source in unity.c unity.h unity_internals.h; do
            cmp -s "$work/src/$source" "$folder/$source" || mv "$work/src/$source" "$folder/$source" || exit 1
        done
    else
        mkdir -p "$(dirname "$folder")" && mv "$work/src" "$folder" || return 1
        echo "Unity, the test framework: $2"
    fi
    exit 0
}

# The very package of Debian, from whatever mirror apt is configured with, unpacked, not installed.
from_debian() {
    helper=/usr/lib/apt/apt-helper
    [ -x "$helper" ] && command -v dpkg-deb >/dev/null || return 1
    for mirror in $(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | sort -u); do
        for component in main universe; do
            if said=$(LC_ALL=C "$helper" -o Acquire::Retries=0 -o Acquire::http::Timeout=20 download-file \
                "${mirror}pool/$component/c/cmock/$package" "$work/unity.deb" "SHA256:$sha256" 2>&1); then
                dpkg-deb -x "$work/unity.deb" "$work/deb" && return 0
            fi
            case $said in *"Hash Sum mismatch"*)
                echo "Debian's $package is not the one that this project knows: not used." >&2
                ;;
            esac
        done
    done
    return 1
}

from_upstream() {
    command -v git >/dev/null || return 1
    GIT_TERMINAL_PROMPT=0 git -c advice.detachedHead=false -c http.lowSpeedLimit=1000 \
        -c http.lowSpeedTime=20 clone --quiet --depth 1 --branch "$tag" "$repository" \
        "$work/git" >/dev/null 2>&1 || return 1
    [ "$(git -C "$work/git" rev-parse HEAD)" = "$commit" ] && return 0
    echo "Unity's tag $tag is not the commit that this project knows: not used." >&2
    return 1
}

if [ -n "${UNITY:-}" ]; then
    take "$UNITY/src" "from $UNITY"
    take "$UNITY" "from $UNITY"
    echo "UNITY=$UNITY holds no unity.c, unity.h and unity_internals.h." >&2
    exit 1
fi
[ ! -f "$folder/unity.c" ] || exit 0
for place in /usr/share/cmock/vendor/unity/src /usr/local/share/cmock/vendor/unity/src; do
    take "$place" "from this system ($place)"
done
from_debian && take "$work/deb/usr/share/cmock/vendor/unity/src" "from Debian's cmock package"
from_upstream && take "$work/git/src" "$tag, from its repository"
echo "Cannot fetch Unity (no network?). With a copy by hand: make UNITY=/path/to/Unity" >&2
exit 1
