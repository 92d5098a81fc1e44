/* Where a word stands: clocks that turn, the slower the later the pair; two turned vectors, whose score knows only
   their distance; and what ALiBi leaves of words far away. */
"use strict";

const d = 8, MOST = 60, pairs = [0, 1, 2, 3];
const position = slider("position", "Position", { from: 0, to: MOST, step: 1, at: 5 });
const distance = slider("distance", "Distance", { from: 0, to: 20, step: 1, at: 3 });
const normal = normal_from(9), [q, k] = random_matrix(normal, 2, d);
const every = (most) => Array.from({ length: most + 1 }, (_, i) => String(i));
const dot = (a, b) => a.reduce((sum, x, c) => sum + x * b[c], 0);

picture("clocks", "A clock for each pair of numbers", dials, () => ({
    rows: ["radians"], columns: pairs.map((p) => `pair ${p}`),
    numbers: [pairs.map((pair) => call("position_angle", { position: position.value, pair, d }).result)],
    says: "Pair 0 is to turn by a radian a word, each pair after it ten times slower.",
}));

const turned = (row, first) => call("rotate", { n: 1, d, first, X: [row] }).out[0];
const waved = (row, first) => call("sinusoidal_positions", { n: 1, d, first }).P[0].map((p, c) => p + row[c]);
picture("score", "A score, wherever the two stand", curves, () => {
    const scores = (place) => every(MOST).map((_, p) => dot(place(q, p + distance.value), place(k, p)));
    const numbers = [scores(turned), scores(waved)], all = numbers.flat().filter(Number.isFinite);
    const spread = Math.max(...numbers[0]) - Math.min(...numbers[0]);
    return {
        rows: ["turned", "waves added"], columns: every(MOST), numbers, low: Math.min(0, ...all), high: Math.max(...all), at: position.value,
        says: `${distance.value} words apart. Turned (RoPE), the score moves by ${spread.toExponential(1)} from place to place.`,
    };
});

const heads = [0, 1, 2, 3], n = 21, zeros = Array(n).fill([0]);
picture("alibi", "What ALiBi leaves of words, by their distance", curves, () => ({
    rows: heads.map((h) => `head ${h}`), columns: every(n - 1), at: distance.value,
    numbers: heads.map((head) => {
        const slope = call("alibi_slope", { n_heads: heads.length, head }).result;
        const { bias } = call("alibi_bias", { n_q: 1, n_k: n, first: n - 1, slope });
        return call("biased_attention", { n_q: 1, n_k: n, d_k: 1, d_v: 1, Q: [[0]], K: zeros, V: zeros, bias, blocked: null }).weights[0].reverse();
    }),
    says: "All scores are alike here: a head with a steep charge is to see a few words, one with a gentle charge nearly all.",
}));

const cliff = kept("cliff.dat");
picture("cliff", "The cliff: what was learned up to 20 words", cliff ? curves : nothing, () => {
    if (!cliff) return { rows: [], columns: [], numbers: [], says: untrained("there is no cliff to be seen") };
    const [[, , names], ...lines] = cliff, shown = ["RoPE", "learned", "sinusoidal"];
    return {
        rows: shown, columns: lines.map(([, row]) => String(row[0])), high: 1, at: 20,
        numbers: shown.map((name) => lines.map(([, row]) => row[names.indexOf(name)])),
        says: "The share that is right, against the words in a sentence, in your run. A table knows nothing of places that it has not seen.",
    };
});
