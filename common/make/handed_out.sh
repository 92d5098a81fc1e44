#!/bin/sh
# handed_out.sh [FOLDER [LIST]]: is a release as it was handed out? FOLDER/RELEASE, or LIST, has a hash
# for each of its files but those that a learner writes. Prints the hash of the whole and "as handed
# out", or what differs; fails if something does. FOLDER may be anybody's: no link in it is followed,
# and nothing of it is run.
set -u
. "${0%/*}/lib.sh"
folder=${1:-.}
list=${2:-$folder/RELEASE}
command -v "${sha256%% *}" >/dev/null || { echo "cannot be told: there is no sha256sum"; exit 2; }
[ -f "$list" ] && [ ! -h "$list" ] || { echo "none: there is no file RELEASE"; exit 2; }
whole=$($sha256 <"$list" | cut -d ' ' -f 1)

# Regular files that are not larger than our largest one; and other kinds of files, where make would follow them.
found=$(cd "$folder" && find . -path ./build -prune -o -path ./.git -prune -o -type f -size -20480 \
    ! -path ./RELEASE ! -path './lessons/answers/*' ! -name '*.kept-*.c' -exec $sha256 {} +)
odd=$(cd "$folder" && find common lessons plots sealed stubs tests ! -type f ! -type d 2>/dev/null |
    head -n 20 | tr '\n\\' ' ?')

differs=$(printf '%s\n' "$found" | awk -v list="$list" -v odd="$odd" '
    function add(which, name) {
        gsub(/[^ -~]/, "?", name)
        said[which] = said[which] (said[which] ? ", " : " " which ": ") substr(name, 1, 80)
    }
    BEGIN {
        while ((getline line <list) > 0) {
            name = substr(line, 67)
            hash[name] = substr(line, 1, 64)
            order[++files] = name
            if (name ~ /^stubs\//) learners["lessons" substr(name, 6)]
        }
    }
    {
        sub(/^\\/, "") # of a name that is escaped
        name = substr($0, 69)
    }
    name in hash {
        found[name]
        if (substr($0, 1, 64) != hash[name]) add("changed", name)
        next
    }
    name in learners { next }
    name ~ /^(common|lessons|plots|sealed|stubs|tests)\/|^[^\/]*[Mm]akefile$/ { add("added", name) }
    END {
        if (odd) add("added", odd)
        for (i = 1; i <= files; i++) if (!(order[i] in found)) add("missing", order[i])
        print substr(said["changed"] said["missing"] said["added"], 2, 1000)
    }')
printf '%s %s\n' "$whole" "${differs:-as handed out}"
[ -z "$differs" ]
