#!/bin/sh
# release.sh make LESSON...: what a class gets, build/lookback-release.tar.gz, without the answers; with
# HINTS=n the first n of each exercise's three hints. The same input makes the same files and hash.
# release.sh check FOLDER: is a student's copy of it as it was handed out? Without a release of ours in
# build/ the copy's own list is believed.
#
# The references, slips, hints and quizzes are in sealed/ (common/course/lesson.h). Lessons before the first one
# keep their headers.
set -eu
. common/make/lib.sh
build=${RELEASE_IN:-build} # a suite has a place of its own
made=$build/lookback-release
work=$build/release
if [ "$1" = check ]; then
    ours=$made/RELEASE
    [ -f $ours ] || ours=$2/RELEASE
    exec sh common/make/handed_out.sh "$2" "$ours"
fi
shift
hints=${HINTS:-3}

refuse() {
    echo "$1" | fold -s -w 79 >&2
    exit 2
}
[ ! -f RELEASE ] || refuse "This is a release already: make another from the whole course."
[ $# != 0 ] || refuse 'Which lessons? make release LESSONS="01 02 03"'
case $hints in
[0-3]) ;;
*) refuse "HINTS=$hints: it is 0, 1, 2 or 3, of the three hints of each exercise." ;;
esac
for lesson in "$@"; do
    [ -d "lessons/$lesson" ] ||
        refuse "There is no lesson $lesson: the lessons are $(echo $LOOKBACK_LESSONS | sed 's/-[^ ]*//g')."
done
lessons=$(printf '%s\n' "$@" | sort -u)
last=$(echo "$lessons" | tail -n 1)
first=$(echo "$lessons" | head -n 1)
# All up to the last one: the tests need their references.
behind=$(ls lessons | grep '^[0-9][0-9]*-' | LC_ALL=C sort | sed "/^$last\$/q")

chosen() { # LESSON
    echo "$lessons" | grep -qx -- "$1"
}

# put FILE [AS]: into the release; its content is standard input if it is -.
put() {
    to=$made/${2:-$1}
    mkdir -p "$(dirname "$to")" && cat "$1" >"$to" || exit 1
}
put_all() { # FILE...
    for file in "$@"; do
        [ ! -f "$file" ] || put "$file"
    done
}
seal() { # PATH [FILE]
    $seal <"${2:-$1}" | put - "sealed/$1"
}

# Links to what stays behind, or is sealed, become words.
link_only_to_what_is_there() {
    words='s/\[\([A-Z][a-z ]*\)\](quiz\.md)[:,]\( or\)*/\1:/'
    for lesson in $(ls lessons | grep '^[0-9]'); do
        chosen "$lesson" || words="$words;s|\\[\\([^]]*\\)\\]([^)]*$lesson/[^)]*)|\\1|g"
    done
    sed "$words"
}

# A table's rows: those of lessons that are handed out.
rows() { # FILE
    for lesson in $lessons; do
        grep "^| \[*${lesson%%-*} .*$lesson/README" "$1" || refuse "$1 has no row for $lesson."
    done
}

put_lesson() {
    name=$(name_of "$1")
    put_all "lessons/$1"/*.h
    seal "solutions/$1/$name.c"
    seal "tests/$1/slips"
    chosen "$1" || return 0
    link_only_to_what_is_there <"lessons/$1/README.md" | put - "lessons/$1/README.md"
    put_all "lessons/$1"/figures/*.svg "lessons/$1"/milestone.c "lessons/$1"/milestone/* "lessons/$1"/milestone/with-*/* "plots/$1"/* "tests/$1"/*.[ch]
    sh common/make/stubs.sh print "$1" | put - "stubs/$1/$name.c"
    put "$made/stubs/$1/$name.c" "lessons/$1/$name.c"
    awk -v hints="$hints" '/^[123]\. / && $1 > hints { gone = 1 } /^$/ || /^[^ 123]/ { gone = 0 } !gone' \
        "lessons/$1/hints.md" >"$work/hints"
    seal "lessons/$1/hints.md" "$work/hints"
    seal "lessons/$1/quiz.md"
}

# What make help lists: the commands that work here, with examples of lessons that are here. 02 is an example of any
# lesson, and 06 of one that trains; other numbers are meant as such.
put_makefile() {
    trains=$(for lesson in $lessons; do
        [ ! -f "lessons/$lesson/milestone.c" ] || echo "${lesson%%-*}"
    done | head -n 1)
    gone='(solution|maintain|grade|release|play|bench '
    chosen 06-self-attention || gone="$gone|demo"
    [ -n "$trains" ] || gone="$gone|run"
    for number in $(sed -n 's/^## make [a-z]*-\([0-9]*\).*/\1/p; s/^##.* WITH=\([0-9]*\).*/\1/p' Makefile | sort -u); do
        case $number,$(echo "$lessons" | grep "^$number-") in
        02,* | 06,* | *,?*) ;;
        *) gone="$gone|[a-z]*-$number|.* WITH=$number" ;;
        esac
    done
    edit="s/FROM=solutions (or another folder): /FROM=folder: /;/^##/s/ POINTS=file//;/^##/s/06/${trains:-06}/g"
    chosen 02-dot-product ||
        edit="$edit;/^##/s/02/${first%%-*}/g;/^##/s/make 2/make $(echo "${first%%-*}" | sed s/^0//)/"
    chosen 01-softmax || edit="$edit;/^##/s/entropy/$(sed -n 's/^## //p' "lessons/$first/hints.md" | head -n 1)/"
    awk -v gone="^## make $gone)" '/^## (make|[A-Z])/ { is_gone = $0 ~ gone || $0 == "## Teach" } !/^## / || !is_gone' Makefile |
        sed "$edit" | put - Makefile
}

rm -rf "$made" "$work"
mkdir -p "$work"
for lesson in $behind; do
    put_lesson "$lesson"
done
put_makefile
put_all LICENSE tests/*.h .clang-format .clangd .editorconfig .gitattributes .gitignore .devcontainer/* .vscode/* \
    common/nn/*.[ch] common/nn/tasks/*.[ch] common/testing/*.[ch] common/base/*.[ch] common/course/*.[ch] \
    common/explain/*.[ch] common/check/*.[ch] common/diagnose/*.[ch] common/tutor/*.[ch] common/grade/box/*.[ch] common/make/*.css common/make/*.lua common/make/build.mk \
    $(ls common/*/README.md | grep -v 'common/\(grade\|make\|web\)/') common/nn/tasks/README.md plots/style.gp plots/*.h lessons/REFERENCES.md
for script in debug demo draw found handed_out hint lib milestone need paged plot probe quiz read report reset solution stop unity watch writable; do
    put common/make/$script.sh
done
sed '/For maintainers/,$d' common/make/README.md | put - common/make/README.md
sed '/](grade\//d;/](web\//d' common/README.md | put - common/README.md
sed '/^## Adding/,$d' plots/README.md | put - plots/README.md
put_all lessons/figures/*.svg
for text in lessons/START.md lessons/GLOSSARY.md; do
    link_only_to_what_is_there <$text | put - $text
done
rows README.md >$work/rows
sed -e "/^LESSONS\$/{r $work/rows" -e 'd;}' common/grade/student.md |
    sed "s|NN-name/name|$first/$(name_of "$first")|; s|NN-name|$first|" |
    put - README.md
{
    printf '# Syllabus\n\nBegin with [page 0](START.md). The [glossary](GLOSSARY.md) explains every term.\n\n'
    sed -n '/^| lesson/,/^|--/p' lessons/README.md
    rows lessons/README.md
    printf '\nThe papers are in [REFERENCES.md](REFERENCES.md).\n'
} | put - lessons/README.md

learners=$(for lesson in $lessons; do echo "./lessons/$lesson/$(name_of "$lesson").c"; done)
(cd $made && find . -type f | LC_ALL=C sort | grep -vxF "$learners" | sed 's|^\./||' | tr '\n' '\0' |
    xargs -0 $sha256 >../release/RELEASE) && mv $work/RELEASE $made/ || exit 1
# Nor is anything of the time in the archive.
(cd "$build" && find lookback-release -exec env TZ=UTC touch -t 202601010000 {} + &&
    find lookback-release -type f | LC_ALL=C sort >release/files &&
    tar -cf release/tar -T release/files && gzip -nc release/tar >lookback-release.tar.gz) || exit 1
numbers=$(echo $lessons | sed 's/-[^ ]*//g')
echo "$build/lookback-release.tar.gz: lessons $numbers, $hints hints each"
echo "release $($sha256 <$made/RELEASE | cut -d ' ' -f 1)"
