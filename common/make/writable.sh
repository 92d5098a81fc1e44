#!/bin/sh
# writable.sh OBJECTS FROM RESULTS: prints the first folder in which make has to write and cannot, the reason, and what
# to do. Prints nothing if make can write in all of them.
find_blocked() {
    for folder; do
        [ -w "$folder" ] && [ -d "$folder" ] || [ ! -e "$folder" ] || return 0
    done
    return 1
}
if [ -e build ]; then
    objects=$1 yours=$1/yours/$2 results=$3
    set -- build build/*/ "$objects"/*/ "$objects"/*/*/ "$yours"/*/ "$results"/*/
else
    set -- .
fi
find_blocked "$@" || exit 0

folder=${folder%/}
whole=${folder%%/*}
[ "$whole" != . ] || folder=$PWD whole=$PWD
if [ ! -d "$folder" ]; then
    echo "$folder is a file, but make needs a folder of that name: move it away"
elif [ -z "$(find "$folder" -prune -user "$(id -u)")" ]; then
    echo "$folder belongs to $(ls -ld "$folder" | awk '{ print $3 }'), perhaps after sudo make, so make cannot write" \
        "in it. This command makes it yours: sudo chown -R $(id -u):$(id -g) $whole"
elif [ -z "$(find "$folder" -prune -perm -200)" ]; then
    echo "$folder is write-protected, so make cannot write in it. This command allows it: chmod -R u+w $whole"
else
    echo "$folder is on a file system that is read-only, so make cannot write in it"
fi
