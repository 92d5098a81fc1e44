/* Type a sentence, or a date: the networks that make run-07 has trained write it in their tongue, and look back at
   each step. */
"use strict";

const models = { translation: kept("attention-40.model") || kept("attention-20.model"), dates: kept("dates.model") };
const words = { translation: kept("words-translation.dat"), dates: kept("words-dates.dat") };
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const word_size = 32, d = 32, state = 2 * d, d_a = 8, LONGEST = 30, MOST = 40;

/* The numbers of a network lie one behind the other: words, readers, decoder, what is read out. */
function network_of(task) {
    const room = room_of(models[task]), of = (kind) => words[task].filter(([, [k]]) => k === kind).map(([label]) => label);
    const source = of(0), target = of(1);
    return {
        source, target, spelled: task === "dates", read: take_array(room, source.length, word_size), write: take_array(room, target.length, word_size),
        readers: [0, 1].map(() => take("gru", { d_in: word_size, d }, {}, room)),
        decoder: take("attention_decoder", { d_a, decoder: { d_word: word_size, d_context: state, gru: { d_in: word_size + state, d: state } } }, {}, room),
        W_out: take_array(room, 2 * state, target.length),
    };
}

/* What is wrong with the input, if anything is. In the vocabulary, nouns come first, then adjectives, verbs, names and
   articles; the last word is "and". */
function about_sentence(read) {
    const kinds = read.map((w) => "njvpa&"[[16, 24, 40, 104, 106].filter((end) => w >= end).length]).join("");
    if (!kinds.includes("v")) return " This has no verb, and all sentences of the training had one. Add a verb, for example “sees”, and a second noun.";
    return /^((p|aj?n)v(p|aj?n)(&|$))+$/.test(kinds) ? "" : " All sentences of the training had a form such as “the young cat saw a red house” or “Anna takes the book and Ben follows a dog”.";
}
function about_date(text) {
    const name = text.toLowerCase().match(/[a-z]{3,}/g)?.map((w) => MONTHS.indexOf(w.slice(0, 3))).find((m) => m >= 0);
    const numbers = text.match(/\d+/g).map(Number), year = numbers.find((x) => x > 31), others = numbers.filter((x) => x <= 31);
    if (year > 31 && !(numbers[0] > 31)) others.reverse();
    const [month, day] = name >= 0 ? [name + 1, others[0]] : others;
    if (!(year >= 1900 && year < 2100 && numbers.length === (name >= 0 ? 2 : 3))) return " The training had dates from 1900 to 2099, such as “13 may 2026”, “13/05/2026” and “2026/05/13”.";
    const exists = month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
    return exists ? "" : ` This date does not exist: ${month > 12 ? `there is no month ${month}` : `month ${month} has no day ${day}`}. The network writes a date all the same.`;
}

function of_trained_networks() {
    task("Type another sentence, such as “Anna takes the red book”, or a date, such as “24 december 1999”.");
    const all = ["translation", "dates"].map(network_of);
    const typed = typing("typed", "A sentence, or a date", "the young cat saw a red house");
    let done = {};

    /* The translation of the typed sentence, with the attention weights of each step. */
    function translate() {
        if (done.typed === typed.value) return done;
        const net = all[/\d/.test(typed.value) ? 1 : 0], heard = net.spelled ? [...typed.value] : typed.value.split(/[\s.,;:!?]+/).filter((w) => w);
        const read = heard.slice(0, LONGEST).map((w) => net.source.findIndex((known) => known.toLowerCase() === w.toLowerCase())), n = read.length;
        const unknown = heard[read.indexOf(-1)];
        if (unknown !== undefined || n === 0) return { heard: [], said: [], looks: [], sure: [], says: n === 0 ? "Type a sentence or a date." : `The network does not know “${unknown}”. It knows: ${net.source.join(" ")}.` };
        const about = (net.spelled ? about_date(typed.value) : about_sentence(read)) + (heard.length > n ? ` Only the first ${LONGEST} are read.` : "");
        const start = [0, 1].map(() => Array(d).fill(0)), v = Array.from({ length: n }, () => [{}, {}]);
        const { H } = call("encode", { n, w: net.readers, X: read.map((w) => net.read[w]), start, v });
        const looks = [], sure = [], rows = H.map((pair) => pair.flat()), targets = net.target.length;
        let s = [call("sentence_vector", { n, d, H }).c.flat()];
        const step = (word) => {
            const now = {};
            if (!(word in net.write)) refuse(`lets step() read word ${word}, of ${targets}`);
            s = call("attention_step", { n_k: n, w: net.decoder, y: [net.write[word]], H: rows, s, v: now }).next;
            looks.push(Array.from(now.weights));
            const joined = [[...s[0], ...now.c]], logits = call("project", { n: 1, d_in: 2 * state, d_out: targets, X: joined, W: net.W_out }).Y[0];
            sure.push(Math.max(...call("softmax", { n: targets, scores: logits }).weights));
            return logits;
        };
        const limit = Math.min(2 * n + 10, MOST), out = call("greedy_decode", { vocabulary: targets, limit, step, decoder: null });
        const said = out.words.slice(0, out.result).map((w) => net.target[w] || "?");
        return (done = { typed: typed.value, heard, said, looks, sure, spelled: net.spelled, says: `${out.result === limit ? "The limit was reached before the end." : "The stronger the colour, the higher the probability of the word."}${about}` });
    }
    picture("written", "What it writes", text, () => {
        const { said, sure, says, spelled } = translate();
        return { rows: ["weight"], columns: said.map((w) => (spelled ? w : `${w} `)), numbers: [sure.slice(0, said.length)], says };
    });
    picture("looks", "The attention weights of each step", cells, () => {
        const { said, heard, looks } = translate();
        return { rows: said, columns: heard, most: 1, numbers: looks.slice(0, said.length), says: "A row for each word that is written, and a column for each word of the source." };
    });
}

function of_a_small_gate() {
    const normal = normal_from(7), w = { d_in: 2, d: 3, W: random_matrix(normal, 2, 9), U: random_matrix(normal, 3, 9) };
    const x = [1, -1].map((at, c) => slider(`x${c}`, `Word, ${c}`, { from: -4, to: 4, step: 0.1, at })), old = slider("state", "State", { from: -1, to: 1, step: 0.1, at: 0.5 });
    const go = () => {
        const v = {}, { next } = call("gru_step", { w, x: [x.map((s) => s.value)], h: [Array(3).fill(old.value)], v });
        return { next: next[0], gates: numbers_of(v.gates)[0] };
    };
    picture("looks", "The gates of one step", bars, () => {
        const { gates } = go();
        return { rows: ["z", "r", "n"], columns: ["0", "1", "2"], numbers: [0, 1, 2].map((g) => gates.slice(3 * g, 3 * g + 3)), says: untrained() };
    });
    picture("next", "The new state", bars, () => ({ rows: ["state"], columns: ["0", "1", "2"], numbers: [go().next], says: "z is the share of the old state, and n is the candidate for the new one." }));
}

if ([models, words].every((of) => of.translation && of.dates)) of_trained_networks();
else of_a_small_gate();
