"""generate.py WHAT "EXERCISES" "ALSO" HEADER...: reads a lesson's header, the last one, after those
that it includes, and writes C for the calls of its exercises (and of the functions named in ALSO):

    calls    each function, its parameters and the structs in them, as macros of sides.h, which are
             the caller's code or the host's; with -DSHAPES, a program that compares the shapes in
             the structs with what take_...() lays out
    hosted   the host's side of them: it includes calls.c, and stand-ins for functions that are not
             there
    table    parameters and structs as JSON, for a page (common/web/play)

README.md says what can be passed; anything else in a header ends the program with a message."""

import json
import os
import re
import sys
from dataclasses import dataclass, field

what, exercises, also = sys.argv[1], sys.argv[2].split(), sys.argv[3].split()
headers = sys.argv[4:]


def die(words):
    sys.exit(f"generate: {headers[-1]}: {words}")


# --- tokens

class Code:
    """The tokens of all headers, without comments and lines of the preprocessor. Positions are
    numbers of tokens."""

    def __init__(self, text):
        odd = r"//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n\\]|\\.)*"
        text = re.sub(odd, lambda found: " " * len(found[0]), text, flags=re.S | re.M)
        self.found = list(re.finditer(r"\w+|->|[^\w\s]", text))
        self.match, opened = {}, []
        for i, token in enumerate(self.found):
            if token[0] in "([{":
                opened.append(i)
            elif token[0] in ")]}" and opened:
                self.match[opened.pop()] = i

    def word(self, i):
        return self.found[i][0] if 0 <= i < len(self.found) else ""

    def at(self, i, words):
        """Is it one of these words? As a number, to step over it."""
        return int(self.word(i) in words.split())

    def words(self, start, end):
        """The words from a token up to another, as they stand, in one line."""
        text = ""
        for i in range(start, end):
            apart = i > start and self.found[i - 1].end() < self.found[i].start()
            text += " " * apart + self.word(i)
        return text

    def part_end(self, start, end, signs):
        """Where a part of a list or a declaration ends: at one of the signs, or at `end`."""
        while start < end and not self.at(start, signs):
            start = self.match.get(start, start) + 1
        return start

    def parts(self, start, end, signs):
        """The parts between two tokens, as pairs of positions."""
        while start < end:
            stop = self.part_end(start, end, signs)
            yield start, stop
            start = stop + 1


# --- what is declared

@dataclass
class Variable:
    """A member of a struct, or a parameter."""
    name: str
    kind: str  # see MEMBERS and PARAMETERS; inside: a struct's plain bytes
    type: str = ""
    dims: str = ""
    is_const: bool = False
    is_struct: bool = False
    start: int = 0  # tokens of a member: its sizes, or how many structs are used
    end: int = 0
    open: int = 0   # the '(' behind WHERE, or of a function's parameters

    def struct(self):
        return structs.get(self.type) if self.is_struct else None

    def full_type(self):
        return "struct " * self.is_struct + self.type


@dataclass
class List:
    """A struct, a function, or the take_...() of a struct, by its name."""
    name: str
    all: list = field(default_factory=list)
    result: str = ""
    words: str = ""
    take: object = None
    needs: list = field(default_factory=list)  # numbers of take_...() that a struct's shapes name
    is_own: bool = False
    has_functions: bool = False
    is_whole: bool = False

    def find(self, name, kind=None):
        return next((v for v in self.all if v.name == name and kind in (None, v.kind)), None)

    def partner(self):
        """What take_...() is given beside the room and numbers: the `w` of the values for it."""
        return next((v for v in self.take.all if v.is_struct), None) if self.take else None

    def of(self):
        partner = self.partner()
        return partner.struct() if partner else None


structs, functions, takes, callbacks, constants = {}, {}, {}, {}, {}


def kind_of_member(s, v, stars, at, end):
    """The kind of a member that is no shape: `int d`, `float q[4]`, `void *engine`, or a struct, as
    in `struct cache memory[USED_OF(n, MOST)] WHERE(w = &w->heads)`. None: it cannot be passed."""
    if stars:
        return "known" if stars == 1 and v.type == "void" and s.has_functions else None
    if v.is_struct:
        v.dims = ""
        if code.at(at, "[") and code.at(at + 1, "USED_OF"):
            close = code.match[at + 2]
            v.start, v.end = at + 3, code.part_end(at + 3, close, ",")
            v.dims = f"[{code.words(v.end + 1, close)}]"
            at = code.match[at] + 1
        v.open = at + 1 if code.at(at, "WHERE") else 0
        return None if at < end and not v.open else "structs" if v.dims else "struct"
    if at == end and v.type in ("int", "double", "bool"):
        return "number"
    if v.type not in ("int", "double", "bool", "float", "vec"):
        return None
    s.is_whole = True
    v.type = ""
    return "inside"


def kind_of_struct(v, stars):
    s, dims = v.struct(), v.dims != ""
    whole = stars + dims == 0 or s.is_whole
    has_pointers = any(m.kind not in ("number", "inside") for m in s.all)
    if stars + dims > 1 or s.has_functions and (v.is_const or dims) or whole and has_pointers:
        return None
    return "value" if stars + dims == 0 else "whole" if whole else "struct"


def kind_of_parameter(v, stars, const_rows):
    if v.is_struct:
        return None if const_rows else kind_of_struct(v, stars)
    if const_rows:
        is_row = stars == 1 and v.dims and v.is_const and v.type == "float"
        return "rows" if is_row else None
    if stars == 1 and not v.dims:
        if v.type in ("float", "double"):
            v.dims = "[1]"
            return "array"
        return "known" if v.type == "void" else "function" if v.type in callbacks else None
    if stars or v.type not in ("int", "double", "float", "bool", "vec"):
        return None
    return "array" if v.dims else "value" if v.type == "vec" else "number"


def add_variable(l, name, kind, words):
    if not re.match(r"[^\W\d]", code.word(name)):
        cannot_pass(l, words)
    l.all.append(Variable(code.word(name), kind))
    return l.all[-1]


def cannot_pass(l, words):
    die(f"{l.name}: cannot pass `{words}`: see common/grade/README.md")


def read_variable(l, type, at, end, is_member):
    """A name with its stars and sizes; the type is before it, or before the first of several."""
    star = code.at(at, "*")
    name, const_rows = at + star + code.at(at + star, "* const"), code.at(at + star, "const")
    whole = code.words(type - code.at(type - 1, "const"), end)
    v, stars = add_variable(l, name, None, whole), name - at - const_rows
    v.is_struct, v.is_const = bool(code.at(type, "struct")), bool(code.at(type - 1, "const"))
    v.type, v.dims = code.word(type + v.is_struct), code.words(name + 1, end)
    if not v.is_struct or v.struct():
        v.kind = (kind_of_member(l, v, stars, name + 1, end) if is_member
                  else kind_of_parameter(v, stars, const_rows))
    if not v.kind:
        cannot_pass(l, whole)


def read_declaration(l, first, end, is_member):
    type = first + code.at(first, "const")
    at = type + 1 + code.at(type, "struct")
    if is_member and code.at(first, "VECTOR MATRIX TENSOR") and code.at(first + 3, ","):
        v = add_variable(l, first + 2, "piece", code.words(first, end))
        v.start, v.end = first + 4, code.match[first + 1]
    elif is_member and code.words(first, first + 2) == "void (" and code.at(first + 5, "("):
        add_variable(l, first + 3, "function", code.words(first, end)).open = first + 5
        l.has_functions = True
    elif is_member:
        for start, stop in code.parts(at, end, ","):
            read_variable(l, type, start, stop, is_member)
    else:
        read_variable(l, type, at, end, is_member)


def read_list(l, first, close, is_member):
    """Members end in a semicolon, parameters at a comma or at the last bracket."""
    for start, end in code.parts(first, close, ";" if is_member else ","):
        if not code.at(start, "void") or end - start > 1:
            read_declaration(l, start, end, is_member)
    return l


def read_function(first, end):
    open = next((i for i in range(first, end) if code.at(i, "(")), end)
    if open - first < 2 or open == end:
        die(f"cannot read `{code.words(first, end)}`")
    name, result, close = code.word(open - 1), code.words(first, open - 1), code.match[open]
    is_own = first >= own_start
    if name.startswith("take_") and code.at(first, "struct"):  # behind the room, its first
        take = takes[code.word(first + 1)] = List(code.word(first + 1), is_own=is_own)
        structs[take.name].take = take
        read_list(take, code.part_end(open + 1, close, ",") + 1, close, False)
    elif name in (exercises if is_own else also):
        if result not in ("void", "double", "int", "bool", "vec"):
            die(f"{name}(): cannot pass a result of `{result}`")
        functions[name] = List(name, result=result, words=code.words(open + 1, close))
        read_list(functions[name], open + 1, close, False)


def read_constants(open):
    """`enum { WIDEST = 256, BLOCKS = 4 }`: those that are numbers."""
    for start, end in code.parts(open + 1, code.match[open], ","):
        number = code.words(start + 2, end)
        if code.at(start + 1, "=") and re.fullmatch("-?[0-9]+", number):
            constants[code.word(start)] = int(number)


def read_headers():
    at, count = 0, len(code.found)
    while at < count:
        is_inline = code.at(at, "static") and code.at(at + 1, "inline")
        end = code.part_end(at, count, "{" if is_inline else ";")
        if is_inline:
            end = code.match[end]
        elif code.at(at, "struct") and code.at(at + 2, "{"):
            s = structs[code.word(at + 1)] = List(code.word(at + 1))
            read_list(s, at + 3, code.match[at + 2], True)
        elif code.at(at, "enum"):
            read_constants(code.part_end(at, end, "{"))
        elif code.at(at, "typedef"):  # void decoder(void *known, int word, double array[])
            callbacks[code.word(at + 2)] = l = List(code.word(at + 2))
            read_list(l, at + 4, code.match[at + 3], False)
        elif not code.at(at, "static"):
            read_function(at, end)
        at = end + 1


# --- what a name in a shape means

def path_to(s, wanted):
    """The path to the first struct of that type inside."""
    for v in s.all:
        here = v.name + "[0]" * (v.dims != "")
        further = path_to(v.struct(), wanted) if v.struct() not in (None, wanted) else None
        if v.struct() is wanted:
            return here
        if further:
            return f"{here}.{further}"
    return None


def meaning(name, s):
    partner = s.partner()
    if name[:2].isupper() and len(name) > 1 or name == "b":
        return name  # a constant; the number of a struct in its array
    if s.find(name):
        return f"s->{name}"
    if partner and name == partner.name:
        return "of"
    if partner and s.take.find(name, "number"):
        if name not in s.needs:
            s.needs.append(name)
        return name
    if not s.of() or not s.of().find(name):
        die(f"struct {s.name}: `{name}` in a shape is no member of it, no parameter of "
            f"take_{s.name}(), and no member of the struct that this is given")
    return f"of->{name}"


def expression(start, end, s):
    text = ""
    for i in range(start, end):
        apart = i > start and code.found[i - 1].end() < code.found[i].start()
        means = re.match(r"[^\W\d]", code.word(i)) and not code.at(i - 1, ". ->")
        text += " " * apart + (meaning(code.word(i), s) if means else code.word(i))
    return text


def sizes_of(s, v):
    return [expression(start, end, s) for start, end in code.parts(v.start, v.end, ",")]


def bound(s, v, name):
    """What WHERE says of a name; None."""
    for start, end in code.parts(v.open + 1, code.match[v.open], ",") if v.open else []:
        if code.word(start) == name and code.at(start + 1, "="):
            return expression(start + 2, end, s)
    return None


def partner_in(s, v):
    """The struct that a nested struct was taken with, as an expression."""
    nested, outer = v.struct(), s.of()
    found = bound(s, v, nested.partner().name)
    if found:
        return found
    if outer and outer.find(v.name):
        return f"&of->{v.name}{'[b]' if v.dims else ''}"
    if nested.of() is outer:
        return "of"
    found = path_to(outer, nested.of()) if outer else None
    if not found:
        die(f"struct {s.name}: with which struct {nested.of().name} was `{v.name}` taken?")
    return f"&of->{found}"


def taken_in(s, v):
    """What a nested struct was taken with: ", &of->heads, n, m"."""
    nested = v.struct()
    given = [partner_in(s, v)] if nested.of() else []
    given += [bound(s, v, name) or meaning(name, s) for name in nested.needs]
    return "".join(f", {word}" for word in given)


def partner_for(f, p):
    wanted = p.struct().of()
    for v in f.all:
        if v.struct() is wanted:
            return v.name
    for v in f.all:
        path = path_to(v.struct(), wanted) if v.is_struct else None
        if path:
            return f"&{v.name}->{path}"
    die(f"{f.name}(): no struct {wanted.name} for `{p.name}`")


def taken_by(f, p):
    """What the struct of a parameter was taken with. A number that is no parameter is unknown: then
    an array is as long as the memory there."""
    s = p.struct()
    given = [partner_for(f, p)] if s.of() else []
    given += [name if f.find(name, "number") else "UNKNOWN_SIZE" for name in s.needs]
    return "".join(f", {word}" for word in given)


def comes_back(v):
    """Does a number, or one in a struct, come back from a call? The size of an array never does."""
    if v.is_struct:
        return (not v.is_const and not v.struct().has_functions and
                any(comes_back(m) for m in v.struct().all))
    in_shapes = any(v.name == code.word(i) for s in structs.values() for m in s.all
                    for i in range(m.start, m.end))
    return v.kind == "number" and v.type == "int" and not in_shapes


# --- the proof of the shapes

def proof():
    """Lays each struct out in a room, for two sets of sizes, and lets shapes.c compare."""
    text = ("int main(void) {\n    static const int sizes[][9] = {{17, 13, 11, 7, 5, 3, 2}, "
            "{6, 8, 3, 5, 4, 2, 7}};\n    for (int i = 0; i < 2; i++) {\n"
            "        const int *n = sizes[i];\n")
    for take in takes.values():
        s = structs[take.name]
        if not take.is_own:
            continue
        numbers = [v.name for v in take.all if not v.is_struct]
        needs = "".join(f", n[{numbers.index(name)}]" for name in s.needs)
        if s.of():
            text += f"        BESIDE({s.of().name}, {take_call(s.of().take, 'other')})\n"
        text += (f"        LOOK({s.name}, {take_call(take, 'room')}, &made, false"
                 f"{', &of' if s.of() else ''}{needs})\n" + "        }\n" * (s.of() is not None))
    return text + "    }\n    return shapes_end();\n}\n"


def take_call(take, room):
    """"take_gru(&room, n[0], n[1])": what is given are structs, and the sizes n[]."""
    given, sizes = f"&{room}", 0
    for v in take.all:
        given += ", &of" if v.is_struct else f", n[{sizes}]"
        sizes += not v.is_struct
    return f"take_{take.name}({given})"


# --- calls

# The macro of sides.h for each kind of variable. $n is its name, and so on: see slot().
MEMBERS = {
    "number": "    NUMBER_IN($t, $n, $r)\n",
    "piece": "    ARRAY_IN($n, $z)\n",
    "function": "    FUNCTION_IN($f, $n)\n",
    "struct": "    STRUCT_IN($t, $n, &s->$n, back$a)\n",
    "structs": "    STRUCTS_IN($t, $n, $e, &s->$n[b], back$a)\n",
}
PARAMETERS = {
    "number": "    NUMBER($t, $n)\n",
    "known": "    KNOWN($n)\n",
    "array": "    ARRAY($t, $n, $d)\n",
    "rows": "    ROWS($n, $d, $c)\n",
    "whole": "    WHOLE($n)\n",
    "value": "    VALUE($T, $n)\n",
    "function": "    FUNCTION_GIVEN($t, $n, $b)\n",
    "struct": "    STRUCTS($t, $n, $c, (struct $t *)(const void *)$n + i, false$k)\n",
}
RETURNED = {"struct": "    STRUCT_BACK($t, $n, $r, (struct $t *)(const void *)$n, true$k)\n"}
# Of a function that is called back through a struct.
CALLED_BACK = {"number": "    NUMBER_OUT($t, $n)\n", "array": "    ARRAY_OUT($t, $n, $c, $w)\n"}


def count_of(dims):
    """"[n][2]" -> "(n) * (2)"."""
    return " * ".join(f"({size})" for size in re.findall(r"\[([^]]*)\]", dims)) or "1"


def callback_dims(f, v):
    """The sizes of the array that is filled: the parameter has the name of the typedef's."""
    name = callbacks[v.type].all[-1].name
    array = f.find(name, "array")
    if not array:
        die(f"{f.name}(): no array `{name}` for what is called back")
    return array.dims


SLOTS = {
    "f": lambda l, v: l.name,
    "n": lambda l, v: v.name,
    "t": lambda l, v: v.type,
    "T": lambda l, v: v.full_type(),
    "d": lambda l, v: v.dims,
    "w": lambda l, v: str(int(not v.is_const)),
    "r": lambda l, v: str(int(comes_back(v))),
    "c": lambda l, v: count_of(v.dims),
    "e": lambda l, v: expression(v.start, v.end, l),
    "z": lambda l, v: ", ".join(sizes_of(l, v)),
    "a": taken_in,
    "k": taken_by,
    "b": callback_dims,
}


def variables(l, forms):
    return "".join(re.sub(r"\$(\w)", lambda slot: SLOTS[slot[1]](l, v), forms.get(v.kind, ""))
                   for v in l.all)


def given(f):
    """What a function is given in a call."""
    return "".join(f", {'*' * (v.kind == 'value')}{v.name}" for v in f.all
                   if v.kind != "struct" or f.result)


def struct_calls(s):
    members = variables(s, MEMBERS)  # finds out what the struct needs
    of = f", const struct {s.partner().type} *of" if s.partner() else ""
    needs = "".join(f", int {name}" for name in s.needs)
    end = "END_ENGINE" if s.has_functions else "END"
    return f"\nSTRUCT({s.name}, struct {s.name} *s, bool back{of}{needs})\n{members}{end}\n"


def member_functions():
    """The functions in structs, and their list. Nothing of the struct itself comes back."""
    text, names = "", []
    for s in structs.values():
        for v in [v for v in s.all if v.kind == "function"]:
            close = code.match[v.open]
            f = read_list(List(v.name), v.open + 1, close, False)
            for p in f.all:
                if p.kind not in ("number", "array") and p.struct() is not s:
                    die(f"struct {s.name}: cannot pass `{p.name}`")
            text += (f"\nMEMBER_FUNCTION({len(names)}, {s.name}, {v.name}, "
                     f"{code.words(v.open + 1, close)})\n{variables(f, CALLED_BACK)}"
                     f"CALL_MEMBER({v.name}, s{given(f)})\n")
            names.append(f"MEMBER({s.name}, {v.name}) ")
    return text, "".join(names)


def function_calls(f, number):
    call, end = ("CALL(", "END") if f.result == "void" else (f"CALL_FOR({f.result}, ", "RETURN")
    return (f"\nFUNCTION({number}, {f.result}, {f.name}, {f.words})\n{variables(f, PARAMETERS)}"
            f"    {call}{f.name}{given(f)})\n{variables(f, RETURNED)}{end}\n")


def calls():
    text, members = member_functions()
    text += "".join(struct_calls(s) for s in structs.values() if not s.is_whole)
    text += f"\n#ifdef SHAPES\n{proof()}\n#else\n"
    text += "".join(function_calls(f, i) for i, f in enumerate(functions.values()))
    entries = "".join(f"ENTRY({name}) " for name in functions)
    return f"{text}\nMEMBERS({members})\nFUNCTIONS({entries})\n#endif\n"


def hosted():
    return '#define HOST_SIDE\n#include "calls.c"\n' + "".join(
        f"\n__attribute__((weak)) {f.result} {f.name}({f.words}) {{\n"
        f'    host_missing("{f.name}");\n}}\n' for f in functions.values())


# --- the table for a page

def row(l, v, is_member):
    taken = ("" if not v.is_struct else taken_in(l, v) if is_member
             else taken_by(l, v) if v.kind == "struct" else "")
    sizes = "".join(f"[{size}]" for size in sizes_of(l, v)) if is_member else v.dims
    return {"name": v.name, "kind": v.kind, "type": v.type, "in": v.is_const, "sizes": sizes,
            "most": v.dims if is_member else "", "taken": taken, "back": comes_back(v)}


def table():
    rows = {s.name: [row(s, v, True) for v in s.all] for s in structs.values()}
    return json.dumps({
        "structs": {s.name: {"of": s.partner() is not None, "needs": " ".join(s.needs),
                             "members": rows[s.name]} for s in structs.values() if not s.is_whole},
        "functions": {f.name: {"number": i, "result": f.result,
                               "parameters": [row(f, v, False) for v in f.all]}
                      for i, f in enumerate(functions.values())},
        "constants": constants}, indent=1) + "\n"


# --- the whole

def read_files():
    """The headers as one text: the last, and before it each that is included, or all of them.
    Returns also where the last one begins."""
    whole, last = "", ""
    for header in reversed(headers):
        with open(header, encoding="utf-8") as file:
            text = file.read()
        last = last or text
        if header == headers[-1] or also or f'#include "{os.path.basename(header)}"' in whole:
            whole = text + whole
    return whole, len(whole) - len(last)


def includes():
    own = os.path.basename(headers[-1])
    named = headers if also else headers[-1:]
    return (f"/* Made from {own} by common/grade/generate.py. */\n" +
            "".join(f'#include "{os.path.basename(header)}"\n' for header in named) +
            '#include "grade/sides.h"\n')


whole, start = read_files()
code = Code(whole)
own_start = sum(token.start() < start for token in code.found)
read_headers()
for name in exercises:
    if name not in functions:
        die(f"no function {name}()")
if what == "table":
    print(table(), end="")
else:
    print(hosted() if what == "hosted" else includes() + calls(), end="")
