/* Click the mask: what is blocked gets no weight, the others of its row share it; a row in which all is
   blocked looks nowhere. */
"use strict";

const n = 5, words = ["the", "cat", "saw", "a", "dog"];
const scores = [[2, 0, 1, 0, 1], [1, 2, 0, 0, 1], [0, 3, 1, 0, 2], [1, 0, 0, 2, 1], [0, 1, 2, 1, 2]];
const length = slider("length", "Words, not filling", { from: 1, to: n, step: 1, at: n });
const mask = switches("mask", "The mask: black is blocked", words, words, scores.map((row, i) => row.map((_, j) => j > i)));

function blocked() {
    const padding = call("padding_mask", { n_q: n, n_k: n, length: length.value }).blocked;
    return call("block_either", { n_q: n, n_k: n, a: mask.value, b: padding }).blocked;
}

picture("weights", "Who looks at whom", cells, () => {
    const numbers = call("masked_softmax_rows", { rows: n, cols: n, scores, blocked: blocked() }).weights;
    const blind = words.filter((_, i) => numbers[i].every((w) => w === 0));
    return {
        rows: words, columns: words, most: 1, numbers,
        says: blind.length ? `Looks nowhere: ${blind.join(", ")}; its weights are all 0, not NaN.` : "Each row sums to 1.",
    };
});

picture("blocked", "What is blocked: your clicks, or the filling", cells, () => ({
    rows: words, columns: words, most: 1, numbers: blocked().map((row) => row.map((b) => (b === undefined ? b : Number(b)))),
    says: "1 is blocked, by padding_mask() and block_either().",
}));

picture("causal", "For comparison: causal_mask()", cells, () => ({
    rows: words, columns: words, most: 1,
    numbers: call("causal_mask", { n }).blocked.map((row) => row.map((b) => (b === undefined ? b : Number(b)))),
    says: "No word looks at a later one.",
}));
