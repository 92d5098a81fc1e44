/* A query among four keys: what points the same way gets the weight, and a long key more than its share.
   Each key's value is its own place, so the blend lies among them. */
"use strict";

const K = [[1, 0], [0, 1], [-0.7, -0.7], [1.2, 1.2]];
const names = ["key 0", "key 1", "key 2", "key 3, a long one"];
const largest = (numbers) => names[numbers.indexOf(Math.max(...numbers))];
const reach = 2, spot = { from: -reach, to: reach, step: 0.05 };
const x = slider("x", "Query, across", { ...spot, at: 1 });
const y = slider("y", "Query, up", { ...spot, at: -0.1 });
const length = slider("length", "Longer by", { from: 0.5, to: 10, step: 0.5, at: 2 });

const query = () => [[x.value * length.value, y.value * length.value]];
const sizes = { n_q: 1, n_k: 4, d: 2, d_v: 2 };

picture("plane", "Drag the query: the blend follows", plane, () => {
    const { weights, out } = call("dot_product_attention", { ...sizes, Q: query(), K, V: K });
    const [[a, b]] = out;
    const points = K.map(([px, py], j) => ({ x: px, y: py, size: 3 + 14 * (weights[0][j] || 0), name: String(j), kind: "key" }));
    points.push({ x: x.value, y: y.value, size: 6, name: "query", kind: "query" }, { x: a, y: b, size: 6, name: "blend", kind: "blend" });
    return {
        points, reach, rows: ["blend"], columns: ["across", "up"], numbers: [[a, b]],
        move: (px, py) => { x.value = px; y.value = py; },
        says: "The larger its weight, the larger a key.",
    };
});

picture("weights", "The weights", bars, () => ({
    rows: ["weight"], columns: names, numbers: call("dot_product_attention", { ...sizes, Q: query(), K, V: K }).weights,
    says: "A longer query is surer of itself: the same direction, a sharper choice.",
}));

picture("scores", "The scores: query dot key", bars, () => {
    const { scores } = call("dot_scores", { n_q: 1, n_k: 4, d: 2, Q: query(), K });
    const most = Math.max(1, ...scores[0].map(Math.abs));
    return { rows: ["score"], columns: names, most, numbers: scores, says: `Orange is below 0. Largest: ${largest(scores[0])}.` };
});

picture("cosine", "The cosines: lengths divided out", bars, () => {
    const cosines = K.map((key) => call("cosine_similarity", { d: 2, a: query()[0], b: key }).result);
    return { rows: ["cosine"], columns: names, numbers: [cosines], says: `By direction alone, the largest: ${largest(cosines)}.` };
});
