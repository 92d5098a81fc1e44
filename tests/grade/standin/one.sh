#!/bin/sh
# one.sh LESSON SOURCE.c FOLDER: stands in for common/grade/one.sh. A file is right if nothing in it says
# otherwise: TODO() in a function, or a line "SLIP function: mistake", "NOT C", "NO BOX", "NO LUCK".
lesson=$1
source=$2
echo "one $source" >>"${STANDIN_LOG:-/dev/null}"
[ -z "${STANDIN_SLOW:-}" ] || sleep "$STANDIN_SLOW"
case $source in
solutions/*) role=reference ;;
*/stub/*) role=stub ;;
*) role= ;;
esac
! grep -q 'NO BOX' "$source" || { echo "this box did not start" >&2; exit 3; }
! grep -q 'NO LUCK' "$source" || { echo "something of ours went wrong" >&2; exit 1; }
awk -v folder="$3" -v all="$(sed -n 's/^## //p' "lessons/$lesson/hints.md" | tr '\n' ' ')" \
    -v bad="$([ -z "$role" ] || [ "$role" != "${STANDIN_BAD:-}" ] || echo "$role")" -v path="lessons/$lesson/${source##*/}" '
    /^[a-z].*\(/ { here = $0; sub(/\(.*/, "", here); sub(/.*[ *]/, "", here) }
    /^    TODO\(/ { todo[here] = 1 }
    /NOT C/ { broken = 1 }
    / SLIP / { sub(/.* SLIP /, ""); which = $0; sub(/:.*/, "", which); sub(/^[^:]*: /, ""); slip[which] = $0 }
    END {
        tab = "\t"
        count = split(all, names, " ")
        for (i = 1; i <= count; i++) {
            name = names[i]
            state = name in todo ? "todo" : name in slip ? "wrong" : "done"
            if (bad == "reference" && i == 1) state = "wrong"
            if (bad == "stub" && i == 1) state = "done"
            if (broken) state = "unchecked"
            n = state == "done" ? 3 : state == "wrong" ? 1 : 0
            done += state == "done"
            passed += n
            print name tab state tab n tab 3 tab slip[name] > (folder "/exercises")
            word = state == "done" ? "pass" : state == "wrong" ? "fail" : "skipped"
            print name tab "it holds" tab (state == "wrong" ? "pass" : word) tab "0.0312" tab "test_x.c:12" tab > (folder "/tests")
            print name tab "it holds & <more>" tab word tab "0" tab "test_x.c:15" tab (word == "fail" ? "wanted \"1\", got <2> ]]>" : "") > (folder "/tests")
            print name tab "it holds again" tab word tab "0" tab "test_x.c:18" tab (word == "fail" ? "=1+1" : "") > (folder "/tests")
            if (state != "done" && first == "")
                first = broken ? path ":1:1: no C" : slip[name] != "" ? name ": " slip[name] : ""
        }
        print (broken ? "not built" : "graded") tab (done + 0) tab count tab (passed + 0) tab (3 * count) > (folder "/verdict")
        if (first != "") print first > (folder "/verdict")
        print "What " path " comes to: " (done + 0) " of " count "." > (folder "/screen.txt")
    }' "$source"
