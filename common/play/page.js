/* Runs a lesson's functions in the page: the module that play.sh put into it, and nothing from elsewhere.
   A scene (plots/NN-name/name_play.js) says what can be set and which pictures are drawn of it; see
   README.md. */
"use strict";

const inside = (id) => document.getElementById(id).textContent;
const functions = JSON.parse(inside("functions"));
const places = JSON.parse(inside("places"));
const source = JSON.parse(inside("source"));
const bytes = Uint8Array.from(atob(inside("module").replace(/\s/g, "")), (c) => c.charCodeAt(0));
const compiled = new WebAssembly.Module(bytes);

/* --- calls ---------------------------------------------------------------------------------- */

const REQUEST = 24, PLACE = 16, BLOCK = 104; /* the sizes of wire.h's structs */
const UNSET = 0x7ff8dead0000beefn;           /* a NaN that no arithmetic makes */
const [ENDLESS, RECURSION, OUTSIDE, NOWHERE] = [1, 2, 3, 4];

/* What ends a call before its end: told in the page, where its picture would be. */
class Stop extends Error {
    constructor(what, where) {
        super(what);
        this.where = where;
    }
}

let instance, sent, printed;

function start() {
    const library = {};
    for (const { module, name } of WebAssembly.Module.imports(compiled))
        (library[module] = library[module] || {})[name] = () => 52; /* there is no such thing here */
    library.wasi_snapshot_preview1 = { ...library.wasi_snapshot_preview1, fd_write: print, proc_exit: exit };
    library.page = { stop: stopped, todo: not_written };
    instance = new WebAssembly.Instance(compiled, library).exports;
    run(() => instance._initialize());
}

const memory = () => new DataView(instance.memory.buffer);
const text_at = (at, length) => new TextDecoder().decode(new Uint8Array(instance.memory.buffer, at, length));
function string_at(at) {
    let end = at;
    while (memory().getUint8(end)) end++;
    return text_at(at, end - at);
}

/* printf() in somebody's function. */
function print(descriptor, pieces, count, written) {
    let length = 0;
    for (let i = 0; i < count; i++) {
        const size = memory().getUint32(pieces + 8 * i + 4, true);
        if (printed.length < 2000) printed += text_at(memory().getUint32(pieces + 8 * i, true), size);
        length += size;
    }
    memory().setUint32(written, length, true);
    return 0;
}

/* "n", "d_q + d_k", "3 * d": a size of the header, from those that are given. */
function size_of(text, given) {
    const factor = (f) => (/^\d+$/.test(f) ? Number(f) : given[f]);
    const product = (p) => p.split("*").reduce((so_far, f) => so_far * factor(f.trim()), 1);
    return text.split("+").reduce((so_far, p) => so_far + product(p.trim()), 0);
}
const sizes_of = (p, given) => p.sizes.split(/[[\]]+/).filter((s) => s).map((s) => size_of(s, given));
const times = (sizes) => sizes.reduce((a, b) => a * b, 1);

function nested(flat, sizes) {
    if (sizes.length < 2) return flat;
    const step = times(sizes.slice(1));
    return Array.from({ length: sizes[0] }, (_, i) => nested(flat.slice(i * step, (i + 1) * step), sizes.slice(1)));
}

/* call("softmax", {n: 3, scores: [1, 2, 3]}).weights; what a function returns is .result. An array that is
   left out is unset until the function writes it. */
function call(name, given) {
    const f = functions[name];
    sent = { name, blocks: [] };
    printed = "";
    if (!instance) start();
    const numbers = instance.numbers_at(), blocks = instance.blocks_at(), where = instance.places_at();
    let next = 0;
    for (const p of f.parameters) {
        if (p.kind === "number") {
            const at = numbers + 8 * next++;
            if (p.type === "double") memory().setFloat64(at, given[p.name], true);
            else memory().setBigInt64(at, BigInt(given[p.name]), true);
        } else {
            const sizes = sizes_of(p, given), b = sent.blocks.length, element = p.type === "bool" ? 1 : 8;
            sent.blocks.push({ ...p, sizes, element });
            memory().setBigUint64(blocks + BLOCK * b, BigInt(times(sizes) * element), true);
            memory().setInt32(where + PLACE * b, b, true);
            memory().setBigUint64(where + PLACE * b + 8, 0n, true);
        }
    }
    memory().setInt32(instance.request_at() + 8, f.number, true);
    memory().setInt32(instance.request_at() + 20, sent.blocks.length, true);
    sent.blocks.forEach((block, b) => fill(block, instance.block_at(b), given[block.name]));
    run(() => instance.run());
    const out = { result: result_of(f) };
    for (const block of sent.blocks)
        if (!block.in) out[block.name] = taken_from(block);
    return out;
}

function fill(block, at, numbers) {
    block.at = at;
    const flat = numbers === undefined ? undefined : [numbers].flat(9);
    for (let i = 0; i < times(block.sizes); i++)
        if (block.element === 1) memory().setUint8(at + i, flat ? flat[i] : 0xa5);
        else if (flat) memory().setFloat64(at + 8 * i, flat[i], true);
        else memory().setBigUint64(at + 8 * i, UNSET, true);
}

/* A number that was never written is undefined. */
function taken_from(block) {
    const flat = [];
    for (let i = 0; i < times(block.sizes); i++)
        if (block.element === 1) flat.push([false, true][memory().getUint8(block.at + i)]);
        else if (memory().getBigUint64(block.at + 8 * i, true) === UNSET) flat.push(undefined);
        else flat.push(memory().getFloat64(block.at + 8 * i, true));
    return nested(flat, block.sizes);
}

function result_of(f) {
    if (f.result === "double") return memory().getFloat64(instance.result_at(), true);
    return f.result === "void" ? undefined : memory().getInt32(instance.result_at(), true);
}

/* --- stops ---------------------------------------------------------------------------------- */

function run(what) {
    try {
        what();
    } catch (error) {
        instance = undefined; /* whatever it left behind goes with it */
        if (error instanceof Stop) throw error;
        const where = place_of(error);
        if (error instanceof RangeError) throw new Stop("calls itself without end", where);
        throw new Stop(/unreachable/.test(error.message) ? "gives up: abort(), or a failed assert()" :
            /divi/.test(error.message) ? "divides an int by zero" :
            /bounds/.test(error.message) ? "reads or writes far outside of every array" : error.message, where);
    }
}

function stopped(why, b, offset, size, stores) {
    const where = place_of(new Error()), verb = stores ? "writes" : "reads";
    if (why === ENDLESS) throw new Stop(`has run ${offset / 1e6} million steps, as if it had no end, and was stopped`, where);
    if (why === RECURSION) throw new Stop("calls itself without end", where);
    if (why === NOWHERE) throw new Stop(`${verb} at a pointer that points nowhere`, where);
    const block = sent.blocks[b];
    const whole = times(block.sizes) * block.element; /* of many bytes, the first behind it */
    const first = offset >= 0 && offset < whole && size > block.element ? whole : offset;
    throw new Stop(`${verb} ${element_of(block, Math.floor(first / block.element))}, outside of ` +
        `${block.name}${block.sizes.map((s) => `[${s}]`).join("")}`, where);
}

/* "K[5][0]": the first index runs out of its size. */
function element_of(block, index) {
    let text = "", rest = index;
    for (let k = block.sizes.length - 1; k > 0; k--) {
        const i = ((rest % block.sizes[k]) + block.sizes[k]) % block.sizes[k];
        text = `[${i}]${text}`;
        rest = (rest - i) / block.sizes[k];
    }
    return `${block.name}[${rest}]${text}`;
}

function not_written(name, line, hint) {
    const where = { name: string_at(name), line };
    throw new Stop(line ? `is still to be written: ${string_at(hint)}` : "is not in the file", where);
}

function exit() {
    throw new Stop("ends the program with exit()", place_of(new Error()));
}

/* The innermost of the learner's lines on the stack. Browsers say how many bytes into the module a call is;
   the table counts from the start of its code. */
function place_of(error) {
    for (const [, hex] of String(error.stack).matchAll(/wasm-function\[\d+\]:0x([0-9a-f]+)/g)) {
        const at = parseInt(hex, 16) - code_start();
        const f = places.functions.find(([low, high]) => low <= at && at < high);
        const line = places.lines.filter(([start]) => start <= at).sort((a, b) => b[0] - a[0])[0];
        if (f && line) return { name: f[2], line: line[1] };
    }
    return { name: sent.name, line: 0 };
}

function code_start() {
    for (let at = 8; ; ) {
        const section = bytes[at++];
        let size = 0, shift = 0, byte;
        do {
            byte = bytes[at++];
            size += (byte & 127) * 2 ** shift;
            shift += 7;
        } while (byte & 128);
        if (section === 10) return at;
        at += size;
    }
}

/* --- the page ------------------------------------------------------------------------------- */

const controls = [], pictures = [];

function element(tag, attributes, ...children) {
    const e = document.createElementNS(
        /^(svg|circle|line|path|text|g|rect)$/.test(tag) ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml", tag);
    for (const [name, value] of Object.entries(attributes || {})) e.setAttribute(name, value);
    e.append(...children);
    return e;
}

/* slider("T", "Temperature", {from: 0.1, to: 5, step: 0.1, at: 1}): its number is the value of what comes back. */
function slider(id, label, { from, to, step, at }) {
    const input = element("input", { type: "range", id, min: from, max: to, step, value: at });
    const shown = element("output", { for: id });
    const control = {
        get value() { return Number(input.value); },
        set value(x) { input.value = x; show(); draw(); },
    };
    const show = () => { shown.value = input.value; };
    input.addEventListener("input", () => { show(); draw(); });
    show();
    controls.push(element("label", {}, element("span", {}, label), input, shown));
    return control;
}

/* switches("mask", "Mask", ["row"], ["column"], [[false]]): cells to click; .value is the table of them. */
function switches(id, label, rows, columns, value) {
    const cell = (i, j) => {
        const b = element("button", { type: "button", "aria-label": `${rows[i]}, ${columns[j]}`, "aria-pressed": value[i][j] });
        b.addEventListener("click", () => {
            value[i][j] = !value[i][j];
            b.setAttribute("aria-pressed", value[i][j]);
            draw();
        });
        return b;
    };
    controls.push(element("div", { id, class: "switches", role: "group", "aria-label": label }, element("span", {}, label),
        grid(rows, columns, (i, j) => element("td", {}, cell(i, j)))));
    return { value };
}

/* picture("weights", "Weights", bars, () => ({rows, columns, numbers, says})): is drawn at each change. */
function picture(id, title, kind, compute) {
    const place = element("div", { class: "drawing" }), says = element("p", { class: "says" }), table = element("div", {});
    const section = element("section", { id, "aria-label": title }, element("h2", {}, title), place, says,
        element("details", {}, element("summary", {}, "The numbers"), table));
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
        } catch (error) {
            if (!(error instanceof Stop)) throw error;
            p.section.classList.add("stopped");
            p.place.replaceChildren(...told(error));
            p.table.replaceChildren();
            p.says.textContent = "";
        }
    }
    if (parent !== window) parent.postMessage({ height: document.documentElement.offsetHeight }, "*");
}

function told({ message, where }) {
    const place = `${where.name}()${where.line ? `, line ${where.line}` : ""}`;
    const lines = [element("p", { role: "status" }, element("strong", {}, place), ` ${message}.`)];
    if (where.line) lines.push(element("pre", {}, `${where.line}  ${(source[where.line - 1] || "").trim()}`));
    return lines;
}

const full = (x) => (x === undefined ? "not set" : String(x));
/* In a wide table there is room for two decimals; what is 0 or 1 needs none. */
const spelled = (x, decimals) =>
    typeof x !== "number" ? full(x) : Number.isFinite(x) ? x.toFixed(decimals).replace(/^-(0\.0*)$/, "$1") : String(x);
const short = (x) => spelled(x, 4);

function number_cell(x, spelled) {
    return element("td", x === undefined || Number.isNaN(x) ? { class: "odd" } : {}, spelled(x));
}

function grid(rows, columns, cell) {
    const head = element("tr", {}, element("td", {}), ...columns.map((c) => element("th", { scope: "col" }, c)));
    const body = rows.map((row, i) =>
        element("tr", {}, element("th", { scope: "row" }, row), ...columns.map((_, j) => cell(i, j))));
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

/* --- kinds of pictures ---------------------------------------------------------------------- */

/* A bar for each number of each row; data.most is the length of the longest there can be. */
function bars({ rows, columns, numbers, most = 1 }) {
    const bar = (i, j) => {
        const x = numbers[i][j], width = Math.min(Math.max(Math.abs(x) / most, 0), 1);
        const td = number_cell(x, short);
        return element("tr", {}, element("th", { scope: "row" }, rows.length > 1 ? `${rows[i]}, ${columns[j]}` : columns[j]),
            element("td", { class: "track" }, element("div", { class: x < 0 ? "bar minus" : "bar", style: `width: ${width * 100 || 0}%` })), td);
    };
    return element("table", { class: "bars" }, element("tbody", {}, ...numbers.flatMap((row, i) => row.map((_, j) => bar(i, j)))));
}

/* A matrix, each cell shaded by its size: blue above 0, orange below. */
function cells({ rows, columns, numbers, most }) {
    const largest = most || Math.max(...numbers.flat().map((x) => Math.abs(x) || 0)) || 1;
    const decimals = numbers.flat().every((x) => x === undefined || Number.isInteger(x)) ? 0 : columns.length > 4 ? 2 : 4;
    const table = grid(rows, columns, (i, j) => {
        const x = numbers[i][j], td = number_cell(x, (y) => spelled(y, decimals));
        if (Number.isFinite(x))
            td.setAttribute("style", `background: rgb(var(${x < 0 ? "--minus" : "--plus"}) / ${Math.min(Math.abs(x) / largest, 1) * 0.6})`);
        return td;
    });
    table.className = "cells";
    return table;
}

/* Lines over x: each row of numbers is one, over data.x; its name stands at its end. */
function curves({ rows, columns, numbers, low = 0, high, at }) {
    const W = 320, H = 180, top = high || Math.max(...numbers.flat().filter(Number.isFinite), low + 1e-9);
    const x = columns.map(Number), first = x[0], last = x[x.length - 1];
    const px = (v) => 34 + ((v - first) / (last - first)) * (W - 100);
    const py = (v) => H - 22 - ((Math.min(Math.max(v, low), top) - low) / (top - low)) * (H - 34);
    const svg = element("svg", { viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true" },
        element("path", { class: "axis", d: `M${px(first)} ${py(top)}V${py(low)}H${px(last)}` }),
        ...[low, top].map((v) => element("text", { x: 30, y: py(v) + 4, "text-anchor": "end" }, String(+v.toPrecision(2)))),
        ...[first, last].map((v) => element("text", { x: px(v), y: H - 8, "text-anchor": "middle" }, String(v))));
    numbers.forEach((row, i) => {
        const points = row.map((y, j) => [px(x[j]), py(y)]).filter(([, y]) => Number.isFinite(y));
        svg.append(element("path", { class: `curve c${i}`, d: points.map(([a, b], k) => `${k ? "L" : "M"}${a} ${b}`).join("") }),
            element("text", { x: px(last) + 4, y: (points.length ? points[points.length - 1][1] : 0) + 4 }, rows[i]));
    });
    if (at !== undefined) svg.append(element("path", { class: "at", d: `M${px(at)} ${py(top)}V${py(low)}` }));
    return svg;
}

/* Points of a plane, [x, y] with a size and a name; data.move(x, y) is told where somebody drags to. The
   picture is drawn anew meanwhile, so its place and the window are asked. */
function plane({ points, move, reach = 2 }, place) {
    const S = 300, px = (x) => S / 2 + (x / reach) * (S / 2), py = (y) => S / 2 - (y / reach) * (S / 2);
    const svg = element("svg", { viewBox: `0 0 ${S} ${S}`, class: "plane", "aria-hidden": "true" },
        element("path", { class: "axis", d: `M0 ${S / 2}H${S}M${S / 2} 0V${S}` }));
    for (const p of points)
        if (Number.isFinite(p.x + p.y))
            svg.append(element("circle", { cx: px(p.x), cy: py(p.y), r: p.size || 5, class: p.kind }),
                element("text", { x: px(p.x) + (p.size || 5) + 3, y: py(p.y) + 4 }, p.name));
    const drag = (event) => {
        const box = place.firstElementChild.getBoundingClientRect();
        move((((event.clientX - box.left) / box.width) * 2 - 1) * reach, (1 - ((event.clientY - box.top) / box.height) * 2) * reach);
    };
    if (move) svg.addEventListener("pointerdown", (event) => { follow(drag); drag(event); event.preventDefault(); });
    return svg;
}

function follow(drag) {
    const end = () => {
        window.removeEventListener("pointermove", drag);
        window.removeEventListener("pointerup", end);
        window.removeEventListener("pointercancel", end);
    };
    window.addEventListener("pointermove", drag);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
}

/* Begins when the scene has said all. */
window.addEventListener("load", () => {
    document.getElementById("play").append(element("form", { class: "controls" }, ...controls),
        element("div", { class: "pictures" }, ...pictures.map((p) => p.section)));
    document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
    draw();
});
