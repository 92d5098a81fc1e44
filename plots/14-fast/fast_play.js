/* Five versions of the same attention. What they store and how often they load each key and value is counted
   while they run. make run-14 measures their speed. */
"use strict";

task("Double the tokens. Which versions store as many numbers for each query as before?");
const d = 16, longest = 96, normal = normal_from(14);
const n = slider("n", "Tokens", { from: 12, to: longest, step: 12, at: 48 });
const causal = choice("causal", "Each query sees", ["all keys", "keys up to its own"]);
const [Q, K, V] = [0, 1, 2].map(() => random_matrix(normal, longest, d).map((row) => row.map(Math.fround)));

const versions = ["naive", "ordered", "online", "tiled", "flash"];
let computed = {};
function all_versions() {
    const at = `${n.value} ${causal.value}`, T = n.value, few = (rows) => rows.slice(0, T);
    if (computed.at === at) return computed.all;
    const given = { n_q: T, n_k: T, d_k: d, d_v: d, seen: causal.value === "all keys" ? T : 1, Q: few(Q), K: few(K), V: few(V) };
    const ways = [
        () => call("naive_attention", given), () => call("ordered_attention", given), () => call("online_attention", given),
        () => call("tiled_attention", given), () => call("flash_attention", { ...given, n_heads: 1, n_kv_heads: 1 }),
    ];
    const all = [];
    computed = { at, all, next: "" };
    try {
        for (const way of ways) {
            const { out, weights, lse, bytes_loaded: { K: keys, V: values } } = way();
            all.push({ out: out.flat(2), kept: (weights || lse).flat(2).length, fetched: (keys + values) / (4 * 2 * T * d) });
        }
    } catch (error) {
        if (!(error instanceof Stop) || all.length === 0) throw (computed = {}), error;
        computed.next = ` The next version: ${error.where.name}(), line ${error.where.line}, ${error.message}.`;
    }
    return all;
}

picture("fetched", "How often each key and value is loaded", bars, () => {
    const all = all_versions().map((way) => way.fetched);
    return { rows: ["times"], columns: versions.slice(0, all.length), most: Math.max(...all), numbers: [all], says: `On average, counted while your functions run. Queries in lanes share what is loaded.${computed.next}` };
});
picture("kept", "Numbers stored besides the output", bars, () => {
    const all = all_versions().map((way) => way.kept);
    return { rows: ["floats"], columns: versions.slice(0, all.length), most: Math.max(...all), numbers: [all], says: "One weight for each pair, or one number for each query." };
});
picture("same", "The output of the last query", cells, () => {
    const all = all_versions(), last = all.map((way) => way.out.slice(-d, 4 - d));
    const apart = Math.max(...all.map((way) => Math.max(...way.out.map((x, i) => Math.abs(x - all[0].out[i])))));
    return { rows: versions.slice(0, all.length), columns: ["0", "1", "2", "3"], numbers: last, says: `The outputs of all queries differ by at most ${apart.toPrecision(1)}.` };
});
const ladder = kept("ladder.dat");
picture("ladder", "Speed in GFLOP/s", ladder ? bars : nothing, () => {
    if (!ladder) return { rows: [], columns: [], numbers: [], says: untrained("nothing is measured") };
    const [[, , names], ...lines] = ladder, best = names.indexOf("best") - 1, some = lines.filter(([label]) => versions.includes(label));
    return { rows: ["GFLOP/s"], columns: some.map(([label]) => label), most: Math.max(...some.map(([, row]) => row[best])), numbers: [some.map(([, row]) => row[best])], says: "From your run." };
});
