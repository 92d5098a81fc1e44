#!/bin/sh
# new_lesson.sh new NN-name: writes every file of a lesson, from lesson.txt, with an exercise, and adds the lesson to
# the lists that have it.
# new_lesson.sh remove NN-name: takes all of that out again. What is not committed is
# not deleted, unless FORCE=1 is set.
set -u
. "${0%/*}/lib.sh"
what=$1
folder=$2
number=${folder%%-*}
name=$(name_of "$folder")
title=$(echo "${folder#*-}" | awk '{ gsub("-", " "); print toupper(substr($0, 1, 1)) substr($0, 2) }')
capitals=$(echo "$name" | tr a-z A-Z)
before=$(ls -d lessons/[0-9]*-* | sed 's|.*/||' | grep -vxF -- "$folder" | tail -n 1)
places="lessons/$folder solutions/$folder tests/$folder plots/$folder solutions/answers/$number.md tests/play/$number.c"
places="$places tests/regressions/$folder"

refuse() {
    echo "$*" >&2
    exit 2
}

check_name() {
    [ "$folder" ] || refuse "Which one? make $what-lesson NAME=17-low-rank"
    echo "$folder" | grep -qx '[0-9][0-9]\(-[a-z][a-z0-9]*\)\{1,\}' ||
        refuse "NAME=$folder: a lesson has a name such as 17-low-rank: two digits, then words of small letters."
}

check_new() {
    taken=$(ls -d lessons/"$number"-* tests/"$number"-* 2>/dev/null | head -n 1)
    [ ! "$taken" ] || refuse "Number $number is taken, by $taken."
    [ "$number" -gt "${before%%-*}" ] || refuse "Number $number is before the last lesson, which is $before."
    taken=$(git ls-files -co --exclude-standard -- "$name.[ch]" "*/$name.[ch]" | head -n 1)
    [ ! "$taken" ] || refuse "The name $name is taken, by $taken."
}

# The files of lesson.txt.
write() {
    sed "s/@folder@/$folder/g; s/@number@/$number/g; s/@name@/$name/g; s/@NAME@/$capitals/g; s/@Title@/$title/g
        s/@before@/$before/g; s/@before_number@/${before%%-*}/g" common/make/lesson.txt |
        awk -v name="$name" -v number="$number" '
            function example(start,   line, fence, here) {
                while ((getline line <"CONTRIBUTING.md") > 0) {
                    here = line !~ /^```/ && (fence ? index(line, start) == 1 : here)
                    fence = line ~ /^```/
                    gsub(/average/, name, line)
                    gsub(/16/, number, line)
                    if (here) print line >file
                }
                close("CONTRIBUTING.md")
            }
            sub(/^@example@ /, "") { example($0); next }
            /^==> / { file = folder = $2; sub("/[^/]*$", "", folder); system("mkdir -p " folder); next }
            file { print >file }'
}

# replace FILE COMMAND...: with what the command makes of it.
replace() {
    file=$1
    shift
    "$@" <"$file" >"$work/new" && cat "$work/new" >"$file"
}

# The row goes after the last row that begins with `[` or `| [` and a number.
add_row() { # PATTERN ROW
    awk -v pattern="$1" -v row="$2" '
        { text[NR] = $0 }
        $0 ~ pattern { last = NR }
        END { for (i = 1; i <= NR; i++) { print text[i]; if (i == last) print row } }'
}

drop_lines() { # TEXT: lines with it; the end of the file has no empty line.
    grep -vF -- "$1" | awk 'NF { while (empty > 0) { print ""; empty-- }; print; next } { empty++ }'
}

# The counts in the texts: functions, lessons, hours.
count() {
    functions=$(cat solutions/*/*.c | grep -c 'BEGIN SOLUTION')
    set -- $(awk -F '|' '/^\| \[[0-9]/ { n++; hours += $5 } END { print n, hours }' lessons/README.md)
    replace README.md sed "s/^[0-9]* functions in all/$functions functions in all/"
    replace lessons/README.md sed "s/^[0-9]* lessons, about [0-9.]* hours/$1 lessons, about $2 hours/"
}

check_name
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
case $what in
new)
    check_new
    write && sh common/make/stubs.sh renew "$folder" >/dev/null || exit 1
    replace README.md add_row '^[|] [0-9]+ [|]' "| $number | [$title](lessons/$folder/README.md) | TO WRITE |"
    replace lessons/README.md add_row '^[|] \[[0-9]' "| [$number $title]($folder/README.md) | TO WRITE | ${before%%-*} | 1 | |"
    printf '\n%s\n' "[$number, $title](../$folder/README.md): TO WRITE what it adds." >>"lessons/$before/README.md"
    count
    git ls-files -o --exclude-standard -- $places
    echo "It has one exercise, ${name}_mean(), in place of yours: make $number FROM=solutions passes, make $number does not."
    echo "What is still to be written: grep -rn 'TO WRITE' ${places%% tests/*} *.md lessons/*.md lessons/$before" | fold -s -w 79
    ;;
remove)
    [ -d "lessons/$folder" ] || [ -d "tests/$folder" ] || refuse "There is no lesson $folder."
    needed=$(git grep -lF --untracked -e "\"$name.h\"" -- lessons solutions tests plots | grep -v "/$folder/\|^tests/play/$number.c\|^tests/regressions/")
    [ ! "$needed" ] || refuse "Others include $name.h:" $needed
    lost=$(git ls-files -om --exclude-standard -- $places)
    [ ! "$lost" ] || [ "${FORCE:-0}" != 0 ] ||
        refuse "This would be lost; commit it before, or add FORCE=1:" $lost
    rm -rf $places
    replace README.md drop_lines "(lessons/$folder/README.md)"
    replace lessons/README.md drop_lines "($folder/README.md)"
    replace "lessons/$before/README.md" drop_lines "(../$folder/README.md)"
    count
    echo "Lesson $folder is gone."
    ;;
esac
