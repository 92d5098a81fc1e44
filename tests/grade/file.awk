# awk -v names="one two" -f file.awk CORPUS BASE.c: the file that the cases of these names hand in. What
# stands at a case's start goes first; then comes BASE.c, with lines put into its functions, or in the
# place of all that is in one; after @file nothing of BASE.c is left.
BEGIN { split(names, list, " "); for (i in list) wanted[list[i]] = 1 }

FNR == NR && /^== / { taken = ($2 in wanted) ; into = ""; next }
FNR == NR && /^(@|#:)/ {
    if ($1 == "@file") whole = 1
    if ($1 == "@=") instead[$2] = 1
    into = $1 ~ /^@(=|in)$/ ? $2 : $1
    next
}
FNR == NR {
    if (taken && into == "") first = first $0 "\n"
    else if (taken) part[into] = part[into] $0 "\n"
    next
}

FNR == 1 { printf "%s%s", first, part["@file"]; if (whole) exit }
/^[a-z].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
skipped && !/^}/ { next }
{ skipped = 0; print }
/\{$/ && (name in part) {
    printf "%s", part[name]
    skipped = (name in instead)
    delete part[name]
}
