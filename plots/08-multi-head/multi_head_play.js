/* Who saw, and who was seen? One question is put to a story, by the networks that make run-08 has trained: two
   heads look at both, one head has a single row of weights for two answers. */
"use strict";

const trained = kept("networks.dat");
const parts = ["who", "whom", "by", "with", "for"], kinds = [["two heads", 2], ["one head", 1]];

function of_trained_networks() {
    const numbers = Object.fromEntries(trained), nouns = trained.slice(0, 24).map(([label]) => label), half = numbers.who.length, d_model = 2 * half;
    const story = ["dog", "cat", "fox", "hen", "bee"].map((at, i) => choice(parts[i], ["Who sees", "Whom", "By", "With", "For"][i], nouns, at));
    const networks = kinds.map(([name, heads]) => {
        const room = room_of(numbers[name]);
        const w = take("multi_head", { d_model, n_heads: heads, n_kv_heads: heads, d_head: d_model / heads }, {}, room);
        return { w, answers: ["who", "whom"].map(() => take_array(room, d_model, nouns.length)) };
    });
    const nothing = Array(half).fill(0);

    function ask({ w, answers }) {
        const source = story.map((noun, i) => [...numbers[noun.value], ...numbers[parts[i]]]), v = {};
        const { out } = call("multi_head_attention", { n_q: 1, n_k: 5, w, X: [[...nothing, ...numbers.question]], source, blocked: null, v });
        const logits = answers.map((W) => call("project", { n: 1, d_in: d_model, d_out: nouns.length, X: out, W }).Y[0]);
        return { weights: numbers_of(v.weights), said: logits.map((row) => nouns[row.indexOf(Math.max(...row))]) };
    }
    kinds.forEach(([name, heads], k) => picture(name.replace(" ", "_"), `Where ${name} look${heads > 1 ? "" : "s"}`, cells, () => {
        const { weights, said } = ask(networks[k]), right = said.filter((noun, i) => noun === story[i].value).length;
        return {
            rows: weights.map((_, h) => `head ${h}`), columns: parts.map((part, i) => `${part}: ${story[i].value}`), most: 1,
            numbers: weights.map(([row]) => row), says: `The ${said[0]} sees the ${said[1]}: ${["neither is right", "half right", "right"][right]}.`,
        };
    }));
}

function of_random_numbers() {
    const names = ["word 0", "word 1", "word 2", "word 3"], normal = normal_from(8), X = random_matrix(normal, 4, 4);
    const W = () => random_matrix(normal, 4, 4), w = { d_model: 4, W_q: W(), W_k: W(), W_v: W(), W_o: W() };
    const heads = choice("heads", "Heads", ["1", "2", "4"], "2");
    const attend = () => {
        const v = {}, n = Number(heads.value);
        const { out } = call("multi_head_attention", { n_q: 4, n_k: 4, w: { ...w, n_heads: n, n_kv_heads: n, d_head: 4 / n }, X, source: X, blocked: null, v });
        return { out, weights: numbers_of(v.weights) };
    };
    picture("two_heads", "Where each head looks: a row for each word", cells, () => {
        const { weights } = attend();
        return { rows: weights.flatMap((_, h) => names.map((word) => `head ${h}, ${word}`)), columns: names, most: 1, numbers: weights.flat(), says: untrained() };
    });
    picture("out", "What they give together", cells, () => ({ rows: names, columns: ["0", "1", "2", "3"], numbers: attend().out, says: "Heads share the numbers of a word: more heads, fewer numbers each." }));
}

if (trained) of_trained_networks();
else of_random_numbers();
