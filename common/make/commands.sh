#!/bin/sh
# commands.sh <MAKEFILE: prints the commands, which stand in lines of their own that begin with ##, in two columns: a
# heading, "make 02  check lesson 02", and lines that go on.
exec 3>&1
size=$(stty size 2>/dev/null <&3)
awk -v width="${size##* }" '
function end(   n, i, word, line) {
    if (name == "")
        return
    n = split(text, word, " ")
    line = sprintf("%-" (left - 2) "s ", name)
    for (i = 1; i <= n; i++) {
        if (length(line) + 1 + length(word[i]) > width) {
            print line
            line = sprintf("%" (left - 1) "s", "")
        }
        line = line " " word[i]
    }
    print line
    name = ""
}
BEGIN {
    width = width > 0 && width < 80 ? width - 1 : 79
    left = width < 60 ? 6 : 18
}
!sub(/^## /, "") { next }
/^ / { text = text " " $0; next }
{ end() }
/^make / {
    at = index($0, "  ")
    name = substr($0, 1, at - 1)
    text = substr($0, at)
    next
}
{ print (n++ ? "\n" : "") $0 }
END { end() }'
