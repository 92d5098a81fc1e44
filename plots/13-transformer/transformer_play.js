/* The writer that make run-13 has trained continues a line. Temperature, top-k and top-p change the weights of the next
   letter, and one letter is drawn at random. */
"use strict";

const trained = kept("writer.model");
const temperature = slider("temperature", "Temperature", { from: 0.1, to: 3, step: 0.1, at: 1 });
const top_k = slider("top_k", "Top-k", { from: 1, to: 31, step: 1, at: 31 });
const top_p = slider("top_p", "Top-p", { from: 0.05, to: 1, step: 0.05, at: 0.95 });
const dice = slider("dice", "Seed of the draws", { from: 1, to: 50, step: 1, at: 1 });

/* The weights that are kept, and the token that is drawn. */
function choose(n, scores, uniform) {
    const { weights } = call("softmax_at_temperature", { n, temperature: temperature.value, scores });
    const few = call("keep_top_k", { n, k: Math.min(top_k.value, n), weights }).kept;
    const { kept: left } = call("keep_top_p", { n, p: top_p.value, weights: few });
    return { left, chosen: call("sample", { n, weights: left, uniform }).result };
}
function uniforms() {
    let seed = dice.value;
    for (let i = 0; i < 3; i++) seed = (seed * 16807) % 2147483647;
    return () => (seed = (seed * 16807) % 2147483647) / 2147483647;
}

function of_the_trained_writer() {
    const alphabet = "abcdefghijklmnopqrstuvwxyz ,.?\n", n = alphabet.length, d_model = 48, d_ff = 96, longest = 64;
    const [heads, layer] = [{ d_model, n_heads: 4, n_kv_heads: 4, d_head: 12 }, (h) => ({ heads: { ...h } })];
    const nobody = { gain: null, bias: null, heads: { ...heads, W_q: null, W_k: null, W_v: null, W_o: null } };
    const block = () => ({ self: layer(heads), cross: nobody, forward: { d_model, d_ff } });
    const w = { vocabulary: n, d_model, n_encoders: 0, n_decoders: 0, memory_gain: null, memory_bias: null, decoder: [] };
    const of_a_block = 4 * d_model * d_model + 2 * d_model * d_ff + d_ff + 5 * d_model;
    while (n * d_model + 2 * d_model + (w.n_decoders + 1) * of_a_block <= trained.length) w.decoder[w.n_decoders++] = block();
    take("transformer", w, {}, room_of(trained));
    const typed = typing("typed", "The line begins with", "the old");
    const letters = slider("letters", "Letters shown", { from: 1, to: longest, step: 1, at: longest, pause: 200 });
    task("Press Play to see the line letter by letter. Then raise the temperature to 3 and compare.");

    /* The line and the weight of each letter when it was drawn, NaN for letters that were typed. */
    let written = {};
    function write() {
        const at = [typed.value, temperature.value, top_k.value, top_p.value, dice.value].join("|");
        if (written.at === at) return written;
        const P = call("sinusoidal_positions", { n: longest, d: d_model, first: 0 }).P, v = take("transformer_values", {}, { of: w, n: longest, m: 0 });
        const cache = (given) => w.decoder.map(() => ({ capacity: longest, length: 0, ...given }));
        const caches = { memory: cache({ K: null, V: null }), written: cache({}) }, uniform = uniforms();
        const next = (letter) => call("decode_next", { w, word: letter, P: [P[caches.written[0].length]], caches, v }).logits[0];
        call("start_decoding", { m: 0, w, v, caches });
        const known = (c) => alphabet.indexOf(c) >= 0, all = [...typed.value.toLowerCase()], others = all.filter((c) => !known(c));
        const line = all.filter(known).slice(0, longest - 2), weights = line.map(() => NaN), choices = [];
        const about = (others.length ? ` Its alphabet lacks “${others.join("")}”, so this is left out.` : "") +
            (all.length - others.length > line.length ? ` It has room for ${longest - 2} letters, so the rest is left out.` : "");
        let logits = next(n - 1);
        for (const letter of line) logits = next(alphabet.indexOf(letter));
        while (line.length < longest - 1) {
            const { left, chosen } = choose(n, logits, uniform());
            choices.push({ left, weight: left[chosen], behind: line.join(""), at: line.length, chosen });
            if (!(chosen >= 0 && chosen < n)) throw new Stop(`chooses letter ${chosen}, of ${n}`, { name: "sample", line: 0 });
            if (alphabet[chosen] === "\n") break;
            weights.push(left[chosen]);
            line.push(alphabet[chosen]);
            logits = next(chosen);
        }
        return (written = { at, line, weights, about, choices: choices.sort((a, b) => a.weight - b.weight) });
    }
    picture("line", "The writer continues the line", text, () => {
        const { line, weights, about } = write(), few = (all) => all.slice(0, letters.value);
        return { rows: ["weight"], columns: few(line), numbers: [few(weights)], says: `The stronger the colour, the larger the weight of a letter when it was drawn. The writer learned all words letter by letter.${about}` };
    });
    picture("next", "The least likely letter that it drew", bars, () => {
        const { left, behind, chosen } = write().choices.find(({ at }) => at < letters.value) || { left: [], behind: "" };
        const name = (i) => ({ " ": "space", "\n": "end" })[alphabet[i]] || alphabet[i];
        if (!left.length) return { rows: ["weight"], columns: [], numbers: [[]], says: "No letter of this part was drawn." };
        const some = left.map((x, i) => [x, i]).filter(([x]) => !(x === 0)).sort((a, b) => b[0] - a[0]);
        return { rows: ["weight"], columns: some.map(([, i]) => `${name(i)}${i === chosen ? " (drawn)" : ""}`), numbers: [some.map(([x]) => x)], says: `After "${behind}", ${some.length} of ${n} letters were kept, and "${name(chosen)}" was drawn.` };
    });
}

function of_a_few_scores() {
    const scores = [2, 1.5, 1, 0.5, 0, -0.5, -1, -2], names = scores.map((x) => `score ${x}`);
    picture("next", "Weights that are kept", bars, () => ({ rows: ["weight"], columns: names, numbers: [choose(8, scores, 0.5).left], says: untrained() }));
    picture("line", "Twenty draws", bars, () => {
        const uniform = uniforms(), counts = Array(8).fill(0);
        for (let i = 0; i < 20; i++) counts[choose(8, scores, uniform()).chosen]++;
        return { rows: ["times"], columns: names, most: 20, numbers: [counts] };
    });
}

if (trained) of_the_trained_writer();
else of_a_few_scores();
