# awk -v side=proxy -v own=HEADER -v exercises="a b" -f calls.awk HEADER...: reads a lesson's header, the
# last, and those that it includes before it, and writes C for one side of its exercises' calls:
#
#   proxy    the functions as the tests call them: each packs what it is given
#   host     takes it out again, and calls the real ones
#   missing  a stand-in for each that is not there
#   shapes   a program that proves the comments beside members
#   given    the names of its other functions, a line each
#   table    the functions' parameters, as JSON, for a page (common/web/play)
#
# With also="c d", functions of any header before it are among them.
#
# The header is the contract, and regular. A result is void, int, double, bool or vec. A parameter is a
# number (int, double, float, bool, vec), an array of numbers with its sizes, an array of pointers to rows
# (`const float *const a[ROWS]`), a struct (by pointer, or an array of them; by value without pointers), or a
# function to call back, `void f(void *known, int word, double array[])`, with its `void *known` and an
# array of that name beside it. A struct's members are numbers, structs, and pointers to doubles, whose
# shape stands in a comment: `void *W; /* [d_in][3 * d]: any words */`. A struct with floats, vectors or
# arrays in it holds nothing else, and goes over as it is. A struct with functions in it, to be called back
# with itself, ints and arrays, holds besides them numbers, and what they alone know (`void *engine`).
#
# The names of a shape are, in this order, the struct's own members, the parameters of its take_...(), the
# members of what that is given as its struct, and members of nested structs. Beside an array of structs
# stands how many there are, `/* [n_blocks] */`; where the names of a nested struct mean something else,
# `/* taken for n_q = n, n_k = m */`. What cannot be read ends this with a line that says what.

function die(what) {
    if (!failed) print "calls.awk: " own ": " what > "/dev/stderr"
    failed = 1
    exit 1
}
function trim(s) { gsub(/^[ \t\n]+|[ \t\n]+$/, "", s); return s }
function squeeze(s) { gsub(/[ \t\n]+/, " ", s); return trim(s) }

# --- reading ---------------------------------------------------------------------------------------

# What stands before the first `c` outside of comments; `rest` is what stands behind it.
function up_to(text, c,    out, i, j, k) {
    out = ""
    for (;;) {
        i = index(text, c)
        j = index(text, "/*")
        if (!i) die("something has no end: `" squeeze(substr(text, 1, 60)) "`")
        if (!j || i < j) break
        k = index(substr(text, j), "*/")
        out = out substr(text, 1, j - 1) " "
        text = substr(text, j + k + 1)
    }
    rest = substr(text, i + length(c))
    return out substr(text, 1, i - 1)
}
# A comment at the beginning of `rest`, on the same line; it is taken away.
function comment_beside(    k, text) {
    match(rest, /^[ \t]*/)
    if (substr(rest, RLENGTH + 1, 2) != "/*") return ""
    k = index(rest, "*/")
    text = substr(rest, RLENGTH + 3, k - RLENGTH - 3)
    rest = substr(rest, k + 2)
    return squeeze(text)
}

# "[a][b]: words", "[n], taken for a = b, c = d: words" into shape and bindings of member m.
function read_comment(m, text,    part, pair, i, n, parts) {
    shape[m] = ""
    while (match(text, /^\[[^]]*\]/)) {
        shape[m] = shape[m] substr(text, 1, RLENGTH)
        text = substr(text, RLENGTH + 1)
    }
    sub(/^, /, "", text)
    if (text !~ /^taken for /) return
    sub(/^taken for /, "", text)
    sub(/[:;] .*$/, "", text)
    n = split(text, parts, /, */)
    for (i = 1; i <= n; i++) {
        if (parts[i] !~ /^[a-z_]+ = /) die("cannot read `taken for " text "`")
        pair = index(parts[i], " = ")
        bound[m, substr(parts[i], 1, pair - 1)] = substr(parts[i], pair + 3)
    }
}

# One of the names of a member's declaration, with its stars and brackets.
function read_name(type, kind, of, declared, said,    m, name) {
    members[type]++
    m = type SUBSEP members[type]
    dims[m] = ""
    if (match(declared, /\[.*$/)) {
        dims[m] = substr(declared, RSTART)
        declared = substr(declared, 1, RSTART - 1)
    }
    if (kind == "struct" && declared !~ /^[A-Za-z_]+$/) die("cannot pass member `" declared "` of struct " type)
    if (kind == "piece" && (dims[m] != "" || declared !~ /^\*[A-Za-z_0-9]+$/)) die("cannot pass member `" declared "` of struct " type)
    name = declared
    sub(/^\*/, "", name)
    member[m] = name
    kinds[m] = kind
    types[m] = of
    number[type, name] = members[type]
    read_comment(m, said)
    if (kind == "piece" && engine[type]) kinds[m] = "known"
    else if (kind == "piece" && shape[m] == "") die("struct " type ": no shape beside `" name "`, as /* [rows][cols] */")
    if (kind == "struct" && dims[m] != "" && shape[m] == "") die("struct " type ": beside `" name "` does not stand how many there are, as /* [count] */")
    if (kind == "number" && dims[m] != "") die("cannot pass member `" name "` of struct " type)
}
# "void (*start)(struct ring *ring, int n, const float out[n])"
function read_member_function(type, line,    m, name, list) {
    m = type SUBSEP (++members[type])
    name = line
    sub(/^void \(\*/, "", name)
    list = name
    sub(/\).*/, "", name)
    sub(/^[^(]*\(/, "", list)
    sub(/\)$/, "", list)
    if (list !~ ("^struct " type " \\*[a-z_]+(,|$)")) die("struct " type ": cannot pass `" line "`")
    member[m] = name
    kinds[m] = "function"
    lists[m] = list
    engine[type] = 1
}
function read_struct(type, body,    line, said, i, n, names, kind, of) {
    order[++structs] = type
    known[type] = 1
    rest = body
    while (rest ~ /[^ \t\n]/) {
        line = squeeze(up_to(rest, ";"))
        said = comment_beside()
        of = ""
        if (sub(/^struct /, "", line)) {
            kind = "struct"
            of = line
            sub(/ .*/, "", of)
            if (!known[of]) die("struct " type " holds struct " of ", which is not known")
            sub(/^[a-z_]+ /, "", line)
        } else if (line ~ /^(float|vec) [A-Za-z_]/ || line ~ /^(int|double|bool) [^;]*\[/) {
            kind = "inside"
            whole[type] = 1
            sub(/^[a-z]+ /, "", line)
        } else if (line ~ /^(int|double|bool) [A-Za-z_]/) {
            kind = "number"
            of = line
            sub(/ .*/, "", of)
            sub(/^[a-z]+ /, "", line)
        } else if (line ~ /^void \(\*[a-z_]+\)\(.*\)$/) {
            read_member_function(type, line)
            continue
        } else if (line ~ /^(void|double) \*[A-Za-z_0-9]+$/) {
            kind = "piece"
            sub(/^[a-z]+ /, "", line)
        } else
            die("struct " type ": cannot pass `" line "`")
        n = split(line, names, /, */)
        if (n > 1 && said ~ /^(\[|taken)/) die("struct " type ": one comment for several members: `" line "`")
        for (i = 1; i <= n; i++) read_name(type, kind, of, names[i], said)
    }
}

# take_...(): for whom it is given, and with which numbers.
function read_take(result, list,    i, n, parts, of) {
    of = result
    sub(/^struct /, "", of)
    taken[of] = ++takes
    take_type[takes] = of
    take_ours[takes] = ours
    n = split(list, parts, /, */)
    for (i = 2; i <= n; i++) {
        if (parts[i] ~ /^const struct [a-z_]+ \*[a-z_]+$/) {
            split(parts[i], words, /[ *]+/)
            companion[of] = words[3]
            its_name[of] = words[4]
        } else if (parts[i] ~ /^(int|bool) [a-z_]+$/) {
            split(parts[i], words, " ")
            take_ints[takes] = take_ints[takes] (take_ints[takes] ? " " : "") words[2]
            is_taken[of, words[2]] = 1
        } else
            die("cannot read take_" of "()")
    }
}
function read_function(text, said,    i, head, name, list) {
    i = index(text, "(")
    head = trim(substr(text, 1, i - 1))
    if (!i || !match(head, /[A-Za-z_0-9]+$/)) die("cannot read `" text "`")
    name = substr(head, RSTART)
    head = trim(substr(head, 1, RSTART - 1))
    list = trim(substr(text, i + 1))
    sub(/\)$/, "", list)
    if (ours && !wanted[name] && side == "given") print name
    if (name ~ /^take_/ && head ~ /^struct /) {
        read_take(head, list)
        return
    }
    if (ours ? !wanted[name] : !(name in earlier)) return
    if (head !~ /^(void|double|int|bool|vec)$/) die(name "(): cannot pass a result of `" head "`")
    function_name[++functions] = name
    result_of[functions] = head
    list_of[functions] = list == "void" ? "" : list
    contract[functions] = said
}
# "enum { WIDEST = 256, BLOCKS = 4 }": those that are numbers.
function read_constants(text,    i, n, parts, pair) {
    gsub(/^enum [a-z_]*[ ]*\{|\}$/, "", text)
    n = split(text, parts, /, */)
    for (i = 1; i <= n; i++)
        if (split(trim(parts[i]), pair, " = ") == 2 && pair[2] ~ /^-?[0-9]+$/)
            all_constants = all_constants (all_constants ? ", " : "") "\"" pair[1] "\": " pair[2]
}
function read_header(text,    said, k, name, i, piece) {
    rest = text
    said = ""
    while (rest ~ /[^ \t\n]/ && !failed) {
        sub(/^[ \t\n]+/, "", rest)
        if (substr(rest, 1, 2) == "/*") {
            k = index(rest, "*/")
            said = squeeze(substr(rest, 3, k - 3))
            rest = substr(rest, k + 2)
            continue
        }
        if (match(rest, /^struct [a-z_]+ \{/)) {
            name = substr(rest, 8, RLENGTH - 9)
            i = index(rest, "\n};")
            if (!i) die("struct " name " does not end")
            piece = substr(rest, RLENGTH + 1, i - RLENGTH - 1)
            k = i + 3
            text = substr(rest, k)
            read_struct(name, piece)
            rest = text
        } else if (rest ~ /^static inline /) {
            i = index(rest, "\n}")
            rest = substr(rest, i + 2)
        } else {
            piece = squeeze(up_to(rest, ";"))
            if (match(piece, /^typedef void [a-z_]+\(void \*[a-z_]+, int [a-z_]+, double [a-z_]+\[\]\)$/)) {
                name = piece
                sub(/^typedef void /, "", name)
                sub(/\(.*/, "", name)
                sub(/^.*double /, "", piece)
                sub(/\[\]\)$/, "", piece)
                call_backs[name] = piece
                sub(/^.*\(void \*/, "", piece)
            } else if (piece ~ /^enum /)
                read_constants(piece)
            else if (piece !~ /^static const /)
                read_function(piece, said)
        }
        said = ""
    }
}

# --- what a name in a comment means ----------------------------------------------------------------

# The path to an int, or to a struct of that type, in a struct or `depth` structs further down.
function path_at(type, name, wanted_type, depth,    k, m, path) {
    for (k = 1; k <= members[type]; k++) {
        m = type SUBSEP k
        if (depth == 1 && (wanted_type ? types[m] == wanted_type : member[m] == name && kinds[m] == "number"))
            return member[m] (dims[m] ? "[0]" : "")
        if (depth > 1 && kinds[m] == "struct") {
            path = path_at(types[m], name, wanted_type, depth - 1)
            if (path) return member[m] (dims[m] ? "[0]" : "") "." path
        }
    }
    return ""
}
function path_to(type, name, wanted_type,    depth, path) {
    for (depth = 1; depth <= 5; depth++) {
        path = path_at(type, name, wanted_type, depth)
        if (path) return path
    }
    return ""
}
function meaning(name, type,    path, of) {
    of = companion[type]
    if (name ~ /^[A-Z][A-Z_0-9]+$/ || name == "b") return name
    if ((type, name) in number) return "s->" name
    if (of && is_taken[type, name]) { needs[type] = needs[type] (index(" " needs[type] " ", " " name " ") ? "" : (needs[type] ? " " : "") name); return name }
    if (of && name == its_name[type]) return "of"
    if (of && (of, name) in number) return "of->" name
    path = path_to(type, name, "")
    if (path) return "s->" path
    path = of ? path_to(of, name, "") : ""
    if (path) return "of->" path
    die("struct " type ": `" name "` of a comment is none of its members, nor a parameter of take_" type "(), nor one of its struct's members")
}
function expression(e, type,    out, before, name) {
    out = ""
    while (match(e, /[A-Za-z_][A-Za-z_0-9]*/)) {
        before = substr(e, 1, RSTART - 1)
        name = substr(e, RSTART, RLENGTH)
        e = substr(e, RSTART + RLENGTH)
        out = out before (before ~ /(\.|->)$/ ? name : meaning(name, type))
    }
    return out e
}

# --- structs ---------------------------------------------------------------------------------------

# What a nested struct is taken for: ", &of->heads, n, m".
function arguments_for(type, m, at,    of, wants, n, i, names, text, path, name) {
    of = types[m]
    text = ""
    wants = companion[of]
    if (wants) {
        if ((m, its_name[of]) in bound) text = ", " expression(bound[m, its_name[of]], type)
        else if (companion[type] && (companion[type], member[m]) in number) text = ", &of->" member[m] at
        else if (companion[type] == wants) text = ", of"
        else if (companion[type] && (path = path_to(companion[type], "", wants))) text = ", &of->" path
        else die("struct " type ": whose struct " wants " is `" member[m] "` taken for?")
    }
    n = split(needs[of], names, " ")
    for (i = 1; i <= n; i++) {
        name = names[i]
        text = text ", " ((m, name) in bound ? expression(bound[m, name], type) : meaning(name, type))
    }
    return text
}
function sizes_of(text, type,    out, rank, e) {
    out = ""
    rank = 0
    while (match(text, /^\[[^]]*\]/)) {
        e = substr(text, 2, RLENGTH - 2)
        text = substr(text, RLENGTH + 1)
        out = out (rank++ ? ", " : "") expression(e, type)
    }
    return rank ", (const long[]){" out "}"
}
function send_member(type, m,    line, at, count) {
    if (kinds[m] == "number") return "    call_" types[m] "(s->" member[m] ");\n"
    if (kinds[m] == "function" || kinds[m] == "known") return ""
    if (kinds[m] == "piece") return "    call_piece(s->" member[m] ", " sizes_of(shape[m], type) ");\n"
    at = dims[m] ? "[b]" : ""
    line = "send_" types[m] "(&s->" member[m] at arguments_for(type, m, at) ");\n"
    if (!at) return "    " line
    count = shape[m]
    gsub(/^\[|\]$/, "", count)
    return "    for (int b = 0, count = call_count(" expression(count, type) ", (int)(sizeof s->" member[m] " / sizeof *s->" member[m] ")); b < count; b++)\n        " line
}
function get_member(type, m) {
    if (kinds[m] == "number") return "    s->" member[m] " = host_" types[m] "();\n"
    if (kinds[m] == "function") return "    s->" member[m] " = " type "_" member[m] ";\n"
    if (kinds[m] == "known") return ""
    if (kinds[m] == "piece") return "    s->" member[m] " = host_array();\n"
    if (!dims[m]) return "    get_" types[m] "(&s->" member[m] ");\n"
    return "    for (int b = 0, count = host_count(); b < count; b++)\n        get_" types[m] "(&s->" member[m] "[b]);\n"
}
# Whole numbers of a struct that is no const come back, as many as were sent.
function back_member(type, m, how,    place) {
    place = "s->" member[m]
    if (kinds[m] == "piece") return ""
    if (kinds[m] == "number") {
        if (types[m] != "int") die("struct " type ": `" member[m] "` cannot come back")
        return how == "keep" ? "    " place " = call_int_back();\n" : "    host_int_back(" place ");\n"
    }
    if (!dims[m]) return "    " how "_" types[m] "(&" place ");\n"
    return "    for (int b = 0; b < (int)(sizeof " place " / sizeof *" place "); b++)\n        " how "_" types[m] "(&" place "[b]);\n"
}
function write_struct(type,    k, m, body, head, n, i, names) {
    body = ""
    for (k = 1; k <= members[type]; k++) {
        m = type SUBSEP k
        body = body (side == "host" ? get_member(type, m) : send_member(type, m))
    }
    if (engine[type] && side == "proxy") body = body "    call_engine((void *)s);\n"
    head = "UNUSED static void " (side == "host" ? "get_" type "(struct " : "send_" type "(const struct ") type " *s"
    if (side != "host") {
        if (companion[type]) head = head ", const struct " companion[type] " *of"
        n = split(needs[type], names, " ")
        for (i = 1; i <= n; i++) head = head ", int " names[i]
    }
    print "\n" head ") {\n" body "}"
    if (!comes_back[type]) return
    body = ""
    for (k = 1; k <= members[type]; k++) body = body back_member(type, type SUBSEP k, side == "host" ? "give" : "keep")
    if (side == "host") print "\nUNUSED static void give_" type "(const struct " type " *s) {\n" body "}"
    else if (side == "proxy") print "\nUNUSED static void keep_" type "(struct " type " *s) {\n" body "}"
}
# What members are called with; nothing of the struct itself comes back.
function write_member(type, m,    n, i, parts, words, body, given, c, name, count, is_const) {
    n = split(lists[m], parts, /, */)
    body = ""
    given = "s"
    for (i = 2; i <= n; i++) {
        c = parts[i]
        is_const = sub(/^const /, "", c)
        if (c !~ /^int [a-z_]+$/ && c !~ /^(float|double) [a-z_]+\[[a-z_]+\]$/) die("struct " type ": cannot pass `" parts[i] "`")
        split(c, words, /[] []/)
        name = words[2]
        count = words[3]
        given = given ", " name
        if (side == "host") body = body (count ? "    host_member_array(" name ", " count ", sizeof(" words[1] "), " !is_const ");\n" : "    host_member_int(" name ");\n")
        else body = body (count ? "    " words[1] " *" name " = call_array_back(sizeof(" words[1] "), " count ");\n" : "    int " name " = call_int_back();\n")
    }
    if (side == "host") print "\nstatic void " type "_" member[m] "(" lists[m] ") {\n    host_member(" called ");\n" body "    host_member_call();\n}"
    if (side == "proxy") print "\nstatic void call_" type "_" member[m] "(void *known) {\n    struct " type " *s = known;\n" body "    s->" member[m] "(" given ");\n}"
    called++
    call_table = call_table "call_" type "_" member[m] ", "
}
function write_members(type,    k) {
    for (k = 1; k <= members[type]; k++)
        if (kinds[type, k] == "function") write_member(type, type SUBSEP k)
}
function let_come_back(type,    k, m) {
    if (engine[type]) return
    comes_back[type] = 1
    for (k = 1; k <= members[type]; k++) {
        m = type SUBSEP k
        if (kinds[m] == "struct") let_come_back(types[m])
    }
}

# --- functions -------------------------------------------------------------------------------------

# "const double W[d_a][d_q + d_k]" -> p_kind, p_type, p_name, p_dims, p_const of parameter i.
function read_parameter(f, i, p,    whole_text) {
    whole_text = p
    p_const[i] = sub(/^const /, "", p)
    p_dims[i] = ""
    if (match(p, /\[.*$/)) {
        p_dims[i] = substr(p, RSTART)
        p = substr(p, 1, RSTART - 1)
    }
    if (p_dims[i] == "" && p ~ /^(float|double) \*[A-Za-z_0-9]+$/) {
        p_dims[i] = "[1]"
        sub(/\*/, "", p)
    }
    if (p ~ /^void \*[a-z_]+$/ && !p_dims[i]) p_kind[i] = "known"
    else if (p ~ /^vec [a-z_]+$/ && !p_dims[i]) p_kind[i] = "value"
    else if (p ~ /^float \*const [a-z_]+$/ && p_const[i] && p_dims[i] ~ /^\[[^]]*\]$/) p_kind[i] = "rows"
    else if (p ~ /^(int|double|float|bool|vec) [A-Za-z_0-9]+$/) p_kind[i] = p_dims[i] ? "array" : "number"
    else if (p ~ /^struct [a-z_]+ (\*[a-z_]+)$/ && !p_dims[i]) p_kind[i] = "struct"
    else if (p ~ /^struct [a-z_]+ [a-z_]+$/ && p_dims[i]) p_kind[i] = "struct"
    else if (p ~ /^struct [a-z_]+ [a-z_]+$/) p_kind[i] = "value"
    else if (p ~ /^[a-z_]+ \*[a-z_]+$/ && !p_dims[i]) p_kind[i] = "function"
    else die(function_name[f] "(): cannot pass `" whole_text "`")
    sub(/^struct /, "", p)
    p_type[i] = p
    sub(/ .*/, "", p_type[i])
    p_name[i] = p
    sub(/^[a-z_]+ \*?/, "", p_name[i])
    sub(/^const /, "", p_name[i])
    if (p_kind[i] == "function" && !(p_type[i] in call_backs)) die(function_name[f] "(): cannot pass `" whole_text "`")
    if (p_kind[i] == "struct" && !known[p_type[i]]) die(function_name[f] "(): struct " p_type[i] " is not known")
    if (p_kind[i] == "struct" && engine[p_type[i]] && (p_const[i] || p_dims[i])) die(function_name[f] "(): cannot pass `" whole_text "`")
    if (p_kind[i] == "struct" && whole[p_type[i]]) p_kind[i] = "whole"
    if ((p_kind[i] == "whole" || p_kind[i] == "value") && !is_whole(p_type[i])) die(function_name[f] "(): cannot pass `" whole_text "`")
    if (p_kind[i] == "struct" && !p_const[i]) let_come_back(p_type[i])
}
# "const struct block *b", "struct machine m": no pointer is in it.
function is_whole(type,    k) {
    for (k = 1; k <= members[type]; k++)
        if (kinds[type, k] != "number" && kinds[type, k] != "inside") return 0
    return 1
}
function read_parameters(f,    i, parts) {
    parameters = split(list_of[f], parts, /, */)
    for (i = 1; i <= parameters; i++) read_parameter(f, i, parts[i])
}
function parameter_of(name, kind,    i) {
    for (i = 1; i <= parameters; i++)
        if (p_name[i] == name && p_kind[i] == kind) return i
    return 0
}
# What the struct of parameter i is taken for.
function taken_by(f, i,    of, text, k, path, n, names, name) {
    of = companion[p_type[i]]
    text = ""
    if (of) {
        for (k = 1; k <= parameters && !text; k++)
            if (p_kind[k] == "struct" && p_type[k] == of) text = ", " p_name[k]
        for (k = 1; k <= parameters && !text; k++)
            if (p_kind[k] == "struct" && (path = path_to(p_type[k], "", of))) text = ", &" p_name[k] "->" path
        if (!text) die(function_name[f] "(): no struct " of " for `" p_name[i] "`")
    }
    n = split(needs[p_type[i]], names, " ")
    for (k = 1; k <= n; k++) {
        name = names[k]
        if (parameter_of(name, "number")) text = text ", " name
        else if (contract[f] ~ ("(^|[^a-z_])" p_name[i] " (was|were) taken for |v has room for ")) text = text ", UNKNOWN_SIZE"
        else die(function_name[f] "(): `" name "` of `" p_name[i] "` is no parameter; say in its comment what " p_name[i] " was taken for")
    }
    return text
}
function count_of(i,    text) {
    text = p_dims[i]
    if (!text) return "1"
    gsub(/\]\[/, ") * (", text)
    sub(/^\[/, "(", text)
    sub(/\]$/, ")", text)
    return text
}
function write_proxy(f,    i, body, tail, type) {
    body = tail = ""
    for (i = 1; i <= parameters; i++) {
        type = "const struct " p_type[i] " *"
        if (p_kind[i] == "number") body = body "    call_" p_type[i] "(" p_name[i] ");\n"
        if (p_kind[i] == "known") body = body "    call_known(" p_name[i] ");\n"
        if (p_kind[i] == "array") body = body "    call_array(" p_name[i] ", sizeof(" p_type[i] p_dims[i] "), sizeof(" p_type[i] "));\n"
        if (p_kind[i] == "rows") body = body "    for (int i = 0; i < " count_of(i) "; i++)\n        call_piece(" p_name[i] "[i], 1, (const long[]){UNKNOWN_SIZE});\n"
        if (p_kind[i] == "whole") body = body "    call_array(" p_name[i] ", sizeof *" p_name[i] ", sizeof(float));\n"
        if (p_kind[i] == "value") body = body "    call_array(&" p_name[i] ", sizeof " p_name[i] ", sizeof(float));\n"
        if (p_kind[i] == "function") {
            if (!parameter_of(call_backs[p_type[i]], "array")) die(function_name[f] "(): no array `" call_backs[p_type[i]] "` for what is called back")
            body = body "    call_function(" p_name[i] ", sizeof(double" p_dims[parameter_of(call_backs[p_type[i]], "array")] "));\n"
        }
        if (p_kind[i] == "struct") {
            body = body "    for (int i = 0, count = call_count(" p_name[i] " ? " count_of(i) " : 0, 100000); i < count; i++)\n"
            body = body "        send_" p_type[i] "((" type ")(const void *)" p_name[i] " + i" taken_by(f, i) ");\n"
        }
        if (p_kind[i] == "struct" && comes_back[p_type[i]] && !p_const[i])
            tail = tail "    if (" p_name[i] ")\n        keep_" p_type[i] "(" p_name[i] ");\n"
    }
    print "\n" result_of[f] " " function_name[f] "(" (list_of[f] ? list_of[f] : "void") ") {"
    if (result_of[f] == "vec") body = body "    vec result = {0};\n    call_array(&result, sizeof result, sizeof(float));\n"
    print "    call_begin(" f - 1 ");\n" body "    call_go();"
    printf "%s", tail
    if (result_of[f] == "vec") print "    return result;"
    else if (result_of[f] != "void") print "    return call_" result_of[f] "_result();"
    print "}"
}
function write_host(f,    i, body, tail, given, call) {
    body = tail = given = ""
    for (i = 1; i <= parameters; i++) {
        given = given (i > 1 ? ", " : "") (p_kind[i] == "value" ? "*" : "") p_name[i]
        if (p_kind[i] == "number") body = body "    " p_type[i] " " p_name[i] " = host_" p_type[i] "();\n"
        if (p_kind[i] == "known") body = body "    void *" p_name[i] " = host_known();\n"
        if (p_kind[i] == "array" || p_kind[i] == "whole") body = body "    void *" p_name[i] " = host_array();\n"
        if (p_kind[i] == "value") body = body "    const " (p_type[i] == "vec" ? "" : "struct ") p_type[i] " *" p_name[i] " = host_array();\n"
        if (p_kind[i] == "rows") body = body "    const float *" p_name[i] p_dims[i] ";\n    for (int i = 0; i < " count_of(i) "; i++)\n        " p_name[i] "[i] = host_array();\n"
        if (p_kind[i] == "function") body = body "    " p_type[i] " *" p_name[i] " = host_function();\n"
        if (p_kind[i] == "struct") {
            body = body "    int count_" i " = host_count();\n    void *" p_name[i] " = host_structs(count_" i ", sizeof(struct " p_type[i] "));\n"
            body = body "    for (int i = 0; i < count_" i "; i++)\n        get_" p_type[i] "((struct " p_type[i] " *)" p_name[i] " + i);\n"
        }
        if (p_kind[i] == "struct" && comes_back[p_type[i]] && !p_const[i])
            tail = tail "    if (" p_name[i] ")\n        give_" p_type[i] "(" p_name[i] ");\n"
    }
    call = function_name[f] "(" given ")"
    if (result_of[f] == "vec") body = body "    vec *result = host_array();\n"
    print "\nstatic void run_" function_name[f] "(void) {\n" body "    " (result_of[f] == "void" ? call : result_of[f] == "vec" ? "*result = " call : "host_" result_of[f] "_result(" call ")") ";"
    printf "%s", tail
    print "}"
    table = table "    {\"" function_name[f] "\", run_" function_name[f] "},\n"
}
function write_missing(f) {
    print "\n__attribute__((weak)) " result_of[f] " " function_name[f] "(" (list_of[f] ? list_of[f] : "void") ") {"
    print "    host_missing(\"" function_name[f] "\");\n}"
}

# What page.js packs a call by: of numbers, arrays and structs the names and sizes, what a struct is taken
# for, and of each type its members.
function resolved(text, type,    i, n, sizes, out) {
    out = ""
    n = split(substr(text, 2), sizes, "[")
    for (i = 1; i <= n; i++) out = out "[" expression(substr(sizes[i], 1, length(sizes[i]) - 1), type) "]"
    return out
}
function write_type(type,    k, m) {
    all_members = ""
    for (k = 1; k <= members[type]; k++) {
        m = type SUBSEP k
        all_members = all_members (k > 1 ? ",\n    " : "") sprintf("{\"name\": \"%s\", \"kind\": \"%s\", \"type\": \"%s\", \"sizes\": \"%s\", \"most\": \"%s\", \"taken\": \"%s\"}", member[m], kinds[m], types[m], resolved(shape[m], type), dims[m], (kinds[m] == "struct" ? arguments_for(type, m, dims[m] ? "[b]" : "") : ""))
    }
    printf "%s\"%s\": {\"of\": %s, \"needs\": \"%s\", \"members\": [%s]}", (written++ ? ",\n" : ""), type, (companion[type] ? "true" : "false"), needs[type], all_members
}
function write_entry(f,    i) {
    printf "%s\"%s\": {\"number\": %d, \"result\": \"%s\", \"parameters\": [", (f > 1 ? ",\n" : ""), function_name[f], f - 1, result_of[f]
    for (i = 1; i <= parameters; i++)
        printf "%s{\"name\": \"%s\", \"kind\": \"%s\", \"type\": \"%s\", \"in\": %s, \"sizes\": \"%s\", \"taken\": \"%s\"}", (i > 1 ? ",\n    " : ""), p_name[i], p_kind[i], p_type[i], (p_const[i] ? "true" : "false"), p_dims[i], (p_kind[i] == "struct" ? taken_by(f, i) : "")
    printf "]}"
}
function write_table(    k, f) {
    printf "{\"structs\": {"
    for (k = 1; k <= structs; k++) if (!whole[order[k]]) write_type(order[k])
    printf "},\n\"functions\": {"
    for (f = 1; f <= functions; f++) {
        read_parameters(f)
        write_entry(f)
    }
    print "},\n\"constants\": {" all_constants "}}"
}

# --- the proof -------------------------------------------------------------------------------------

function take_call(k, room, first,    type, text, n, names, i) {
    type = take_type[k]
    text = "take_" type "(&" room (companion[type] ? ", &of" : "")
    n = split(take_ints[k], names, " ")
    for (i = 1; i <= n; i++) text = text ", sizes[" first + i - 1 "]"
    return text ")"
}
function write_shape(k,    type, of, n, i, names, all) {
    type = take_type[k]
    of = companion[type]
    print "\nstatic void look_at_" type "(const int sizes[]) {"
    if (of) print "    struct room other = {NULL, 0};\n    struct " of " of = " take_call(taken[of], "other", 0) ";"
    print "    struct room room = shapes_room();\n    const struct " type " made = " take_call(k, "room", 0) ";"
    printf "    send_%s(&made%s", type, of ? ", &of" : ""
    n = split(needs[type], names, " ")
    for (i = 1; i <= n; i++) printf ", sizes[%d]", place_in(take_ints[k], names[i])
    print ");\n    shapes_compare(\"take_" type "\", &room);\n}"
}
function place_in(list, name,    n, i, names) {
    n = split(list, names, " ")
    for (i = 1; i <= n; i++) if (names[i] == name) return i - 1
    die("struct: `" name "` is not taken")
}

# --- all of it -------------------------------------------------------------------------------------

BEGIN {
    n = split(exercises, names, " ")
    for (i = 1; i <= n; i++) wanted[names[i]] = 1
    n = split(also, names, " ")
    for (i = 1; i <= n; i++) earlier[names[i]] = 1
}
FNR == 1 {
    short = FILENAME
    sub(/.*\//, "", short)
    files[++file_count] = short
}
/^#include "/ {
    split($0, quoted, "\"")
    includes[file_count] = includes[file_count] " " quoted[2] " "
}
/^[ \t]*#/ { next }
{ texts[file_count] = texts[file_count] $0 "\n" }
END {
    if (failed) exit 1
    all = includes[file_count] # those that the last one needs, and those that they need
    for (file = file_count; file > 0; file--)
        if (index(all, " " files[file] " ")) all = all includes[file]
    for (file = 1; file <= file_count && !failed; file++) {
        ours = file == file_count
        if (ours || also || index(all, " " files[file] " ")) read_header(texts[file])
    }
    for (f = 1; f <= functions; f++) delete wanted[function_name[f]]
    for (name in wanted) if (wanted[name]) die("no function " name "()")
    for (f = 1; f <= functions; f++) read_parameters(f)
    if (side == "given") exit failed
    if (side == "table") {
        write_table()
        exit failed
    }
    header = own
    sub(/.*\//, "", header)
    print "/* Made from " header " by calls.awk. */"
    for (file = 1; file < file_count && also; file++) print "#include \"" files[file] "\""
    print "#include \"" header "\"\n#include \"" (side == "missing" ? "host" : side == "proxy" ? "call" : side) ".h\"\n"
    print "#include <stdbool.h>\n#include <stddef.h>\n\n#define UNUSED __attribute__((unused))"
    called = 0
    for (k = 1; k <= structs && side != "missing"; k++) write_members(order[k])
    for (k = 1; k <= structs && side != "missing"; k++) if (!whole[order[k]]) write_struct(order[k])
    for (f = 1; f <= functions; f++) {
        read_parameters(f)
        if (side == "proxy") write_proxy(f)
        if (side == "host") write_host(f)
        if (side == "missing") write_missing(f)
    }
    if (side == "proxy")
        print "\ncall_member *const call_members[] = {" call_table "NULL};\nconst int call_member_count = " called ";"
    if (side == "host")
        print "\nconst struct host_function host_functions[] = {\n" table "};\nconst int host_function_count = " functions ";"
    if (side != "shapes") exit failed
    for (k = 1; k <= takes; k++) if (take_ours[k]) write_shape(k)
    print "\nint main(void) {\n    static const int sizes[][9] = {{17, 13, 11, 7, 5, 3, 2}, {6, 8, 3, 5, 4, 2, 7}};"
    print "    for (int i = 0; i < 2; i++) {\n        (void)sizes[i];"
    for (k = 1; k <= takes; k++) if (take_ours[k]) print "        look_at_" take_type[k] "(sizes[i]);"
    print "    }\n    return shapes_end();\n}"
    exit failed
}
