/* Click the mask. A blocked key gets no weight and the others of its row share it. A fully blocked row has
   only weights of 0. */
"use strict";

task("Block every key for one of the words. Which weights does it get?");
const n = 5, words = ["the", "cat", "saw", "a", "dog"];
const scores = [[2, 0, 1, 0, 1], [1, 2, 0, 0, 1], [0, 3, 1, 0, 2], [1, 0, 0, 2, 1], [0, 1, 2, 1, 2]];
const length = slider("length", "Real words", { from: 1, to: n, step: 1, at: n });
const mask = switches("mask", "The mask (filled: blocked)", words, words, scores.map((row, i) => row.map((_, j) => j > i)));

function blocked() {
    const padding = call("padding_mask", { n_q: n, n_k: n, length: length.value }).blocked;
    return call("block_either", { n_q: n, n_k: n, a: mask.value, b: padding }).blocked;
}

picture("weights", "Which word attends to which", cells, () => {
    const numbers = call("masked_softmax_rows", { rows: n, cols: n, scores, blocked: blocked() }).weights;
    const sums = numbers.map((row) => row.reduce((a, b) => a + b, 0));
    const blind = words.filter((_, i) => sums[i] === 0), odd = words.filter((_, i) => !(sums[i] === 0 || Math.abs(sums[i] - 1) < 1e-9));
    return {
        rows: words, columns: words, most: 1, numbers,
        says: odd.length ? `The sum is neither 0 nor 1 in: ${odd.join(", ")}.` :
            blind.length ? `Every key is blocked for: ${blind.join(", ")}. All weights are 0 there.` : "Each row sums to 1.",
    };
});

picture("blocked", "Blocked: your clicks, or the padding", cells, () => ({
    rows: words, columns: words, most: 1, numbers: blocked().map((row) => row.map((b) => (b === undefined ? b : Number(b)))),
    says: "1 is blocked: padding_mask() blocks the padding, and block_either() combines both.",
}));

picture("causal", "For comparison: causal_mask()", cells, () => ({
    rows: words, columns: words, most: 1,
    numbers: call("causal_mask", { n }).blocked.map((row) => row.map((b) => (b === undefined ? b : Number(b)))),
    says: "It should block every later word and no other.",
}));

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
