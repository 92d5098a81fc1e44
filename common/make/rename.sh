#!/bin/sh
# rename.sh OLD NEW: gives a function of the lessons (or a struct, or a member) another name, in all trees. Code is
# changed wherever the word stands. In comments and sentences only `old`, old() and old_backward-like code is, because
# an old name may be an English word, too: those lines are listed at the end.
set -u
. "${0%/*}/lib.sh"
old=$1 new=$2
case $new$old in
*[!A-Za-z0-9_]* | [0-9]*)
    echo "'$old' or '$new' is no name of C." >&2
    exit 2
    ;;
esac
[ "$old" ] && [ "$new" ] || { echo "Which one? make rename-exercise OLD=softmax NEW=soft_max" >&2; exit 2; }
trees="lessons solutions tests plots README.md"
# declared NAME FILE...: where a function or a struct has the name.
declared() {
    name=$1
    shift
    git grep -nE --untracked -e "(^|[^A-Za-z0-9_])$name *\\(|struct $name([^A-Za-z0-9_]|\$)" -- "$@"
}
declared "$old" 'lessons/*.h' >/dev/null || { echo "No header in lessons/ has the name $old." >&2; exit 2; }
if declared "$new" 'lessons/*.[ch]' 'tests/*.[ch]' 'common/*.[ch]' >&2; then
    echo "The name $new is in use already." >&2
    exit 2
fi

# Whether the line is code is known from the kind of file: patches and names in slips, fenced code and headings in
# Markdown, all but comments in C.
change='
    function is_word(c) { return c ~ /[A-Za-z0-9_]/ }
    # Every such word of the text, or those that are code in the middle of a sentence: no English word has a _.
    function rename(text, all,    out, at, before, after) {
        all = all || old ~ /_/
        while ((at = index(text, old)) > 0) {
            before = at > 1 ? substr(text, at - 1, 1) : (out == "" ? "" : substr(out, length(out), 1))
            after = substr(text, at + length(old), 1)
            out = out substr(text, 1, at - 1)
            if (is_word(before) || is_word(after) || before == "/" || (after == "." && kind == "other") ||
                !(all || before == "`" || after == "("))
                out = out old
            else
                out = out new
            text = substr(text, at + length(old))
        }
        return out text
    }
    # In a line of C comments are sentences; `inside` one it may begin.
    function rename_c(text,    out, at) {
        for (;;) {
            at = index(text, inside ? "*/" : "/*")
            if (at == 0) return out rename(text, !inside)
            out = out rename(substr(text, 1, at + 1), !inside)
            text = substr(text, at + 2)
            inside = !inside
        }
    }
    kind == "md" && /^ *```/ { fenced = !fenced }
    kind == "md" { print rename($0, fenced || /^## /); next }
    kind == "slips" { says = /^says/ || (says && /^         /); print rename($0, !says); next }
    kind == "c" && $0 == "/* " old " */" { print "/* " new " */"; next }
    kind == "c" { print rename_c($0); next }
    { print rename($0, 1) }'

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# Stubs are generated again from the solutions. A file that a learner has begun is changed like any other.
stubs=
for lesson in $LOOKBACK_LESSONS; do
    stub=lessons/$lesson/$(name_of "$lesson").c
    ! sh common/make/stubs.sh print "$lesson" | cmp -s - "$stub" || stubs="$stubs $lesson"
done
git grep -lwF --untracked -e "$old" -- $trees | while read -r file; do
    case $file in
    *.md) kind=md ;;
    *.c | *.h) kind=c ;;
    */slips | */told | */hinted | */faults | tests/regressions/*) kind=slips ;;
    *) kind=other ;;
    esac
    awk -v old="$old" -v new="$new" -v kind="$kind" "$change" "$file" >"$work/new" && cat "$work/new" >"$file"
done
sh common/make/stubs.sh renew $stubs >/dev/null
if git grep -nwF --untracked -e "$old" -- $trees >"$work/left"; then
    echo "Here $old is a word in a sentence, or so it seems. Look at each:"
    cat "$work/left"
fi
