/* The angles of a position; the score of two rotated vectors, which depends only on their distance; the weights that
   ALiBi gives to far words; and the results of make run-09. */
"use strict";

task("Move the position. Which of the two scores stays the same?");
const d = 8, MOST = 60, pairs = [0, 1, 2, 3];
const position = slider("position", "Position", { from: 0, to: MOST, step: 1, at: 5 });
const distance = slider("distance", "Distance", { from: 0, to: 20, step: 1, at: 3 });
const normal = normal_from(9), [q, k] = random_matrix(normal, 2, d);
const every = (most) => Array.from({ length: most + 1 }, (_, i) => String(i));
const dot = (a, b) => a.reduce((sum, x, c) => sum + x * b[c], 0);

picture("angles", "The angle of each pair", dials, () => ({
    rows: ["radians"], columns: pairs.map((p) => `pair ${p}`),
    numbers: [pairs.map((pair) => call("position_angle", { position: position.value, pair, d }).result)],
    says: "Pair 0 turns by 1 radian per position, and each later pair ten times more slowly.",
}));

const rotated = (row, first) => call("rotate", { n: 1, d, first, X: [row] }).out[0];
const added = (row, first) => call("sinusoidal_positions", { n: 1, d, first }).P[0].map((p, c) => p + row[c]);
picture("score", "The score of a query and a key at all positions", curves, () => {
    const scores = (place) => every(MOST).map((_, p) => dot(place(q, p + distance.value), place(k, p)));
    const numbers = [scores(rotated), scores(added)], all = numbers.flat().filter(Number.isFinite);
    const spread = Math.max(...numbers[0]) - Math.min(...numbers[0]);
    return {
        rows: ["RoPE", "sinusoidal"], columns: every(MOST), numbers, low: Math.min(0, ...all), high: Math.max(...all), at: position.value,
        says: `The key is ${distance.value} positions before the query. With RoPE, the scores at all positions differ by at most ${spread.toExponential(1)}.`,
    };
});

const heads = [0, 1, 2, 3], n = 21, zeros = Array(n).fill([0]);
picture("alibi", "Attention weights with ALiBi, by distance", curves, () => ({
    rows: heads.map((h) => `head ${h}`), columns: every(n - 1), at: distance.value,
    numbers: heads.map((head) => {
        const slope = call("alibi_slope", { n_heads: heads.length, head }).result;
        const { bias } = call("alibi_bias", { n_q: 1, n_k: n, first: n - 1, slope });
        return call("biased_attention", { n_q: 1, n_k: n, d_k: 1, d_v: 1, Q: [[0]], K: zeros, V: zeros, bias, blocked: null }).weights[0].reverse();
    }),
    says: "All dot products are equal here. A head with a large slope attends to a few near words, and one with a small slope to nearly all.",
}));

const cliff = kept("cliff.dat");
picture("cliff", "Inputs longer than the 20 words of the training", cliff ? curves : nothing, () => {
    if (!cliff) return { rows: [], columns: [], numbers: [], says: untrained("there are no results to show") };
    const [[, , names], ...lines] = cliff, shown = ["RoPE", "learned", "sinusoidal"];
    return {
        rows: shown, columns: lines.map(([, row]) => String(row[0])), high: 1, at: 20,
        numbers: shown.map((name) => lines.map(([, row]) => row[names.indexOf(name)])),
        says: "The share of right answers in your run, against the number of words. Rows of a learned table that were not trained are random.",
    };
});

/* A dial for each number. Its hand is at that angle in radians, counterclockwise from the right. */
function dials({ columns, numbers }) {
    const S = 90, svg = element("svg", { viewBox: `0 0 ${S * columns.length} ${S + 16}`, "aria-hidden": "true" });
    numbers[0].forEach((angle, i) => {
        const x = S * (i + 0.5), y = S / 2, r = S * 0.42;
        svg.append(element("circle", { class: "axis", cx: x, cy: y, r }), element("text", { x, y: S + 10, "text-anchor": "middle" }, columns[i]));
        if (Number.isFinite(angle))
            svg.append(element("path", { class: "curve", d: `M${x} ${y}L${x + r * Math.cos(angle)} ${y - r * Math.sin(angle)}` }));
    });
    return svg;
}
