/* Scores of longer vectors spread as the square root of their length; without the scale a softmax of them
   picks one key and stops learning. Queries and keys are random numbers, the same at every visit. */
"use strict";

task("Raise d_k. From where on does the softmax without the scale choose a single key?");
const n_q = 8, n_k = 6, MOST = 9;
const normal = normal_from(1), random = (rows) => random_matrix(normal, rows, 2 ** MOST);
const Q = random(n_q), K = random(n_k), V = K.map(() => [0]);
const exponent = slider("exponent", "d_k: 2 to the power of", { from: 0, to: MOST, step: 1, at: 6 });

/* The lesson's attention on the first d_k numbers of each vector. To
   leave the scale out, the queries are multiplied by its inverse. */
function weights(d_k, scaled) {
    const factor = scaled ? 1 : 1 / call("attention_scale", { d_k }).result;
    return call("scaled_dot_product_attention", {
        n_q, n_k, d_k, d_v: 1, V, K: K.map((row) => row.slice(0, d_k)),
        Q: Q.map((row) => row.slice(0, d_k).map((q) => q * factor)),
    }).weights;
}
const entropy = (w) => call("mean_entropy", { rows: n_q, cols: n_k, weights: w }).result;
const d_k = () => 2 ** exponent.value;
const keys = K.map((_, j) => `key ${j}`), queries = Q.map((_, i) => `query ${i}`);

picture("scaled", "Weights, scores divided by the root of d_k", cells, () => ({
    rows: queries, columns: keys, most: 1, numbers: weights(d_k(), true),
    says: `d_k is ${d_k()}: every score is multiplied by ${call("attention_scale", { d_k: d_k() }).result.toFixed(4)}.`,
}));

picture("unscaled", "Weights, without the scale", cells, () => {
    const numbers = weights(d_k(), false), sure = numbers.filter((row) => Math.max(...row) > 0.99).length;
    return { rows: queries, columns: keys, most: 1, numbers, says: `${sure} of ${n_q} queries give one key more than 0.99.` };
});

let swept; /* it is the same wherever the slider stands */
function sweep() {
    const each = Array.from({ length: MOST + 1 }, (_, k) => 2 ** k);
    return [true, false].map((scaled) => each.map((d) => entropy(weights(d, scaled))));
}
picture("entropy", "Mean entropy (nats), against the exponent of d_k", curves, () => ({
    rows: ["scaled", "unscaled"], columns: Array.from({ length: MOST + 1 }, (_, k) => String(k)), at: exponent.value,
    high: Math.log(n_k), numbers: (swept = swept || sweep()), says: `The entropy is log ${n_k} = ${Math.log(n_k).toFixed(4)} if all weights are equal. Near 0, gradients vanish.`,
}));
