/* Choose the sentence: the head that make run-06 has trained decides what "it" means. Without a training,
   the weights of three words without a training. */
"use strict";

task("Press Play to see how the head learns. Then choose another last word.");
const trained = kept("head.dat");
const steps = [kept("warm_steps.dat"), kept("tired_steps.dat")];
const word = Object.fromEntries(trained || []);
const width = (rows, text) => Array.from({ length: rows }, (_, i) => word[text].slice(i * (word[text].length / rows), (i + 1) * (word[text].length / rows)));

function of_the_trained_head() {
    const names = trained.map(([label]) => label), nouns = names.slice(0, 12), adjectives = names.slice(12, 24);
    const animal = choice("animal", "Animal", nouns.slice(0, 6)), thing = choice("thing", "Thing", nouns.slice(6));
    const adjective = choice("adjective", "It was", adjectives, "tired");
    const sentence = () => `the ${animal.value} sat on the ${thing.value} because it was ${adjective.value}`.split(" ");
    const it = 7, d_model = word.the.length, d_k = word.W_q.length / d_model, W = (name) => width(d_model, name);

    /* As the milestone reads: the words after "because" attend to each other first. */
    function read(words) {
        const n = words.length, own = words.map((w) => word[w]);
        const blocked = own.map((_, i) => own.map((_, j) => i < it || j < it || i === j));
        const received = call("masked_attention", { n_q: n, n_k: n, d_k: d_model, d_v: d_model, Q: own, K: own, V: own, blocked }).out;
        const X = own.map((row, i) => row.map((x, c) => received[i][c] + x));
        return call("self_attention", { n, d_model, d_k, d_v: d_model, X, W_q: W("W_q"), W_k: W("W_k"), W_v: W("W_v"), blocked: null });
    }
    if (steps[0] && steps[1]) while_it_learned();
    picture("looks", "Which words \"it\" attends to", bars, () => {
        const words = sentence();
        return { rows: ["it"], columns: words, numbers: [read(words).weights[it]], says: `${words.join(" ")}. No example said where to look.` };
    });
    picture("means", "What it takes \"it\" for", bars, () => {
        const Q = [read(sentence()).out[it]], { scores } = call("dot_scores", { n_q: 1, n_k: 12, d: d_model, Q, K: nouns.map((w) => word[w]) });
        const best = nouns[scores[0].indexOf(Math.max(...scores[0]))];
        return { rows: ["score"], columns: nouns, most: Math.max(...scores[0].map(Math.abs)), numbers: scores, says: `It is: the ${best}.` };
    });
}

/* The weights of "it" in two sentences, in every tenth step of the training. */
function while_it_learned() {
    const at = steps[0].slice(1).map(([step]) => Number(step)), last = at[at.length - 1], words = steps[0][0][2].slice(1);
    const step = slider("step", "Training step", { from: 0, to: last, step: at[1] - at[0], at: last, pause: 100 });
    picture("learned", "While it learned: the weights of \"it\" in two sentences", cells, () => ({
        rows: [...words.slice(0, -1), "warm/tired"], columns: ["was warm", "was tired"], most: 1,
        numbers: words.map((_, i) => steps.map((rows) => rows[1 + at.indexOf(step.value)][1][i])), says: `Step ${step.value} of ${last}, as your run recorded it.`,
    }));
}

function of_small_numbers() {
    const names = ["word 0", "word 1", "word 2"];
    const first = [1, 0].map((at, c) => slider(`first${c}`, `Word 0, ${c}`, { from: -3, to: 3, step: 0.1, at }));
    const attend = () => call("self_attention", {
        n: 3, d_model: 2, d_k: 2, d_v: 3, X: [first.map((s) => s.value), [0, 1], [1, 1]], W_q: [[0, 2], [1, 0]], W_k: [[1, 0], [0, 1]],
        W_v: [[1, 2, 3], [4, 5, 6]], blocked: null,
    });
    picture("looks", "The attention weights", cells, () => ({ rows: names, columns: names, most: 1, numbers: attend().weights, says: untrained() }));
    picture("out", "The output of each word", cells, () => ({ rows: names, columns: ["0", "1", "2"], numbers: attend().out, says: "The example of the text, until word 0 is changed." }));
}

if (trained) of_the_trained_head();
else of_small_numbers();
