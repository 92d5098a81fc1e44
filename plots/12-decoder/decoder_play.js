/* Tokens are computed one by one. With a KV cache, each token costs about as much as the one before. Without it, all
   earlier tokens are computed again. Both ways give the same numbers. */
"use strict";

task("Set the tokens to 12. How much does one more token cost with the cache, and without it?");
const d_model = 8, n_heads = 2, MOST = 12, m = 4, normal = normal_from(12);
const many = slider("words", "Tokens", { from: 1, to: MOST, step: 1, at: 5 });
const W = (rows, cols) => random_matrix(normal, rows, cols, 1 / Math.sqrt(rows)), norm = () => ({ gain: Array(d_model).fill(1), bias: Array(d_model).fill(0) });
const heads = () => ({
    d_model, n_heads, n_kv_heads: n_heads, d_head: d_model / n_heads,
    W_q: W(d_model, d_model), W_k: W(d_model, d_model), W_v: W(d_model, d_model), W_o: W(d_model, d_model),
});
const w = {
    self: { ...norm(), heads: heads() }, cross: { ...norm(), heads: heads() },
    forward: { ...norm(), d_model, d_ff: 16, W_1: W(d_model, 16), b_1: Array(16).fill(0), W_2: W(16, d_model), b_2: Array(d_model).fill(0) },
};
const memory = random_matrix(normal, m, d_model), X = random_matrix(normal, MOST, d_model);

/* The cache after `n` tokens, the output of the last one, and the number of steps for each token. */
function write(n) {
    const read = { capacity: MOST, length: 0 }, written = { capacity: MOST, length: 0 }, steps = [];
    call("cache_rows", { n: m, w: w.cross.heads, X: memory, v: take("multi_head_values", {}, { of: w.cross.heads, n_q: m, n_k: m }), cache: read });
    let out;
    for (let i = 0; i < n; i++) {
        const v = take("decoder_values", {}, { of: w, n: 1, m: MOST });
        v.self = take("attention_layer_values", {}, { of: w.self, n: 1, m: MOST });
        const next = call("decoder_block_next", { w, x: [X[i]], memory: read, written, v });
        out = next.out[0];
        steps.push(next.steps_run);
    }
    return { written, out, steps };
}
function again(n) {
    const blocked = X.slice(0, n).map((_, i) => X.slice(0, n).map((_, j) => j > i));
    const { out, steps_run } = call("decoder_block", { n, m, w, X: X.slice(0, n), memory, blocked, v: {} });
    return { out: out[n - 1], steps: steps_run };
}

const names = X.map((_, i) => `token ${i}`);
picture("cache", "The KV cache: the keys of head 0, a row for each token", cells, () => {
    const { written } = write(many.value);
    return {
        rows: names, columns: [0, 1, 2, 3].map((c) => `number ${c}`), numbers: numbers_of(written.K)[0],
        says: `A key of one head has 4 numbers. ${written.length} of ${MOST} rows are filled, and the hatched ones must not be read.`,
    };
});

let costs; /* does not depend on the slider */
picture("steps", "Steps for one more token, in thousands", curves, () => {
    costs = costs || [write(MOST).steps, X.map((_, i) => again(i + 1).steps)].map((row) => row.map((s) => s / 1000));
    const [cached, fresh] = costs.map((row) => row[many.value - 1]);
    return {
        rows: ["cache", "no cache"], columns: X.map((_, i) => String(i + 1)), numbers: costs, at: many.value,
        says: `Basic blocks that your functions run: token ${many.value} takes ${cached.toFixed(1)} thousand with the cache and ${fresh.toFixed(1)} thousand without.`,
    };
});

picture("same", "The last token, with the cache and without", cells, () => {
    const whole = again(many.value).out, numbers = write(many.value).out.map((x, c) => [x, whole[c]]);
    const apart = Math.max(...numbers.map(([x, y]) => Math.abs(x - y)));
    return { rows: X[0].map((_, c) => `number ${c}`), columns: ["cache", "no cache"], numbers, says: `The largest difference is ${apart.toPrecision(1)}.` };
});
