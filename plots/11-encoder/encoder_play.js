/* One word with two meanings: choose the words beside "bank", and see to which topic its vector belongs after each block
   of the network that make run-11 has trained. */
"use strict";

task("Choose a verb and another noun that make “bank” mean the other thing.");
const trained = kept("network.dat");

function of_the_trained_network() {
    const names = trained.slice(0, -1).map(([label]) => label), table = trained.slice(0, -1).map(([, row]) => row);
    const nouns = names.slice(0, 16), d_model = table[0].length, room = room_of(trained[trained.length - 1][1]);
    const sizes = { self: { heads: { d_model, n_heads: 4, n_kv_heads: 4, d_head: d_model / 4 } }, forward: { d_model, d_ff: 2 * d_model } };
    const blocks = [0, 1].map(() => take("encoder_block", structuredClone(sizes), {}, room));
    const face = choice("face", "The word", names.slice(40, 44));
    const verb = choice("verb", "The verb", names.slice(16, 28)), noun = choice("noun", "The other noun", nouns);
    const adjective = choice("adjective", "The adjective", names.slice(28, 40));

    /* The rows of the word before the blocks and after each block, and its attention weights. */
    function read() {
        const words = ["the", "(hidden)", verb.value, "the", adjective.value, face.value, "and", "the", noun.value], n = words.length;
        const embedded = { n, vocabulary: names.length, d: d_model, scale: Math.sqrt(d_model), words: words.map((w) => names.indexOf(w)), table };
        const layers = [call("embed", embedded).X], v = [{}, {}];
        blocks.forEach((w, b) => layers.push(call("encoder_block", { n, w, X: layers[b], blocked: null, v: v[b] }).out));
        return { words, rows: layers.map((X) => X[5]), looks: v.map((of) => numbers_of(of.self.heads.weights).map((head) => head[5])) };
    }
    const weigh = (row) => {
        const { scores } = call("dot_scores", { n_q: 1, n_k: 16, d: d_model, Q: [row], K: table.slice(0, 16) });
        return call("softmax", { n: 16, scores: scores[0] }).weights;
    };
    const water = (weights) => weights.slice(0, 8).reduce((a, b) => a + b, 0);

    picture("meaning", "Which topic its vector shows", bars, () => {
        const numbers = read().rows.map((row) => [water(weigh(row))]), last = numbers[2][0];
        return {
            rows: ["before block 1", "after block 1", "after block 2"], columns: ["water"], numbers,
            says: `${face.value}: ${last > 0.9 ? "about water" : last < 0.1 ? "about money" : "undecided"}. Each bar is the probability of the water nouns, and the rest is that of the money nouns.`,
        };
    });
    picture("looks", "Its attention weights in the four heads of block 1", cells, () => {
        const { words, looks } = read();
        return { rows: words.map((w) => w), columns: looks[0].map((_, h) => `head ${h}`), most: 1, numbers: words.map((_, j) => looks[0].map((row) => row[j])), says: `${words.join(" ")}.` };
    });
    picture("nouns", "The answer at this word: which noun is hidden?", bars, () => ({
        rows: ["weight"], columns: nouns, numbers: [weigh(read().rows[2])], says: "The first eight nouns are about water, the others about money.",
    }));
}

function of_random_numbers() {
    const names = ["word 0", "word 1", "word 2"], normal = normal_from(11), d_model = 4, W = (rows, cols) => random_matrix(normal, rows, cols);
    const X = W(3, d_model), first = slider("first", "Factor of word 0", { from: -3, to: 3, step: 0.1, at: 1 });
    const norm = () => ({ gain: Array(d_model).fill(1), bias: Array(d_model).fill(0) });
    const w = {
        self: { ...norm(), heads: { d_model, n_heads: 2, n_kv_heads: 2, d_head: 2, W_q: W(4, 4), W_k: W(4, 4), W_v: W(4, 4), W_o: W(4, 4) } },
        forward: { ...norm(), d_model, d_ff: 8, W_1: W(4, 8), b_1: Array(8).fill(0), W_2: W(8, 4), b_2: Array(4).fill(0) },
    };
    const block = () => {
        const v = {}, { out } = call("encoder_block", { n: 3, w, X: [X[0].map((x) => x * first.value), X[1], X[2]], blocked: null, v });
        return { out, hidden: numbers_of(v.forward.hidden) };
    };
    picture("meaning", "The output of an encoder block", cells, () => ({ rows: names, columns: ["0", "1", "2", "3"], numbers: block().out, says: untrained() }));
    picture("hidden", "The values of the units: none should be negative", cells, () => ({ rows: names, columns: Array.from({ length: 8 }, (_, i) => String(i)), numbers: block().hidden }));
}

if (trained) of_the_trained_network();
else of_random_numbers();
