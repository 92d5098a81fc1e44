/* How much of a gradient reaches the input of a stack, with pre-norm and bare. The parameters are random, as at
   initialization. */
"use strict";

task("Set the layers to 12. How much of each gradient arrives at the first layer?");
const n = 6, d_model = 16, heads = 4, MOST = 12;
const depth = slider("depth", "Layers", { from: 1, to: MOST, step: 1, at: 8 });
const size = slider("size", "Size of the matrices", { from: 0.2, to: 2, step: 0.1, at: 0.7 });
const length = (rows) => Math.sqrt(rows.flat().reduce((sum, x) => sum + x * x, 0));
const zeros = () => Array.from({ length: n }, () => Array(d_model).fill(0));

/* Gradients to which a function adds begin at 0. */
function zeroed(type, object, names) {
    take(type, object, names);
    go_through(type, object, names, (m, at) => { if (m.kind === "piece") at[m.name].fill(0); });
    return object;
}
function weights(normal) {
    const W = () => random_matrix(normal, d_model, d_model, size.value / Math.sqrt(d_model));
    const given = { d_model, n_heads: heads, n_kv_heads: heads, d_head: d_model / heads, W_q: W(), W_k: W(), W_v: W(), W_o: W() };
    return { gain: Array(d_model).fill(1), bias: Array(d_model).fill(0), heads: given };
}

/* The forward and the backward pass of one layer, in both arrangements. */
const ways = {
    "X + heads(norm(X))": {
        up: (w, X, v) => call("attention_layer", { n, m: n, w, X, memory: null, blocked: null, v }).out,
        down: (w, X, v, d_out, d_v, d_w) => call("attention_layer_backward", {
            n, m: n, w, memory: null, blocked: null, v, d_out, d_X: zeros(), d_memory: null,
            d_v: zeroed("attention_layer_values", d_v, { of: w, n, m: n }), d_w: zeroed("attention_layer", d_w),
        }).d_X,
    },
    "heads(X)": {
        up: (w, X, v) => call("multi_head_attention", { n_q: n, n_k: n, w: w.heads, X, source: X, blocked: null, v }).out,
        down: (w, X, v, d_out, d_v, d_w) => {
            const { d_X, d_source } = call("multi_head_attention_backward", {
                n_q: n, n_k: n, w: w.heads, X, source: X, blocked: null, v, d_out, d_X: zeros(), d_source: zeros(),
                d_v: zeroed("multi_head_values", d_v, { of: w.heads, n_q: n, n_k: n }), d_w: zeroed("multi_head", d_w.heads),
            });
            return call("add_rows", { n, d: d_model, X: d_source, out: d_X }).out;
        },
    },
};
const size_of_rows = (rows) => Math.log10(length(rows) / Math.sqrt(n * d_model));
function climb({ up, down }) {
    const normal = normal_from(10), layers = Array.from({ length: depth.value }, () => ({ w: weights(normal), v: {} }));
    let X = random_matrix(normal, n, d_model), d_out = random_matrix(normal, n, d_model);
    const rising = [size_of_rows(X)], falling = [size_of_rows(d_out)];
    for (const layer of layers) rising.push(size_of_rows((X = up(layer.w, (layer.X = X), layer.v))));
    for (const { w, X: below, v } of layers.reverse()) {
        const d_w = { heads: { ...w.heads, W_q: undefined, W_k: undefined, W_v: undefined, W_o: undefined } };
        falling.push(size_of_rows((d_out = down(w, below, v, d_out, {}, d_w))));
    }
    return { rising, falling };
}
let climbed = {};
function both() {
    const at = `${depth.value} ${size.value}`;
    if (climbed.at !== at) climbed = { at, towers: Object.values(ways).map(climb) };
    return climbed.towers;
}

const shown = (numbers) => ({
    rows: ["pre-norm", "bare"], columns: numbers[0].map((_, i) => String(i)), numbers,
    tick: (power) => `1e${power}`, low: Math.floor(Math.min(-6, ...numbers.flat())), high: Math.ceil(Math.max(2, ...numbers.flat())),
});
picture("gradient", "Length of the gradient, from the last layer to the first", curves, () => {
    const numbers = both().map((tower) => tower.falling), left = numbers.map((row) => (10 ** (row[depth.value] - row[0])).toPrecision(2));
    return { ...shown(numbers), says: `After ${depth.value} layers, its length is multiplied by ${left[0]} with pre-norm, and by ${left[1]} in the bare stack.` };
});
picture("rows", "Size of the numbers in the rows, from the first layer to the last", curves, () => ({
    ...shown(both().map((tower) => tower.rising)),
    says: "A bare layer replaces the rows, and a pre-norm layer adds to them. Both tables have the powers of 10.",
}));
