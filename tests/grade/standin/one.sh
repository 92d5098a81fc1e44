#!/bin/sh
# one.sh LESSON SOURCE.c FOLDER: stands in for common/grade/one.sh. A file is right if nothing in it says
# otherwise: TODO() in a function, or a line "SLIP function: mistake", "NOT C", "NO BOX", "NO LUCK".
# With the reference's text, all of it is the reference's.
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
same=false
! cmp -s "$source" solutions/"$lesson"/*.c || same=true
awk -v folder="$3" -v same=$same -v all="$(sed -n 's/^## //p' "lessons/$lesson/hints.md" | tr '\n' ' ')" \
    -v bad="$([ -z "$role" ] || [ "$role" != "${STANDIN_BAD:-}" ] || echo "$role")" -v path="lessons/$lesson/${source##*/}" '
    /^[a-z].*\(/ { here = $0; sub(/\(.*/, "", here); sub(/.*[ *]/, "", here) }
    /^    TODO\(/ { todo[here] = 1 }
    /NOT C/ { broken = 1 }
    / SLIP / { sub(/.* SLIP /, ""); which = $0; sub(/:.*/, "", which); sub(/^[^:]*: /, ""); slip[which] = $0 }
    function quoted(text) {
        gsub(/"/, "\\\"", text)
        return "\"" text "\""
    }
    function test(sentence, result, seconds, line, said) {
        return sprintf("{\"sentence\": \"%s\", \"result\": \"%s\", \"seconds\": %s, \"place\": \"test_x.c:%d\", \"said\": %s}",
            sentence, result, seconds, line, quoted(result == "fail" ? said : ""))
    }
    END {
        count = split(all, names, " ")
        for (i = 1; i <= count; i++) {
            name = names[i]
            state = name in todo ? "todo" : name in slip ? "wrong" : "done"
            if (bad == "reference" && i == 1) state = "wrong"
            if (bad == "stub" && i == 1) state = "done"
            if (broken) state = "unchecked"
            n = state == "done" ? 3 : state == "wrong" ? 1 : 0
            done += state == "done"
            word = state == "done" ? "pass" : state == "wrong" ? "fail" : "skipped"
            list = list (i > 1 ? ",\n" : "") sprintf("{\"name\": \"%s\", \"state\": \"%s\", \"passed\": %d, \"count\": 3, \"mistake\": %s, \"reference\": %s, \"tests\": [%s, %s, %s]}",
                name, state, n, quoted(slip[name]), same, test("it holds", state == "wrong" ? "pass" : word, "0.0312", 12),
                test("it holds & <more>", word, 0, 15, "wanted \"1\", got <2> ]]>"), test("it holds again", word, 0, 18, "=1+1"))
            if (state != "done" && first == "")
                first = broken ? path ":1:1: no C" : slip[name] != "" ? name ": " slip[name] : ""
        }
        printf "{\"state\": \"%s\", \"problem\": %s, \"exercises\": [%s]}\n", broken ? "not built" : "graded", quoted(first), list > (folder "/verdict.json")
        print "What " path " comes to: " (done + 0) " of " count "." > (folder "/screen.txt")
    }' "$source"
