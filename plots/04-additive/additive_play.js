/* A query and three keys of different sizes meet in a hidden layer: a small network says how well they fit,
   and no number in it leaves -1 to 1. */
"use strict";

task("Make the query as large as possible. How large do the scores become?");
const sizes = { n_q: 1, n_k: 3, d_q: 2, d_k: 3, d_a: 4 };
const W_q = [[1, 0], [0, 1], [1, -1], [0.5, 0.5]];
const W_k = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 1, 0.5]];
const v_a = [1, 0.8, -0.6, 1.2];
const spot = { from: -4, to: 4, step: 0.1 };
const query = [0.5, -1].map((at, i) => slider(`query${i}`, `Query ${i}`, { ...spot, at }));
const key = [1, 0, -0.5].map((at, i) => slider(`key${i}`, `Key 0, ${i}`, { ...spot, at }));
const keys = ["key 0", "key 1", "key 2"];

const given = () => ({
    ...sizes, W_q, W_k, v_a, Q: [query.map((s) => s.value)],
    K: [key.map((s) => s.value), [0, 1.5, 0.5], [-1, 0.5, 2]],
});

picture("hidden", "The hidden layer: tanh of the sum of both projections", cells, () => ({
    rows: keys, columns: v_a.map((_, a) => `hidden ${a}`), most: 1, numbers: call("additive_scores", given()).hidden[0],
    says: `Each is multiplied by its number of v_a: ${v_a.join(", ")}.`,
}));

picture("scores", "The scores", bars, () => ({
    rows: ["score"], columns: keys, most: 3.6, numbers: call("additive_scores", given()).scores,
    says: "No score is beyond 3.6, the sum of the absolute values of v_a, however large the query and the key are.",
}));

picture("weights", "The weights", bars, () => ({
    rows: ["weight"], columns: keys,
    numbers: call("additive_attention", { ...given(), d_v: 1, V: [[0], [0], [0]] }).weights,
    says: "The softmax is the same as in lesson 01. Only the score is different.",
}));
