#!/bin/sh
# writable.sh FOLDER: why make cannot write in FOLDER, which is in build/ or is the clone, and what to do.
folder=${1%/}
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
