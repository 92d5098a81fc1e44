/* Runs a lesson's functions in the page. They are in the module that play.sh put into it, and nothing else is
   loaded. A scene (plots/NN-name/name_play.js) says what can be set and which pictures are drawn; see README.md.

   The parts of this file: calls (arguments go into the module's memory, results come back), stops (why a call did
   not end well, and in which line), the page (controls, pictures), and the kinds of pictures. */
const inside = (id) => document.getElementById(id).textContent;
const table = JSON.parse(inside("table"));
const [[code_start], ...lines] = inside("places").trim().split("\n").map((row) => row.split(" ").map(Number));
const bytes_of = (id) => Uint8Array.from(atob(inside(id).replace(/\s/g, "")), (c) => c.charCodeAt(0));
const text_of = (bytes) => new TextDecoder().decode(bytes);
const source = text_of(bytes_of("source")).split("\n");
const MODEL_HEAD = 64; /* bytes before the numbers: common/nn/tasks/model_file.c */
const compiled = new WebAssembly.Module(bytes_of("module"));

/* The content of a file that make run-NN has written: the rows of a table, as [label, numbers, words], or the
   numbers of a network. It is undefined if there has been no run. */
function kept(name) {
    if (!document.getElementById(`kept/${name}`)) return undefined;
    const raw = bytes_of(`kept/${name}`);
    if (name.endsWith(".model")) return new Float64Array(raw.buffer.slice(MODEL_HEAD, raw.length - 8));
    const rows = text_of(raw).trim().split("\n").map((row) => row.match(/^(?:"([^"]*)" ?)?(.*)$/));
    return rows.map(([, label, numbers]) => [label, numbers.split(" ").map(Number), numbers.split(" ")]);
}

/* --- calls ---------------------------------------------------------------------------------- */

/* The types of elements: as numbers, as bits, and the bits of a cell that was never written. For floating point
   these are a NaN that no arithmetic makes. */
const ELEMENTS = {
    double: { numbers: Float64Array, bits: BigUint64Array, unset: 0x7ff8dead0000beefn },
    float: { numbers: Float32Array, bits: Uint32Array, unset: 0x7fcdead1 },
    int: { numbers: Int32Array, bits: Uint32Array, unset: 0xa5a5dead },
    bool: { numbers: Uint8Array, bits: Uint8Array, unset: 0xa5 },
    int8_t: { numbers: Int8Array, bits: Uint8Array, unset: 0x80 },
    byte: { numbers: Uint8Array, bits: Uint8Array, unset: 0x80 },
};

/* Ends a call early. The page shows the reason in place of the picture. */
class Stop extends Error {
    constructor(what, where) {
        super(what);
        this.where = where;
    }
}

/* If a function calls the page back and the page makes a call meanwhile, that call gets a module of its own. */
const instances = [];
let depth = 0, instance, sent, printed = "";

function start() {
    const library = {};
    for (const { module, name } of WebAssembly.Module.imports(compiled))
        (library[module] = library[module] || {})[name] = () => 52; /* "not supported" */
    library.wasi_snapshot_preview1 = { ...library.wasi_snapshot_preview1, fd_write: print, proc_exit: exit };
    library.env = { ...host, stop: stopped, outside, todo: not_written, call_back: called_back };
    instance = instances[depth] = new WebAssembly.Instance(compiled, library).exports;
    run(() => instance._initialize());
}

const view = (type, at, length) => new type(instance.memory.buffer, at, length);
function string_at(at) {
    const rest = new Uint8Array(instance.memory.buffer, at);
    return text_of(rest.subarray(0, rest.indexOf(0)));
}

/* The functions of grade/host.h that the generated code calls. It asks for the arguments of a call in the order in which
   they were packed, and says what came back. */
const host = {
    host_number(to) {
        const { type, x, object, name } = sent.numbers.shift();
        view(ELEMENTS[type].numbers, to, 1)[0] = x;
        if (object) sent.back.push({ type, to, object, name });
    },
    host_array: () => sent.places.shift()?.at || 0,
    host_known: () => 0,
    host_member(number) { sent.member = { number, given: [] }; },
    host_member_int(x) { sent.member.given.push(x); },
    host_member_array(first, count, element, is_filled) {
        instance.ask(first, count * element, is_filled);
        sent.member.given.push(first);
    },
    host_member_call: () => called_member(sent.member),
    host_result(at) { sent.result = view(ELEMENTS[table.functions[sent.name].result].numbers, at, 1)[0]; },
    host_int_back: () => 0, /* unpack() reads it from the struct */
    host_missing: (name) => not_written(0, 0, name, 0),
};

/* printf() in the learner's function. */
function print(descriptor, pieces, count, written) {
    let length = 0;
    for (let i = 0; i < count; i++) {
        const [at, size] = view(Uint32Array, pieces + 8 * i, 2);
        if (printed.length < 2000) printed += text_of(view(Uint8Array, at, size));
        length += size;
    }
    view(Uint32Array, written, 1)[0] = length;
    return 0;
}

/* The value of "n_q + 1", "3 * w->d" or "&of->decoder[b].cross.heads", given the values of the names. */
function value_of(text, names) {
    const factor = (f) => (/^ *\d+ *$/.test(f) ? Number(f) : named(f, names));
    const product = (p) => p.split("*").map(factor).reduce((a, b) => a * b);
    return text.split("+").map(product).reduce((a, b) => a + b);
}
function named(path, names) {
    let at;
    for (const [name, index] of path.matchAll(/\[(\w+)\]|\w+/g))
        if (at === undefined) at = name in names ? names[name] : table.constants[name];
        else if (index) at = at[index in names ? names[index] : Number(index)];
        else at = (Array.isArray(at) ? at[0] : at)[name];
    return at;
}
const sizes_of = (text, names) => text.split(/\]\[|^\[|\]$/).filter((s) => s).map((s) => value_of(s, names));
const times = (sizes) => sizes.reduce((a, b) => a * b, 1);

function nested(flat, sizes) {
    if (sizes.length < 2) return Array.from(flat);
    const step = times(sizes.slice(1));
    return Array.from({ length: sizes[0] }, (_, i) => nested(flat.slice(i * step, (i + 1) * step), sizes.slice(1)));
}

/* The array of an object's member, with its sizes. Its memory comes from a room {numbers, used}, as take() in C
   does it, or it holds the numbers given, or it is unset. The function that is called writes into it. */
function fit(object, m, names, room) {
    let array = object[m.name];
    if (array === null || ArrayBuffer.isView(array)) return array;
    const sizes = sizes_of(m.sizes, names), count = times(sizes);
    if (!(count >= 0)) throw new Error(`${m.name}${m.sizes}: take() it first`);
    if (room) array = room.numbers.subarray(room.used, (room.used += count));
    else if (array) array = Float64Array.from([array].flat(9));
    else new BigUint64Array((array = new Float64Array(count)).buffer).fill(ELEMENTS.double.unset);
    array.sizes = sizes;
    return (object[m.name] = array);
}

/* Goes through an object, and the objects in it, in the order in which the generated code goes through the struct.
   Calls `visit` for each member that is no struct. Missing objects are created. */
function go_through(type, object, names, visit) {
    const s = { ...names, s: object };
    for (const m of table.structs[type].members) {
        if (!table.structs[m.type]) {
            visit(m, object, s);
        } else if (m.kind === "struct") {
            go_through(m.type, (object[m.name] = object[m.name] || {}), taken_for(m, s), visit);
        } else {
            const count = sizes_of(m.sizes, s)[0], all = (object[m.name] = object[m.name] || []);
            visit({ kind: "count", count }, object, s);
            for (let b = 0; b < count; b++) go_through(m.type, (all[b] = all[b] || {}), taken_for(m, { ...s, b }), visit);
        }
    }
}
/* From ", &of->heads, n, m": the values of the names that the shapes of a struct's members use. */
function taken_for({ type, taken }, names) {
    const values = taken.split(",").slice(1).map((text) => value_of(text, names)), struct = table.structs[type];
    const of = struct.of ? values.shift() : undefined;
    return Object.fromEntries([["of", of], ...struct.needs.split(" ").map((name, i) => [name, values[i]])]);
}

/* A row of numbers from which structs and arrays take their pieces. */
const room_of = (numbers) => ({ numbers: Float64Array.from(numbers), used: 0 });
const take_array = (room, ...sizes) => nested(room.numbers.subarray(room.used, (room.used += times(sizes))), sizes);

/* normal_from(1) gives random numbers, approximately N(0, 1), the same at every visit. */
function normal_from(seed) {
    return () => {
        let sum = -6;
        for (let i = 0; i < 12; i++) {
            seed = (seed * 16807) % 2147483647;
            sum += seed / 2147483647;
        }
        return sum;
    };
}
const random_matrix = (normal, rows, columns, factor = 1) =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => factor * normal()));

/* take("gru_values", {}, {of: w}) makes the arrays of an object as take_gru_values() would, from a room if given. */
function take(type, object, names = {}, room) {
    go_through(type, object, names, (m, at, s) => { if (m.kind === "piece") fit(at, m, s, room); });
    return object;
}

/* The numbers of a struct's array, as nested rows. A cell that was never written is undefined. */
const numbers_of = (array, sizes = array.sizes) => nested(written("double", array), sizes);
function written(type, array) {
    const { bits, unset } = ELEMENTS[type], raw = new bits(array.buffer, array.byteOffset, array.length);
    return Array.from(array, (x, i) => (raw[i] === unset ? undefined : type === "bool" ? [false, true][x] : x));
}

/* call("softmax", {n: 3, scores: [1, 2, 3]}).weights calls a function; .result is its return value. An array that is
   left out is unset until the function writes it, and null is NULL. A struct is an object: missing members are
   added, and the function writes into its arrays. .steps_run is the number of basic blocks that ran, and
   .bytes_loaded has the bytes loaded from each array. */
function call(name, given) {
    const outer = [instance, sent];
    instance = instances[depth];
    sent = { name, given, blocks: [], numbers: [], places: [], back: [] };
    if (depth === 0) printed = "";
    if (!instance) start();
    depth++;
    try {
        return called(table.functions[name], given);
    } finally {
        depth--;
        [instance, sent] = outer;
    }
}

function called(f, given) {
    for (const p of f.parameters) pack(p, given);
    if (f.result === "vec") throw new Error(`cannot call ${sent.name}()`);
    instance.begin();
    for (const block of sent.blocks) fill(block, instance.add_block(times(block.sizes) * block.element));
    run(() => instance.run(f.number));
    return unpack(f, given);
}

function pack(p, given) {
    const x = given[p.name], add = (type, number, object, name) => {
        if (number === undefined) throw new Error(`${sent.name}() is called without ${p.name}`);
        sent.numbers.push({ type, x: number, object, name });
    };
    if (p.kind === "number") add(p.type, x);
    else if (p.kind === "array") add_block(p.type, p.name, x === null ? null : sizes_of(p.sizes, given), x);
    else if (p.kind === "struct") {
        const sizes = x === null ? [0] : sizes_of(p.sizes, given), all = x === null ? [] : p.sizes ? x.flat(9) : [x];
        if (all.length !== times(sizes)) throw new Error(`${sent.name}() is called with ${all.length} of ${p.name}`);
        add("int", all.length);
        for (const object of all)
            go_through(p.type, object, taken_for(p, given), (m, at, s) => {
                if (m.kind === "number") add(m.type, at[m.name], m.back && !p.in && at, m.name);
                else if (m.kind === "count") add("int", m.count);
                else if (m.kind === "piece") add_piece(`${p.name}->${m.name}`, fit(at, m, s));
            });
    } else if (!["function", "known"].includes(p.kind)) throw new Error(`cannot pass ${p.name}`);
}
function add_block(type, name, sizes, content, array) {
    const block = sizes && { ...ELEMENTS[type], type, name, sizes, content, array, element: ELEMENTS[type].numbers.BYTES_PER_ELEMENT };
    sent.places.push(block);
    if (block) sent.blocks.push(block);
}
const add_piece = (name, array) => add_block("double", name, array && (array.sizes || [array.length]), array, array);

function fill(block, at) {
    if (!at) throw new Error(`there is no room for ${block.name}`);
    block.at = at;
    const { content } = block, count = times(block.sizes);
    if (content === undefined) view(block.bits, at, count).fill(block.unset);
    else view(block.numbers, at, count).set(ArrayBuffer.isView(content) ? content.subarray(0, count) : [content].flat(9));
}

const whole = (block) => view(block.numbers, block.at, times(block.sizes));
function unpack(f, given) {
    const out = { result: sent.result, steps_run: instance.steps(), bytes_loaded: {} };
    sent.blocks.forEach((block, b) => { out.bytes_loaded[block.name] = instance.loaded(b); });
    for (const block of sent.blocks) if (block.array) block.array.set(whole(block));
    for (const { type, to, object, name } of sent.back) object[name] = view(ELEMENTS[type].numbers, to, 1)[0];
    for (const p of f.parameters) if (p.kind === "array" && !p.in && given[p.name] !== null) out[p.name] = peek(p.name);
    return out;
}
/* The present numbers of an array parameter. A function that is called back may use it, too. */
function peek(name) {
    const block = sent.blocks.find((b) => b.name === name);
    return nested(written(block.type, whole(block)), block.sizes);
}

/* Ends the call that is running. A function that is called back uses it when its arguments make no sense. */
function refuse(what) {
    throw new Stop(what, place_of(new Error()));
}

/* The learner's function calls a function of the page: with a word and an array to fill, or as a member of a struct. */
function called_back(known, word, at) {
    const function_of = table.functions[sent.name].parameters.find((p) => p.kind === "function");
    const numbers = sent.given[function_of.name](word);
    instance.ask(at, 8 * numbers.length, true);
    view(Float64Array, at, numbers.length).set(numbers);
}
function called_member({ number, given }) {
    const all = Object.entries(table.structs).flatMap(([type, s]) => s.members.filter((m) => m.kind === "function").map((m) => [type, m.name]));
    const [type, name] = all[number], p = table.functions[sent.name].parameters.find((q) => q.type === type);
    /* (int n, float array[n]) pairs */
    const arrays = Array.from({ length: given.length / 2 }, (_, i) => view(Float32Array, given[2 * i + 1], given[2 * i]));
    sent.given[p.name][name](...arrays);
}

/* --- stops ---------------------------------------------------------------------------------- */

function run(what) {
    try {
        what();
    } catch (error) {
        instances[instances.indexOf(instance)] = undefined; /* its memory may be damaged */
        if (error instanceof Stop) throw error;
        const where = place_of(error);
        if (error instanceof RangeError && /stack/.test(error.message)) throw new Stop("calls itself without end", where);
        throw new Stop(/unreachable/.test(error.message) ? "gives up: abort(), or a failed assert()" :
            /divi/.test(error.message) ? "divides an int by zero" :
            /bounds/.test(error.message) ? "reads or writes far outside of every array" : error.message, where);
    }
}

const stopped = (what) => refuse(string_at(what));
const exit = () => refuse("ends the program with exit()");

function outside(b, offset, size, stores) {
    const block = sent.blocks[b];
    const whole = times(block.sizes) * block.element; /* several bytes at once: name the first one outside */
    const first = offset >= 0 && offset < whole && size > block.element ? whole : offset;
    throw new Stop(`${stores ? "writes" : "reads"} ${element_of(block, Math.floor(first / block.element))}, outside of ` +
        `${block.name}${block.sizes.map((s) => `[${s}]`).join("")}`, place_of(new Error()));
}

/* "K[5][0]". The first index is the one that exceeds its size. */
function element_of(block, index) {
    let text = "", rest = index;
    for (let k = block.sizes.length - 1; k > 0; k--) {
        const i = ((rest % block.sizes[k]) + block.sizes[k]) % block.sizes[k];
        text = `[${i}]${text}`;
        rest = (rest - i) / block.sizes[k];
    }
    return `${block.name}[${rest}]${text}`;
}

function not_written(file, line, name, hint) {
    const where = { name: string_at(name), line };
    throw new Stop(line ? `is still to be written: ${string_at(hint)}` : "is not in the file", where);
}

/* The innermost line of the learner's file on the stack. The browser's stack has offsets into the module. */
function place_of(error) {
    for (const [, name, hex] of String(error.stack).matchAll(/(\w+)(?:@| \().*wasm-function\[\d+\]:0x([0-9a-f]+)/g)) {
        const at = parseInt(hex, 16) - code_start, [, line] = lines.filter(([start]) => start <= at).pop() || [];
        if (line) return { name, line };
    }
    return { name: sent.name, line: 0 };
}

/* --- the page ------------------------------------------------------------------------------- */

const controls = [], pictures = [];

/* task("Set the temperature to 0.1. Which weights are left?") says in one line what to try. */
function task(text) {
    document.getElementById("task").textContent = text;
}

/* slider("T", "Temperature", {from: 0.1, to: 5, step: 0.1, at: 1}) returns an object whose .value is the number. With
   pause: 300 it gets a button that moves it, a step every 300 milliseconds. */
function slider(id, label, { from, to, step, at, pause }) {
    const input = element("input", { type: "range", id, min: from, max: to, step, value: at });
    const shown = element("output", { for: id });
    const control = {
        get value() { return Number(input.value); },
        set value(x) { input.value = x; show(); draw(); },
    };
    const show = () => { shown.value = input.value; };
    input.addEventListener("input", () => { show(); draw(); });
    show();
    controls.push(element("label", {}, element("span", {}, label), input, shown), ...(pause ? [player(input, pause)] : []));
    return control;
}

/* choice("noun", "The noun", ["cat", "dog"]): its .value is what was chosen. */
function choice(id, label, options, at = options[0]) {
    const select = element("select", { id }, ...options.map((o) => element("option", o === at ? { selected: "" } : {}, o)));
    select.addEventListener("input", draw);
    controls.push(element("label", {}, element("span", {}, label), select));
    return select;
}

/* typing("text", "Goes on from", "the old"): its .value is what was typed. */
function typing(id, label, at) {
    const input = element("input", { type: "text", id, value: at, maxlength: "300", autocomplete: "off", spellcheck: "false" });
    input.addEventListener("input", draw);
    controls.push(element("label", { class: "typing" }, element("span", {}, label), input));
    return input;
}

/* The sentence for a scene whose lesson has not been trained yet. */
const run_again = `make run-${document.title.slice(0, 2)}, then make this page again.`;
const untrained = (what = "these numbers are small and made up") => `No run has kept anything yet, so ${what}: ${run_again}`;

/* picture("weights", "Weights", bars, () => ({rows, columns, numbers, says})) is drawn again at each change. */
function picture(id, title, kind, compute) {
    const place = element("div", { class: "drawing" }), says = element("p", { class: "says" }), table = element("div", {});
    const section = element("section", { id, "aria-label": title }, element("h2", {}, title), place, says,
        element("details", {}, element("summary", {}, "The numbers"), table));
    observe(place, title);
    observe(table, "The numbers");
    pictures.push({ section, place, says, table, kind, compute });
}

function draw() {
    for (const p of pictures) {
        try {
            const data = p.compute();
            p.place.replaceChildren(p.kind(data, p.place));
            p.table.replaceChildren(grid(data.rows, data.columns, (i, j) => number_cell(data.numbers[i][j], full)));
            p.says.textContent = (data.says || "") + (printed ? ` It printed: ${printed}` : "");
            p.section.classList.remove("stopped");
            p.section.classList.toggle("wide", p.kind === cells && data.columns.length > 6);
        } catch (error) {
            const stop = error instanceof Stop;
            p.section.classList.add("stopped");
            p.place.replaceChildren(...(stop ? told(error) : [element("p", { role: "status" }, `What came of it cannot be drawn: ${error.message}.`)]));
            p.table.replaceChildren();
            p.says.textContent = "";
        }
        look_at(p.place);
    }
}

function told({ message, where }) {
    const place = `${where.name}()${where.line ? `, line ${where.line}` : ""}`;
    const lines = [element("p", { role: "status" }, element("strong", {}, place), ` ${message}${/[.?!]$/.test(message) ? "" : "."}`)];
    if (where.line) lines.push(element("pre", {}, `${where.line}  ${(source[where.line - 1] || "").trim()}`));
    return lines;
}

const full = (x) => (x === undefined ? "not set" : String(x));
/* A wide table has room for two decimals, and whole numbers need none. */
const spelled = (x, decimals) =>
    typeof x !== "number" ? full(x) : Number.isFinite(x) ? x.toFixed(decimals).replace(/^-(0\.0*)$/, "$1") : String(x);
const short = (x) => spelled(x, 4);

function number_cell(x, spelled) {
    return element("td", x === undefined || Number.isNaN(x) ? { class: "odd" } : {}, spelled(x));
}

const decimals_of = (numbers, most) => (numbers.flat().every((x) => x === undefined || Number.isInteger(x)) ? 0 : most);

function grid(rows, columns, cell) {
    const head = element("tr", {}, element("td", {}), ...columns.map((c) => element("th", { scope: "col" }, c)));
    const body = rows.map((row, i) =>
        element("tr", {}, element("th", { scope: "row" }, row), ...columns.map((_, j) => cell(i, j))));
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

/* --- kinds of pictures ---------------------------------------------------------------------- */

/* One rule for all shades, in both themes: the stronger the colour, the larger the number. Blue is above 0, and orange
   is below. */
const shade = (x, largest) =>
    `color-mix(in srgb, var(${x < 0 ? "--minus" : "--plus"}) ${60 * Math.min(Math.abs(x) / largest, 1)}%, transparent)`;
function with_scale(drawing, largest, signed) {
    const ends = signed ? [-largest, 0, largest] : [0, largest];
    const bar = element("span", { style: `background: linear-gradient(to right, ${ends.map((x) => shade(x, largest))})` });
    return element("div", {}, drawing, element("p", { class: "scale" }, spelled(ends[0], decimals_of([ends], 2)), bar, spelled(largest, decimals_of([ends], 2))));
}

/* A bar for each number of each row. A bar of `most` has the full length. */
function bars({ rows, columns, numbers, most = 1 }) {
    const decimals = decimals_of(numbers, 4);
    const bar = (i, j) => {
        const x = numbers[i][j], width = Math.min(Math.max(Math.abs(x) / most, 0), 1);
        const td = number_cell(x, (y) => spelled(y, decimals));
        return element("tr", {}, element("th", { scope: "row" }, rows.length > 1 ? `${rows[i]}, ${columns[j]}` : columns[j]),
            element("td", { class: "track" }, element("div", { class: x < 0 ? "bar minus" : "bar", style: `width: ${width * 100 || 0}%` })), td);
    };
    return element("table", { class: "bars" }, element("tbody", {}, ...numbers.flatMap((row, i) => row.map((_, j) => bar(i, j)))));
}

/* A matrix with each cell shaded by its size. If there are many columns, only the table
   under "The numbers" has the numbers. */
function cells({ rows, columns, numbers, most }) {
    const largest = most || Math.max(...numbers.flat().map((x) => Math.abs(x) || 0)) || 1;
    const decimals = decimals_of(numbers, columns.length > 4 || rows.length > 6 ? 2 : 4), many = columns.length > 12;
    const table = grid(rows, columns, (i, j) => {
        const x = numbers[i][j], td = number_cell(x, (y) => (many ? "" : spelled(y, decimals)));
        if (Number.isFinite(x)) td.style.background = shade(x, largest);
        return td;
    });
    table.className = many ? "cells many" : "cells";
    return with_scale(table, largest, numbers.flat().some((x) => x < 0));
}

/* A line for each row of numbers, with the columns as x. The name of the row is at the end of its line. `tick` writes the
   numbers at the axis. */
function curves({ rows, columns, numbers, low = 0, high, at, tick = (v) => String(+v.toPrecision(2)) }) {
    const W = 320, H = 180, top = high || Math.max(...numbers.flat().filter(Number.isFinite), low + 1e-9);
    const x = columns.map(Number), first = x[0], last = x[x.length - 1];
    const right = 10 + 6 * Math.max(...rows.map((name) => name.length));
    const px = (v) => 38 + ((v - first) / (last - first)) * (W - 38 - right);
    const py = (v) => H - 22 - ((Math.min(Math.max(v, low), top) - low) / (top - low)) * (H - 34);
    const svg = element("svg", { viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true" },
        element("path", { class: "axis", d: `M${px(first)} ${py(top)}V${py(low)}H${px(last)}` }),
        ...[low, top].map((v) => element("text", { x: 34, y: py(v) + 4, "text-anchor": "end" }, tick(v))),
        ...[first, last].map((v) => element("text", { x: px(v), y: H - 8, "text-anchor": "middle" }, String(v))));
    const ends = numbers.map((row, i) => {
        const points = row.map((y, j) => [px(x[j]), py(y)]).filter(([, y]) => Number.isFinite(y));
        svg.append(element("path", { class: `curve c${i}`, d: points.map(([a, b], k) => `${k ? "L" : "M"}${a} ${b}`).join("") }));
        return { name: rows[i], y: points.length ? points[points.length - 1][1] : H };
    }).sort((a, b) => b.y - a.y);
    ends.reduce((below, end) => { /* names that would overlap move up */
        end.y = Math.min(end.y, below - 11);
        svg.append(element("text", { x: px(last) + 4, y: end.y + 4 }, end.name));
        return end.y;
    }, H);
    if (at !== undefined) svg.append(element("path", { class: "at", d: `M${px(at)} ${py(top)}V${py(low)}` }));
    return svg;
}

/* A text whose letters or words are shaded by their numbers, from 0 to 1. The given part has no numbers. */
function text({ columns, numbers }) {
    return with_scale(element("p", { class: "text" }, ...columns.map((word, i) => {
        const x = numbers[0][i];
        return element("span", Number.isFinite(x) ? { style: `background: ${shade(x, 1)}`, title: short(x) } : {}, word);
    })), 1);
}

/* Draws nothing: the sentence below says it all. */
const nothing = () => element("span", {});

/* Runs the scene of a lesson. The files of a run may be damaged, or from an older version. */
function scene(tell) {
    try {
        tell();
    } catch (error) {
        controls.length = pictures.length = 0;
        picture("kept", "What the run has kept", nothing, () => ({
            rows: [], columns: [], numbers: [], says: `It cannot be read here (${error.message}): ${run_again}`,
        }));
    }
}

/* The page is put together when the scene has been read. */
window.addEventListener("load", () => {
    document.getElementById("play").append(element("form", { class: "controls" }, ...controls),
        element("div", { class: "pictures" }, ...pictures.map((p) => p.section)));
    document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
    draw();
    /* The page of the book around this one makes its frame as high as this. */
    const tell = () => parent.postMessage({ height: document.documentElement.offsetHeight }, "*");
    if (parent !== window) {
        tell();
        new ResizeObserver(tell).observe(document.body);
    }
});
