# What json.c wrote of documents, against the tables of common/tutor/README.md: every field is in its table and has
# that type; what is always there is there; every field and every kind comes in one of the documents.
#     awk -f findings.awk common/tutor/README.md DOCUMENT...

function wrong(what) { print FILENAME ": " what; bad = 1 }

function checked(table, field, type) {
    if (!((table, field) in types)) wrong(table " has no field " field " in the tables")
    else if (type != types[table, field] && !(type == "null" && may_be_null[table, field]))
        wrong(field " of the " table " is a " type)
    seen[table, field] = 1
}

# What a document or a finding has, at its end.
function ended(table, has, of_exercise,    field) {
    for (field in types) {
        split(field, part, SUBSEP)
        if (part[1] != table) continue
        when = there[field]
        must = when == "always" || (when == "if `lesson`" && has_lesson) ||
            (when == "of an exercise" && of_exercise) || (when == "with `sure`" && ("sure" in has))
        if (must && !(part[2] in has)) wrong("a " table " without " part[2])
    }
}
function finding_ended() {
    if (at_finding == "") return
    ended("finding", fields, of_exercise)
    split("", fields)
    at_finding = ""
}
function document_ended() {
    finding_ended()
    if (documents++) ended("document", top, 0)
    split("", top)
    has_lesson = 0
}

FILENAME ~ /README.md$/ {
    if (/^The document:/) table = "document"
    if (/^A finding:/) table = "finding"
    if (/^The kinds:/) table = "kind"
    if (!/^\| `/ || table == "") next
    split($0, cell, / *\| */)
    gsub(/`/, "", cell[2])
    if (table == "kind") { kinds[cell[2]] = 1; next }
    types[table, cell[2]] = cell[3]
    there[table, cell[2]] = cell[4]
    may_be_null[table, cell[2]] = cell[5] ~ /null/
    next
}

FNR == 1 { document_ended(); if ($0 != "\tobject\t") wrong("it is no object") ; next }
{ split($0, part, "\t"); name = part[1]; type = part[2] }
name ~ /^\.[a-z_]+$/ {
    field = substr(name, 2)
    checked("document", field, type)
    top[field] = 1
    if (field == "lesson" && type == "string") has_lesson = 1
}
name ~ /^\.findings\[[0-9]+\]$/ { finding_ended(); at_finding = name; of_exercise = 0 }
name ~ /^\.findings\[[0-9]+\]\.[a-z_]+$/ {
    field = name
    sub(/^.*\./, "", field)
    checked("finding", field, type)
    fields[field] = 1
    if (field == "exercise") of_exercise = type == "string"
    if (field == "kind") {
        if (!(part[3] in kinds)) wrong("the kind " part[3] " is in no table")
        seen_kind[part[3]] = 1
    }
}
END {
    document_ended()
    for (field in types) if (!(field in seen)) { split(field, part, SUBSEP); wrong("no document has " part[2]) }
    for (kind in kinds) if (!(kind in seen_kind)) wrong("no document has the kind " kind)
    exit bad
}
