/* The ring step by step: each rank has some of the tokens, and in each step it attends to the block that it has received
   from the previous rank. */
"use strict";

task("Press Play. In which step has each query received all of its weights?");
const n = 12, d = 8, normal = normal_from(15);
const ranks = slider("ranks", "Ranks", { from: 1, to: 4, step: 1, at: 4 });
const steps = slider("steps", "Steps made", { from: 1, to: 4, step: 1, at: 1, pause: 1200 });
const causal = choice("causal", "Mask", ["none", "causal"]);
const [Q, K, V] = [0, 1, 2].map(() => [random_matrix(normal, n, d).map((row) => row.map(Math.fround))]);
const sees = () => causal.value !== "none";

/* One rank up to its next wait(). A call in the page cannot wait, so in each step it begins again and receives all messages
   that have arrived by then. */
class Waits extends Stop {}
function go(rank, R, step, inbox, outbox) {
    const m = call("stripe_length", { n, ranks: R, rank }).result, most = call("stripe_length", { n, ranks: R, rank: 0 }).result;
    const size = call("block_floats", { n_kv_heads: 1, n: most, d_k: d, d_v: d }).result;
    const mine = (whole) => call("take_stripe", { n_heads: 1, n, m, d, ranks: R, rank, whole, stripe: undefined }).stripe;
    let waited = 0, coming, state;
    const ring = {
        rank, ranks: R,
        start(out, into) { outbox[waited] = Array.from(out); coming = into; into.fill(NaN); },
        wait() {
            if (waited === step - 1) {
                state = { out: peek("out"), lse: peek("lse"), m };
                throw new Waits("waits", {});
            }
            const message = inbox[waited++];
            if (!message || message.length !== coming.length) throw new Stop(`waits for ${coming.length} floats, but ${message ? message.length : 0} arrive`, { name: "ring_attention", line: 0 });
            coming.set(message);
        },
    };
    try {
        const { out, lse } = call("ring_attention", { ring, causal: sees(), n_heads: 1, n_kv_heads: 1, n, m, d_k: d, d_v: d, size, Q: mine(Q), K: mine(K), V: mine(V) });
        return { out, lse, m };
    } catch (error) {
        if (!(error instanceof Waits)) throw error;
        return state;
    }
}

/* The state of each rank after some steps, and what it has sent by then. */
let gone = {};
function round(R, step) {
    const at = `${R} ${step} ${causal.value}`;
    if (gone[at]) return gone[at];
    const boxes = Array.from({ length: R }, () => []);
    let states;
    for (let s = 1; s <= step; s++) states = boxes.map((outbox, rank) => go(rank, R, s, boxes[(rank + R - 1) % R], outbox));
    return (gone[at] = { states, boxes });
}
const step = () => Math.min(steps.value, ranks.value);

picture("heard", "Share of the weights that each query has received", bars, () => {
    const R = ranks.value, now = round(R, step()).states, end = round(R, R).states;
    const share = (word) => Math.exp(now[word % R].lse[0][Math.floor(word / R)] - end[word % R].lse[0][Math.floor(word / R)]);
    const words = Array.from({ length: n }, (_, i) => i);
    return {
        rows: ["share"], columns: words.map((i) => `token ${i}, rank ${i % R}`), numbers: [words.map(share)],
        says: step() === R ? "Every query has met all keys that it sees." : `${R - step()} of ${R} blocks have not reached each rank yet.`,
    };
});
picture("blocks", "Whose block each rank has in each step", cells, () => {
    const R = ranks.value, { boxes } = round(R, step()), first = Array.from({ length: R }, (_, r) => K[0][r][0]);
    const numbers = boxes.map((_, r) => Array.from({ length: step() }, (_, s) => (s === 0 ? r : first.indexOf(boxes[(r + R - 1) % R][s - 1][0]))));
    const sent = boxes.reduce((sum, box) => sum + box.slice(0, step() - 1).flat().length, 0);
    return { rows: boxes.map((_, r) => `rank ${r}`), columns: numbers[0].map((_, s) => `step ${s + 1}`), most: 4, numbers, says: `${4 * sent} bytes were sent.` };
});
picture("same", "Output of the last token, from the ring and from one machine", cells, () => {
    const R = ranks.value, ring = round(R, step()).states[(n - 1) % R].out[0][Math.floor((n - 1) / R)];
    const whole = call("flash_attention", { n_heads: 1, n_kv_heads: 1, n_q: n, n_k: n, d_k: d, d_v: d, seen: sees() ? 1 : n, Q, K, V }).out[0][n - 1];
    const apart = Math.max(...ring.map((x, c) => Math.abs(x - whole[c])));
    return { rows: whole.map((_, c) => `number ${c}`), columns: ["ring", "one machine"], numbers: ring.map((x, c) => [x, whole[c]]), says: `The largest difference is ${apart.toPrecision(1)}${step() < R ? ", because blocks are missing" : ""}.` };
});
