/* Byte-pair encoding learns merges from a story, the page does that. merge_tokens then applies them to a typed text. The
   more merges it has, the fewer tokens remain. */
"use strict";

task("Press Play. Which word becomes a single token first, and which one never does?");
const STORY = "Once upon a time, there was a little girl named Lily. She loved to play outside in the sunshine. One day, she saw a big, red ball in the sky. It was the sun! She thought it was so pretty. Lily wanted to play with the ball, but it was too high up in the sky. She tried to jump and reach it, but she couldn't. Then, she had an idea. She would use a stick to knock the ball down. Lily found a stick and tried to hit the ball. But the stick was too short.";
const MOST = 100, LONGEST = 40, EVERY = 10, SHOWN = 12;
const typed = typing("typed", "A text", "Lily saw the red ball");
const learned = slider("learned", "Merges learned", { from: 0, to: MOST, step: 1, at: 40, pause: 200 });

/* Learns the merges: again and again the most frequent neighbours become a token. A token begins with a space or has
   none. Tokens 0 to 2 are special, as in the lesson, and are not used. */
const texts = ["", "", "", ...new Set(STORY)], letters = texts.length, merges = [];
for (let words = [...STORY].map((c) => texts.indexOf(c)); merges.length < MOST; ) {
    const counts = new Map();
    for (let i = 0; i + 1 < words.length; i++)
        if (!texts[words[i + 1]].startsWith(" ")) counts.set(`${words[i]} ${words[i + 1]}`, (counts.get(`${words[i]} ${words[i + 1]}`) || 0) + 1);
    const [most] = [...counts].reduce((best, pair) => (pair[1] > best[1] ? pair : best));
    const [left, right] = most.split(" ").map(Number);
    merges.push([left, right, texts.length]);
    texts.push(texts[left] + texts[right]);
    words = words.reduce((all, w) => (all.length && all[all.length - 1] === left && w === right ? [...all.slice(0, -1), texts.length - 1] : [...all, w]), []);
}

/* The first `count` merges, as the lesson's functions want them. */
function first(count) {
    const pairs = merges.slice(0, count).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return { n_pairs: count, pairs, vocabulary: texts.length, score: texts.map((_, i) => (i < letters ? 0 : letters - i)) };
}
function spelled() {
    const all = [" ", ...typed.value], unknown = all.filter((c) => !texts.includes(c));
    const words = all.map((c) => texts.indexOf(c)).filter((w) => w > 0).slice(0, LONGEST);
    const about = (unknown.length ? ` The story lacks “${[...new Set(unknown)].join("")}”, so this is left out.` : "") +
        (all.length - unknown.length > words.length ? ` Only the first ${LONGEST - 1} characters are used.` : "");
    return { n: words.length, words, about };
}
function merged(count) {
    const { n, words } = spelled(), { joined, result } = call("merge_tokens", { ...first(count), n, words });
    return joined.slice(0, Math.max(0, Math.min(result, n)));
}
const name = (w) => (texts[w] || "?").replace(/ /g, "␣");

picture("tokens", "The tokens of the text", text, () => {
    const tokens = merged(learned.value), { n, about } = spelled();
    const apart = (all, between) => all.flatMap((x, i) => (i ? [between, x] : [x]));
    return {
        rows: ["share"], columns: apart(tokens.map(name), "|"), numbers: [apart(tokens.map((w) => (texts[w] || "").length / n), NaN)],
        says: n === 1 ? "Type a text." : `${n} characters became ${tokens.length} tokens. The stronger the colour, the larger a token's share of the characters. ␣ is a space, and one was put before the text.${about}`,
    };
});
picture("best", "When the neighbours of the first characters were learned", bars, () => {
    const { n, words } = spelled(), given = first(learned.value), few = words.slice(0, SHOWN);
    const at = few.slice(1).map((right, i) => call("find_merge", { ...given, left: few[i], right }).result);
    const { result } = call("best_merge", { ...given, n: few.length, words: few });
    return {
        rows: ["merge"], columns: at.map((_, i) => `${name(words[i])} ${name(words[i + 1])}${i === result ? " (best)" : ""}`), most: MOST, numbers: [at.map((w) => (w < letters ? 0 : w - letters + 1))],
        says: n === 1 ? "" : `The first merge is 1, and 0 means that the two are no pair yet. Of the first ${few.length} characters${n > few.length ? ` of ${n}` : ""}, best_merge ${result < 0 ? "finds no pair" : `takes “${name(words[result])} ${name(words[result + 1])}”`}.`,
    };
});
picture("count", "Number of tokens by merges learned", curves, () => {
    const counts = Array.from({ length: MOST / EVERY + 1 }, (_, i) => EVERY * i), many = counts.map((count) => merged(count).length);
    return { rows: ["tokens"], columns: counts.map(String), numbers: [many], at: learned.value, says: `With no merge there are ${many[0]} tokens, and with all ${MOST} there are ${many[many.length - 1]}.` };
});
