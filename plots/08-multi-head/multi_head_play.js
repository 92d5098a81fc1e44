/* Who sees, and who is seen? The two networks of make run-08 answer both questions for a story: one with two heads,
   and one whose single head has one row of weights for both answers. */
"use strict";

task("Exchange the first two nouns. Does the network with one head still answer both questions?");
const trained = kept("networks.dat");
const roles = ["who", "whom", "by", "with", "for"], kinds = [["two heads", 2], ["one head", 1]];

function of_trained_networks() {
    const numbers = Object.fromEntries(trained), nouns = trained.slice(0, 24).map(([label]) => label), half = numbers.who.length, d_model = 2 * half;
    const story = ["dog", "cat", "fox", "hen", "bee"].map((at, i) => choice(roles[i], ["Who sees", "Whom", "By", "With", "For"][i], nouns, at));
    const networks = kinds.map(([name, heads]) => {
        const room = room_of(numbers[name]);
        const w = take("multi_head", { d_model, n_heads: heads, n_kv_heads: heads, d_head: d_model / heads }, {}, room);
        return { w, answers: ["who", "whom"].map(() => take_array(room, d_model, nouns.length)) };
    });
    const nothing = Array(half).fill(0);

    function answer({ w, answers }) {
        const source = story.map((noun, i) => [...numbers[noun.value], ...numbers[roles[i]]]), v = {};
        const { out } = call("multi_head_attention", { n_q: 1, n_k: 5, w, X: [[...nothing, ...numbers.question]], source, blocked: null, v });
        const logits = answers.map((W) => call("project", { n: 1, d_in: d_model, d_out: nouns.length, X: out, W }).Y[0]);
        return { weights: numbers_of(v.weights), said: logits.map((row) => nouns[row.indexOf(Math.max(...row))]) };
    }
    kinds.forEach(([name, heads], k) => picture(name.replace(" ", "_"), `Attention weights of ${name}`, cells, () => {
        const twice = new Set(story.map(({ value }) => value)).size < 5 ? " In the training, the five nouns of a story were always different." : "";
        const { weights, said } = answer(networks[k]), right = said.filter((noun, i) => noun === story[i].value).length;
        return {
            rows: weights.map((_, h) => `head ${h}`), columns: roles.map((role, i) => `${role}: ${story[i].value}`), most: 1,
            numbers: weights.map(([row]) => row), says: `Answer: the ${said[0]} sees the ${said[1]}. ${["Both nouns are wrong", "One of the two nouns is right", "Both nouns are right"][right]}.${twice}`,
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
    picture("two_heads", "Attention weights: a row for each head and word", cells, () => {
        const { weights } = attend();
        return { rows: weights.flatMap((_, h) => names.map((word) => `head ${h}, ${word}`)), columns: names, most: 1, numbers: weights.flat(), says: untrained() };
    });
    picture("out", "The output of all heads", cells, () => ({ rows: names, columns: ["0", "1", "2", "3"], numbers: attend().out, says: "The four dimensions are split among the heads, so more heads have fewer dimensions each." }));
}

if (trained) of_trained_networks();
else of_random_numbers();
