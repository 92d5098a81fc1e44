/* The ladder: five ways to the same attention. What they keep, and how often they fetch each key and value, is
   counted while they run; how fast that makes them, make run-14 measures. */
"use strict";

const d = 16, longest = 96, normal = normal_from(14);
const n = slider("n", "Words", { from: 12, to: longest, step: 12, at: 48 });
const causal = choice("causal", "Each word sees", ["all words", "those before it"]);
const [Q, K, V] = [0, 1, 2].map(() => random_matrix(normal, longest, d).map((row) => row.map(Math.fround)));

const rungs = ["naive", "ordered", "online", "tiled", "flash"];
let climbed = {};
function climb() {
    const at = `${n.value} ${causal.value}`, T = n.value, few = (rows) => rows.slice(0, T);
    if (climbed.at === at) return climbed.all;
    const given = { n_q: T, n_k: T, d_k: d, d_v: d, seen: causal.value === "all words" ? T : 1, Q: few(Q), K: few(K), V: few(V) };
    const ways = [
        () => call("naive_attention", given), () => call("ordered_attention", given), () => call("online_attention", given),
        () => call("tiled_attention", given), () => call("flash_attention", { ...given, n_heads: 1, n_kv_heads: 1 }),
    ];
    const all = [];
    climbed = { at, all, next: "" };
    try {
        for (const way of ways) {
            const { out, weights, lse, bytes_loaded: { K: keys, V: values } } = way();
            all.push({ out: out.flat(2), kept: (weights || lse).flat(2).length, fetched: (keys + values) / (4 * 2 * T * d) });
        }
    } catch (error) {
        if (!(error instanceof Stop) || all.length === 0) throw (climbed = {}), error;
        climbed.next = ` The next rung: ${error.where.name}(), line ${error.where.line}, ${error.message}.`;
    }
    return all;
}

picture("fetched", "How often each key and value is fetched", bars, () => {
    const all = climb().map((way) => way.fetched);
    return { rows: ["times"], columns: rungs.slice(0, all.length), most: Math.max(...all), numbers: [all], says: `On average, counted while your functions run. Queries that go side by side share what is fetched.${climbed.next}` };
});
picture("kept", "Numbers kept beside the output", bars, () => {
    const all = climb().map((way) => way.kept);
    return { rows: ["floats"], columns: rungs.slice(0, all.length), most: Math.max(...all), numbers: [all], says: "A weight for each pair, or a number for each word." };
});
picture("same", "What the last word fetches", cells, () => {
    const all = climb(), last = all.map((way) => way.out.slice(-d, 4 - d));
    const apart = Math.max(...all.map((way) => Math.max(...way.out.map((x, i) => Math.abs(x - all[0].out[i])))));
    return { rows: rungs.slice(0, all.length), columns: ["0", "1", "2", "3"], numbers: last, says: `Of all words, they differ by ${apart.toPrecision(1)} at most.` };
});
const ladder = kept("ladder.dat");
picture("ladder", "How fast that is, Gflop a second", ladder ? bars : nothing, () => {
    if (!ladder) return { rows: [], columns: [], numbers: [], says: untrained("nothing is measured") };
    const [[, , names], ...lines] = ladder, best = names.indexOf("best") - 1, some = lines.filter(([label]) => rungs.includes(label));
    return { rows: ["Gflop/s"], columns: some.map(([label]) => label), most: Math.max(...some.map(([, row]) => row[best])), numbers: [some.map(([, row]) => row[best])], says: "From your run." };
});
