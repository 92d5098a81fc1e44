# awk -v names="one two" -f file.awk CORPUS BASE.c: the file that the cases of these names hand in (see
# hostile). Their first lines come first; then BASE.c, with lines put into its functions, or in the place
# of what is in them. After @file, nothing of BASE.c is left.
BEGIN { n = split(names, list, " "); for (i = 1; i <= n; i++) wanted[list[i]] = 1 }

FNR == NR && /^== / { name = $2; sub(/:$/, "", name); taken = name in wanted; into = ""; next }
FNR == NR && !taken { next }
FNR == NR && /^# --- / { taken = 0; next }
FNR == NR && /^@(in|=|file)/ {
    into = $1 == "@file" ? $1 : $2
    if ($1 == "@=") instead[$2] = 1
    if ($1 == "@file") whole = 1
    next
}
FNR == NR && /^@/ { next }
FNR == NR {
    part[into] = part[into] $0 "\n"
    next
}

FNR == 1 { printf "%s%s", part[""], part["@file"] }
whole { exit }
/^[a-z].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
skipped && !/^}/ { next }
{ skipped = 0; print }
/\{$/ && (name in part) {
    printf "%s", part[name]
    skipped = name in instead
    delete part[name]
}
