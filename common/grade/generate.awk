# awk -v what=WHAT -v exercises="EXERCISES" -v also="ALSO" -f generate.awk HEADER...: reads a lesson's header, the last
# one, behind those that it includes, and writes C for the calls of its exercises (and of the functions named in ALSO):
#
#     calls    the caller's side: functions of these names, which send their arguments to the host
#     hosted   the host's side: takes the arguments out, and calls the functions; and stand-ins for functions that are
#              not there
#     shapes   a program that compares the shapes in the structs with what take_...() lays out
#     table    parameters and structs as JSON, for a page (common/web/play)
#
# README.md says what can be passed; anything else in a header ends the program with a message.
#
# A struct, a function, the take_...() of a struct or a typedef of a function is a list, with an id such as "struct gru"
# or "take gru", and `size[id]` variables: members or parameters. A variable has an id such as "struct gru 2", and in the
# arrays below: its name, type and kind (see the forms), its dims, "[n][2]"; of a member its sizes, or how many structs are
# used; what WHERE says; whether it is const, and whether it is a struct.

# --- words

function die(why) {
    print "generate: " own ": " why "\n" >"/dev/stderr"
    exit failed = 1
}
function trimmed(text) {
    gsub(/^ +| +$/, "", text)
    return text
}
function contains(list, word) {
    return index(" " list " ", " " word " ") > 0
}

# Where the sign stands outside of all brackets, or else behind the end.
function place_of(sign, text,   i, c, depth) {
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (depth == 0 && c == sign)
            break
        depth += index("([{", c) > 0
        depth -= index(")]}", c) > 0
    }
    return i
}

# What stands between the bracket that begins the text and the one that closes it.
function inside(text) {
    return trimmed(substr(text, 2, place_of(closing[substr(text, 1, 1)], substr(text, 2)) - 1))
}

# Cuts a text at the signs outside of all brackets; how many parts.
function parts_of(text, sign, parts,   n, at) {
    for (n = 0; text !~ /^ *$/; text = substr(text, at + 1)) {
        at = place_of(sign, text)
        parts[++n] = trimmed(substr(text, 1, at - 1))
    }
    return n
}
function first_name(text) {
    return match(text, /^[A-Za-z_][A-Za-z_0-9]*/) ? substr(text, 1, RLENGTH) : ""
}
function rest_of(text, word) {
    return trimmed(substr(text, length(word) + 1))
}

# --- reading

function struct_of(v) {
    return v != "" && is_struct[v] && ("struct " type[v]) in size ? "struct " type[v] : ""
}
function find(list, wanted, of_kind,   i) {
    for (i = 1; i <= size[list]; i++)
        if (name[list " " i] == wanted && (of_kind == "" || kind[list " " i] == of_kind))
            return list " " i
    return ""
}
function has_no_pointers(s,   i) {
    for (i = 1; i <= size[s]; i++)
        if (kind[s " " i] != "number" && kind[s " " i] != "inside")
            return 0
    return 1
}

# The kind of a member that is no shape: `int d`, `float q[4]`, `void *engine`, or a struct, as in
# `struct cache memory[USED_OF(n, MOST)] WHERE(w = &w->heads)`. "": it cannot be passed.
function kind_of_member(s, v, stars, rest,   at) {
    if (stars > 0)
        return stars == 1 && type[v] == "void" && has_functions[s] ? "known" : ""
    if (is_struct[v]) {
        dims[v] = ""
        if (rest ~ /^\[USED_OF\(/) {
            sizes[v] = inside(substr(rest, 9))
            at = place_of(",", sizes[v])
            dims[v] = "[" trimmed(substr(sizes[v], at + 1)) "]"
            sizes[v] = trimmed(substr(sizes[v], 1, at - 1))
            rest = trimmed(substr(rest, 2 + place_of("]", substr(rest, 2))))
        }
        if (rest ~ /^WHERE\(/)
            where[v] = inside(substr(rest, 6))
        else if (rest != "")
            return ""
        return dims[v] == "" ? "struct" : "structs"
    }
    if (rest == "" && contains("int double bool", type[v]))
        return "number"
    if (!contains("int double bool float vec", type[v]))
        return ""
    is_whole[s] = 1
    type[v] = ""
    return "inside"
}
function kind_of_struct(v, stars,   s, has_dims, whole) {
    s = struct_of(v)
    has_dims = dims[v] != ""
    whole = stars + has_dims == 0 || is_whole[s]
    if (stars + has_dims > 1 || has_functions[s] && (is_const[v] || has_dims) || whole && !has_no_pointers(s))
        return ""
    return stars + has_dims == 0 ? "value" : whole ? "whole" : "struct"
}
function kind_of_parameter(v, stars, const_rows,   form) {
    if (is_struct[v])
        return const_rows ? "" : kind_of_struct(v, stars)
    form = substr("***", 1, stars) (const_rows ? "const" : "") (dims[v] != "" ? "[]" : "")
    if (form == "*" && contains("float double", type[v])) {
        dims[v] = "[1]"
        return "array"
    }
    if (form == "*")
        return type[v] == "void" ? "known" : ("typedef " type[v]) in size ? "function" : ""
    if (form == "*const[]")
        return is_const[v] && type[v] == "float" ? "rows" : ""
    if (form ~ /[*c]/ || !contains("int double float bool vec", type[v]))
        return ""
    return form == "[]" ? "array" : type[v] == "vec" ? "value" : "number"
}
function refuse(list, declaration) {
    die(substr(list, index(list, " ") + 1) ": cannot pass `" declaration "`: see common/grade/README.md")
}
function add_variable(list, own_name, own_kind, declaration,   v) {
    if (own_name == "")
        refuse(list, declaration)
    v = list " " ++size[list]
    name[v] = own_name
    kind[v] = own_kind
    type[v] = dims[v] = sizes[v] = where[v] = ""
    return v
}

# A name with its stars and sizes; what stands before it, or before the first of several names: its type.
function read_variable(list, before, text, is_member,   stars, const_rows, v, declaration) {
    declaration = before " " text
    stars = sub(/^\* */, "", text)
    const_rows = sub(/^const +/, "", text)
    if (!const_rows)
        stars += sub(/^\* */, "", text)
    v = add_variable(list, first_name(text), "", declaration)
    text = rest_of(text, name[v])
    is_const[v] = sub(/^const /, "", before)
    is_struct[v] = sub(/^struct /, "", before)
    type[v] = before
    dims[v] = text
    if (!is_struct[v] || struct_of(v) != "")
        kind[v] = is_member ? kind_of_member(list, v, stars, text) : kind_of_parameter(v, stars, const_rows)
    if (kind[v] == "")
        refuse(list, declaration)
}
function read_declaration(list, text, is_member,   v, before, word, names, n, i) {
    if (is_member && text ~ /^(VECTOR|MATRIX|TENSOR)\([a-zA-Z_0-9]+,/) {
        before = inside(substr(text, 7))
        v = add_variable(list, first_name(before), "piece", text)
        sizes[v] = rest_of(before, name[v] ",")
        return
    }
    if (is_member && text ~ /^void \(\*[a-zA-Z_0-9]+\)\(/) {
        word = inside(substr(text, 6))
        v = add_variable(list, substr(word, 2), "function", text)
        parameters[v] = inside(substr(text, 8 + length(word)))
        has_functions[list] = 1
        return
    }
    match(text, /^(const )?(struct )?[A-Za-z_0-9]* */)
    before = trimmed(substr(text, 1, RLENGTH))
    text = substr(text, RLENGTH + 1)
    if (!is_member) {
        read_variable(list, before, text, 0)
        return
    }
    n = parts_of(text, ",", names)
    for (i = 1; i <= n; i++)
        read_variable(list, before, names[i], 1)
}

# Members end in a semicolon, parameters at a comma.
function read_list(list, text, is_member,   all, n, i) {
    size[list] = 0
    n = parts_of(text, is_member ? ";" : ",", all)
    for (i = 1; i <= n; i++)
        if (all[i] != "void")
            read_declaration(list, all[i], is_member)
}
function read_function(text, is_own,   open, head, word, list) {
    open = index(text, "(")
    head = trimmed(substr(text, 1, open - 1))
    if (open == 0 || !match(head, /[A-Za-z_0-9]+$/) || RSTART == 1)
        die("cannot read `" text "`")
    word = substr(head, RSTART)
    head = trimmed(substr(head, 1, RSTART - 1))
    text = inside(substr(text, open))
    if (word ~ /^take_/ && head ~ /^struct /) { # behind the room, its first
        list = substr(head, 8)
        takes[++take_count] = list
        take_is_own[list] = is_own
        read_list("take " list, substr(text, place_of(",", text) + 1), 0)
    } else if (contains(is_own ? exercises : also, word)) {
        functions[++function_count] = word
        result[word] = head
        words[word] = text
        if (!contains("void double int bool vec", head))
            die(word "(): cannot pass a result of `" head "`")
        read_list("function " word, text, 0)
    }
}

# `enum { WIDEST = 256, BLOCKS = 4 }`: those that are numbers.
function read_constants(text,   all, n, i) {
    n = parts_of(inside(substr(text, index(text, "{"))), ",", all)
    for (i = 1; i <= n; i++)
        if (all[i] ~ /^[A-Za-z_0-9]+ ?= ?-? ?[0-9][A-Za-z_0-9.]*$/)
            constants = constants (constants == "" ? "" : ", ") "\"" first_name(all[i]) "\": " \
                trimmed(substr(all[i], index(all[i], "=") + 1))
}
function read_header(text, is_own,   at, head) {
    for (; text !~ /^ *$/; text = trimmed(substr(text, at + 1))) {
        if (text ~ /^static inline /) {
            at = place_of("{", text)
            at += place_of("}", substr(text, at + 1))
            continue
        }
        at = place_of(";", text)
        head = trimmed(substr(text, 1, at - 1))
        if (head ~ /^struct [A-Za-z_0-9]+ \{/) {
            structs[++struct_count] = first_name(substr(head, 8))
            need_count["struct " structs[struct_count]] = 0
            read_list("struct " structs[struct_count], inside(substr(head, index(head, "{"))), 1)
        } else if (head ~ /^enum/)
            read_constants(head)
        else if (head ~ /^typedef/) { # void decoder(void *known, int word, double array[])
            sub(/^typedef +[A-Za-z_0-9]+ +/, "", head)
            read_list("typedef " first_name(head), inside(rest_of(head, first_name(head))), 0)
        } else if (head !~ /^static/)
            read_function(head, is_own)
    }
}

# --- what a name in a shape means

# What take_...() is given beside the room and numbers: the `w` of the values that belong to it.
function partner_of(s,   take, i) {
    take = s
    sub(/^struct/, "take", take)
    for (i = 1; i <= size[take]; i++)
        if (is_struct[take " " i])
            return take " " i
    return ""
}

# The path to the first struct of that type inside.
function path_to(s, wanted,   i, v, here, further) {
    for (i = 1; i <= size[s]; i++) {
        v = s " " i
        here = name[v] (dims[v] != "" ? "[0]" : "")
        if (is_struct[v] && struct_of(v) == wanted)
            return here
        if (is_struct[v] && (further = path_to(struct_of(v), wanted)) != "")
            return here "." further
    }
    return ""
}
function meaning(word, s,   partner, take, i) {
    partner = partner_of(s)
    take = s
    sub(/^struct/, "take", take)
    if (word ~ /^[A-Z][A-Z]/ || word == "b")
        return word # a constant; the number of a struct in its array
    if (find(s, word) != "")
        return "s->" word
    if (partner != "" && word == name[partner])
        return "of"
    if (partner != "" && find(take, word, "number") != "") {
        for (i = 1; i <= need_count[s] && needs[s, i] != word; i++)
            continue
        needs[s, i] = word
        if (i > need_count[s])
            need_count[s] = i
        return word
    }
    if (partner == "" || find(struct_of(partner), word) == "")
        die(s ": `" word "` in a shape is no member of it, no parameter of " "take_" substr(s, 8) "(), and no member of " \
            "the struct that this is given")
    return "of->" word
}
function expression(text, s,   out, word, at) {
    for (; at = match(text, /[A-Za-z_][A-Za-z_0-9]*/); text = substr(text, at + length(word))) {
        word = substr(text, at, RLENGTH)
        out = out substr(text, 1, at - 1)
        out = out (out ~ /(\.|->) ?$/ ? word : meaning(word, s))
    }
    return out text
}

# The sizes of an array, each between two signs.
function sizes_of(s, v, open, close_,   all, n, i, text) {
    n = parts_of(sizes[v], ",", all)
    for (i = 1; i <= n; i++)
        text = text open expression(all[i], s) (i < n || close_ == "]" ? close_ : "")
    return text
}

# What WHERE says of a name; "".
function bound(s, v, wanted,   all, n, i) {
    n = parts_of(where[v], ",", all)
    for (i = 1; i <= n; i++)
        if (first_name(all[i]) == wanted && rest_of(all[i], wanted) ~ /^=/)
            return expression(rest_of(rest_of(all[i], wanted), "="), s)
    return ""
}

# What a nested struct was taken with: ", &of->heads, n, m".
function taken_in(s, v,   nested, outer, partner, wanted, text, found, i) {
    nested = struct_of(v)
    outer = struct_of(partner_of(s))
    partner = partner_of(nested)
    wanted = struct_of(partner)
    if (wanted != "" && (found = bound(s, v, name[partner])) != "")
        text = ", " found
    else if (wanted != "" && outer != "" && find(outer, name[v]) != "")
        text = ", &of->" name[v] (dims[v] != "" ? "[b]" : "")
    else if (wanted != "" && wanted == outer)
        text = ", of"
    else if (wanted != "" && outer != "" && (found = path_to(outer, wanted)) != "")
        text = ", &of->" found
    else if (wanted != "")
        die(s ": with which " wanted " was `" name[v] "` taken?")
    for (i = 1; i <= need_count[nested]; i++) {
        found = bound(s, v, needs[nested, i])
        text = text ", " (found != "" ? found : meaning(needs[nested, i], s))
    }
    return text
}

# What the struct of a parameter was taken with. A number that is no parameter is unknown: then an array is as long as
# the memory there.
function taken_by(f, p,   s, wanted, text, path, i, v) {
    s = struct_of(p)
    wanted = struct_of(partner_of(s))
    for (i = 1; i <= size[f] && wanted != ""; i++)
        if (text == "" && struct_of(f " " i) == wanted)
            text = ", " name[f " " i]
    for (i = 1; i <= size[f] && wanted != ""; i++) {
        v = f " " i
        if (text == "" && is_struct[v] && (path = path_to(struct_of(v), wanted)) != "")
            text = ", &" name[v] "->" path
    }
    if (wanted != "" && text == "")
        die(substr(f, 10) "(): no " wanted " for `" name[p] "`")
    for (i = 1; i <= need_count[s]; i++)
        text = text ", " (find(f, needs[s, i], "number") != "" ? needs[s, i] : "UNKNOWN_SIZE")
    return text
}

# Does a number, or one in a struct, come back from a call? The size of an array never does.
function comes_back(v,   s, i, k, n) {
    if (is_struct[v]) {
        s = struct_of(v)
        for (i = 1; i <= size[s]; i++)
            if (!is_const[v] && !has_functions[s] && comes_back(s " " i))
                return 1
        return 0
    }
    for (i = 1; i <= struct_count; i++)
        for (k = 1; k <= size["struct " structs[i]]; k++)
            if ((" " sizes["struct " structs[i] " " k] " ") ~ ("[^A-Za-z_0-9]" name[v] "[^A-Za-z_0-9]"))
                return 0
    return kind[v] == "number" && type[v] == "int"
}

# --- calls

# What each side does with a variable of a kind. The caller packs a call (caller.h); the host takes it out in the same
# order, calls the function, and gives back what has changed (host.h). $n is the name of the variable, and so on: see
# slot(). A struct is passed by a function of its own, first to the host and then, if it is not const, back again (`back`).
function form(use, of_kind, caller, host) {
    forms[use, of_kind] = is_host ? host : caller
}
function make_forms() {
    form("member", "number", "if (!back) call_number(&s->$n, sizeof s->$n); else if ($r) s->$n = call_int_back();",
        "if (!back) host_number(&s->$n, sizeof s->$n); else if ($r) host_int_back((int)s->$n);")
    form("member", "piece", "if (!back) call_piece(s->$n, CALL_SIZES($z));", "if (!back) s->$n = host_array();")
    form("member", "function", "", "s->$n = $f_$n;")
    form("member", "struct", "pass_$t(&s->$n, back$a);", "pass_$t(&s->$n, back);")
    form("member", "structs",
        "for (int b = 0, n_$n = back ? $m : call_count($e, $m); b < n_$n; b++) pass_$t(&s->$n[b], back$a);",
        "int n_$n = $m; if (!back) host_number(&n_$n, sizeof n_$n); " \
        "for (int b = 0; b < n_$n; b++) pass_$t(&s->$n[b], back);")
    form("parameter", "number", "call_number(&$n, sizeof $n);", "$t $n; host_number(&$n, sizeof $n);")
    form("parameter", "known", "call_known($n);", "void *$n = host_known();")
    form("parameter", "array", "call_array($n, sizeof($t $d), sizeof($t));", "void *$n = host_array();")
    form("parameter", "rows", "for (int i = 0; i < $c; i++) call_piece($n[i], CALL_SIZES(UNKNOWN_SIZE));",
        "const float *$n $d; for (int i = 0; i < $c; i++) $n[i] = host_array();")
    form("parameter", "whole", "call_array($n, sizeof *$n, sizeof(float));", "void *$n = host_array();")
    form("parameter", "value", "call_array(&$n, sizeof $n, sizeof(float));", "const $T *$n = host_array();")
    form("parameter", "function", "call_function($n, sizeof(double $b));", "$t *$n = host_function();")
    form("parameter", "struct",
        "for (int i = 0, n_$n = call_count($n ? $c : 0, 100000); i < n_$n; i++) " \
        "pass_$t((struct $t *)(const void *)$n + i, false$k);",
        "int n_$n; host_number(&n_$n, sizeof n_$n); struct $t *$n = host_structs(n_$n, sizeof(struct $t)); " \
        "for (int i = 0; i < n_$n; i++) pass_$t($n + i, false);")
    form("returned", "struct", "if ($r && $n) pass_$t((struct $t *)(const void *)$n, true$k);",
        "if ($r && $n) pass_$t($n, true);")
    # Parameters of a function in a struct, which the host calls.
    form("called back", "number", "$t $n = call_$t_back();", "host_member_$t($n);")
    form("called back", "array", "$t *$n = call_array_back(sizeof($t), $c);", "host_member_array($n, $c, sizeof($t), $w);")
}

# "[n][2]" -> "(n) * (2)"
function count_of(text) {
    if (text == "")
        return 1
    gsub(/\]\[/, ") * (", text)
    sub(/\[/, "(", text)
    sub(/\]$/, ")", text)
    return text
}

# The sizes of the array that a call-back fills: the parameter has the name of the typedef's.
function callback_dims(f, v,   list, array) {
    list = "typedef " type[v]
    array = find(f, name[list " " size[list]], "array")
    if (array == "")
        die(substr(f, 10) "(): no array `" name[list " " size[list]] "` for what is called back")
    return dims[array]
}
function slot(letter, list, v) {
    return letter == "f" ? substr(list, index(list, " ") + 1) \
        : letter == "n" ? name[v] \
        : letter == "t" ? type[v] \
        : letter == "T" ? (is_struct[v] ? "struct " : "") type[v] \
        : letter == "d" ? dims[v] \
        : letter == "w" ? !is_const[v] \
        : letter == "r" ? comes_back(v) \
        : letter == "c" ? count_of(dims[v]) \
        : letter == "m" ? substr(dims[v], 2, length(dims[v]) - 2) \
        : letter == "e" ? expression(sizes[v], list) \
        : letter == "z" ? sizes_of(list, v, "", ", ") \
        : letter == "a" ? taken_in(list, v) \
        : letter == "k" ? taken_by(list, v) \
        : callback_dims(list, v)
}
function filled(list, use,   i, v, text, at, out) {
    for (i = 1; i <= size[list]; i++) {
        v = list " " i
        text = forms[use, kind[v]]
        for (out = out (text == "" ? "" : "    "); at = index(text, "$"); text = substr(text, at + 2))
            out = out substr(text, 1, at - 1) slot(substr(text, at + 1, 1), list, v)
        out = out text (text == "" ? "" : "\n")
    }
    return out
}

# What a function is given in a call, behind the first, which may be "".
function given(list, first,   i, v) {
    for (i = 1; i <= size[list]; i++) {
        v = list " " i
        if (kind[v] != "struct" || list ~ /^function /)
            first = first (first == "" ? "" : ", ") (kind[v] == "value" ? "*" : "") name[v]
    }
    return first
}
function write_structs(   i, k, s, own_name, partner, members, head) {
    for (i = 1; i <= struct_count; i++) {
        own_name = structs[i]
        s = "struct " own_name
        if (is_whole[s])
            continue
        members = filled(s, "member") # finds out what the struct needs
        partner = partner_of(s)
        head = "static void pass_" own_name "(" s " *s, bool back"
        if (partner != "" && !is_host)
            head = head ", const struct " type[partner] " *of"
        for (k = 1; k <= need_count[s] && !is_host; k++)
            head = head ", int " needs[s, k]
        print head ") {\n" members (has_functions[s] && !is_host ? "    if (!back)\n        call_engine(s);\n" : "") "}\n\n"
    }
}

# The functions in a struct. Nothing of the struct itself comes back.
function write_member_functions(s,   i, k, v, f, own_name) {
    own_name = substr(s, 8)
    for (i = 1; i <= size[s]; i++) {
        v = s " " i
        if (kind[v] != "function")
            continue
        f = "member " name[v]
        read_list(f, parameters[v], 0)
        for (k = 1; k <= size[f]; k++)
            if (!contains("number array", kind[f " " k]) && struct_of(f " " k) != s)
                die(s ": cannot pass `" name[f " " k] "`")
        if (is_host)
            print "static void " own_name "_" name[v] "(" parameters[v] ") {\n    host_member(" member_count ");\n"
        else
            print "static void call_" own_name "_" name[v] "(void *known) {\n    " s " *s = known;\n"
        print filled(f, "called back")
        print (is_host ? "    host_member_call();" : "    s->" name[v] "(" given(f, "s") ");") "\n}\n\n"
        member_count++
        members = members "call_" own_name "_" name[v] ", "
    }
}
function write_caller(f, number,   list, is_void) {
    list = "function " f
    is_void = result[f] == "void"
    print result[f] " " f "(" words[f] ") {\n    call_begin(" number ");\n"
    print filled(list, "parameter") "    call_go();\n"
    if (!is_void)
        print "    " result[f] " result;\n    call_result(&result, sizeof result);\n"
    print filled(list, "returned") (is_void ? "" : "    return result;\n") "}\n\n"
}

# Calls a function with the arguments that have come; defines it if it is missing.
function write_host(f,   list) {
    list = "function " f
    print "static void run_" f "(void) {\n"
    print filled(list, "parameter")
    if (result[f] == "void")
        print "    " f "(" given(list, "") ");\n"
    else
        print "    " result[f] " result = " f "(" given(list, "") ");\n    host_result(&result, sizeof result);\n"
    print filled(list, "returned") "}\n"
    print "__attribute__((weak)) " result[f] " " f "(" words[f] ") {\n    host_missing(\"" f "\");\n}\n\n"
}
function write_calls(   i) {
    member_count = 0
    for (i = 1; i <= struct_count; i++)
        write_member_functions("struct " structs[i])
    write_structs()
    for (i = 1; i <= function_count; i++)
        if (is_host)
            write_host(functions[i])
        else
            write_caller(functions[i], i - 1)
    if (!is_host) {
        print "call_member *const call_members[] = {" members "NULL};\n"
        print "const int call_member_count = " member_count ";\n"
        return
    }
    print "const struct host_function host_functions[] = {\n"
    for (i = 1; i <= function_count; i++)
        print "    {\"" functions[i] "\", run_" functions[i] "},\n"
    print "};\nconst int host_function_count = " function_count ";\n"
}

# --- the proof of the shapes

# What take_...() is given for a parameter: a struct, or the next of the sizes n[].
function size_for(take, parameter,   i, k) {
    if (is_struct[parameter])
        return "&of"
    k = 0
    for (i = 1; take " " i != parameter; i++)
        k += !is_struct[take " " i]
    return "n[" k "]"
}

# "take_gru(&room, n[0], n[1])"
function take_call(of, room,   i, text) {
    for (i = 1; i <= size["take " of]; i++)
        text = text ", " size_for("take " of, "take " of " " i)
    return "take_" of "(&" room text ")"
}

# Lays each struct out in a room, for two sets of sizes, and lets shapes.c compare.
function write_shapes(   i, k, take, s, of, text) {
    write_structs()
    print "int main(void) {\n    static const int sizes[][9] = {{17, 13, 11, 7, 5, 3, 2}, {6, 8, 3, 5, 4, 2, 7}};\n"
    print "    for (int i = 0; i < 2; i++) {\n        const int *n = sizes[i];\n"
    for (i = 1; i <= take_count; i++) {
        take = takes[i]
        s = "struct " take
        of = struct_of(partner_of(s))
        if (!take_is_own[take])
            continue
        if (of != "")
            print "        BESIDE(" substr(of, 8) ", " take_call(substr(of, 8), "other") ")\n"
        text = ""
        for (k = 1; k <= need_count[s]; k++)
            text = text ", " size_for("take " take, find("take " take, needs[s, k], "number"))
        print "        LOOK(" take ", " take_call(take, "room") ", &made, false" (of != "" ? ", &of" : "") text ")\n"
        if (of != "")
            print "        }\n"
    }
    print "    }\n    return shapes_end();\n}\n"
}

# --- the table for a page

function table_of(list, is_member,   i, v, taken, out) {
    for (i = 1; i <= size[list]; i++) {
        v = list " " i
        taken = !is_struct[v] ? "" : is_member ? taken_in(list, v) : kind[v] == "struct" ? taken_by(list, v) : ""
        out = out (out == "" ? "" : ",\n    ") "{\"name\": \"" name[v] "\", \"kind\": \"" kind[v] "\", \"type\": \"" \
            type[v] "\", \"in\": " (is_const[v] ? "true" : "false") ", \"sizes\": \"" \
            (is_member ? sizes_of(list, v, "[", "]") : dims[v]) "\", \"most\": \"" (is_member ? dims[v] : "") \
            "\", \"taken\": \"" taken "\", \"back\": " (comes_back(v) ? "true" : "false") "}"
    }
    return out
}
function write_table(   i, k, s, own_needs, own_members, between) {
    print "{\"structs\": {"
    for (i = 1; i <= struct_count; i++) {
        s = "struct " structs[i]
        own_members = table_of(s, 1)
        if (is_whole[s])
            continue
        own_needs = ""
        for (k = 1; k <= need_count[s]; k++)
            own_needs = own_needs (k > 1 ? " " : "") needs[s, k]
        print between "\"" structs[i] "\": {\"of\": " (partner_of(s) != "" ? "true" : "false") ", \"needs\": \"" \
            own_needs "\", \"members\": [" own_members "]}"
        between = ",\n"
    }
    print "},\n\"functions\": {"
    for (i = 1; i <= function_count; i++)
        print (i > 1 ? ",\n" : "") "\"" functions[i] "\": {\"number\": " (i - 1) ", \"result\": \"" \
            result[functions[i]] "\", \"parameters\": [" table_of("function " functions[i], 0) "]}"
    print "},\n\"constants\": {" constants "}}\n"
}

# --- the whole

function file_name(path) {
    sub(/.*\//, "", path)
    return path
}

# The code of a file in one line, without comments and lines of the preprocessor. Adds what it includes to `included`.
function code_of(path,   line, text, is_odd, at, code) {
    while ((getline line <path) > 0) {
        is_odd = line ~ /^ *#/ || is_odd && goes_on
        goes_on = line ~ /\\$/
        included = included " " (line ~ /^#include "/ ? line : "")
        text = text " " (is_odd ? "" : line)
    }
    if (text == "")
        die(path " cannot be read")
    for (; at = index(text, "/*"); text = substr(text, at + 2 + index(substr(text, at + 2), "*/") + 1))
        code = code substr(text, 1, at - 1) " "
    code = code text
    gsub(/[ \t]+/, " ", code)
    return trimmed(code)
}

# The last header, and before it each that is included, or all of them.
function read_headers(   i, before, last) {
    last = code_of(ARGV[ARGC - 1])
    for (i = ARGC - 2; i > 0; i--)
        if (also != "" || index(included, "\"" file_name(ARGV[i]) "\""))
            before = code_of(ARGV[i]) " " before
    read_header(before, 0)
    read_header(last, 1)
}
function write_includes(   i) {
    print "/* Made from " own " by common/grade/generate.awk. */\n"
    for (i = 1; i < ARGC; i++)
        if (also != "" || i == ARGC - 1)
            print "#include \"" file_name(ARGV[i]) "\"\n"
    print "#include \"grade/" (is_host ? "host" : what == "shapes" ? what : "caller") ".h\"\n\n"
}

BEGIN {
    ORS = ""
    closing["("] = ")"
    closing["["] = "]"
    closing["{"] = "}"
    own = file_name(ARGV[ARGC - 1])
    is_host = what == "hosted"
    read_headers()
    for (count = split(exercises, wanted, " "); count > 0; count--)
        if (!("function " wanted[count] in size))
            die("no function " wanted[count] "()")
    if (what == "table") {
        write_table()
        exit
    }
    make_forms()
    write_includes()
    if (what == "shapes")
        write_shapes()
    else
        write_calls()
}
