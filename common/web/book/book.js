// What the pages of the book can do beyond being read: quizzes are answered, words are searched, the device remembers,
// live parts get their height, and the first page has something to drag. Without this file, every answer can be unfolded
// by hand. shared.js comes before it.

// What the device remembers: the theme, the last lesson, and the answers of each quiz, each by itself because another
// page may be open. If the device refuses, this page remembers.
const of_this_page = {};
function remembered(what) {
    try {
        return JSON.parse(localStorage.getItem(`lookback ${what}`));
    } catch {
        return of_this_page[what];
    }
}
function remember(what, value) {
    of_this_page[what] = value;
    try {
        localStorage.setItem(`lookback ${what}`, JSON.stringify(value));
    } catch { /* refused */ }
}
const PAGE = location.pathname.replace(/.*\//, "") || "index.html";

// The browser gives pictures and live parts the same scheme.
const show_theme = () => { document.documentElement.style.colorScheme = remembered("theme") || ""; };
show_theme();

function choose_theme(select) {
    select.value = remembered("theme") || "light dark";
    select.addEventListener("change", () => { remember("theme", select.value); show_theme(); });
}

// --- quizzes

function score(quiz) {
    const asked = quiz.querySelectorAll(".question[data-result]").length;
    const right = quiz.querySelectorAll(".question[data-result=right]").length;
    const all = quiz.querySelectorAll(".question").length;
    const open = all > asked ? `; ${all - asked} to go` : "";
    quiz.querySelector(".score").textContent = `${right} of ${all} right${open}.`;
    return open ? "" : `${right} of ${all}`;
}

// The first answer counts. The letter of the right one, "b)", begins the folded answer.
function answer(question, button) {
    if (question.dataset.result)
        return;
    const folded = question.querySelector("details");
    const letter = folded.querySelector("strong").textContent.trim().charAt(0);
    const isRight = button.value === letter;
    question.dataset.result = isRight ? "right" : "wrong";
    for (const option of question.querySelectorAll("button")) {
        option.setAttribute("aria-disabled", "true");
        if (option.value === letter)
            option.classList.add("right");
    }
    button.classList.add("chosen");
    question.querySelector(".verdict").textContent =
        isRight ? `Right: ${letter}.` : `Not ${button.value}: the answer is ${letter}.`;
    folded.open = true;
}

// Questions are told apart by their words, so that an answer belongs to its question in a later version of the book, too.
function quiz(place) {
    const given = remembered(PAGE)?.given || {};
    const again = element("button", { type: "button", class: "again" }, "Answer again");
    const tell = () => {
        remember(PAGE, { given, done: score(place) });
        place.querySelector(".score").after(again);
    };
    for (const question of place.querySelectorAll(".question")) {
        const asks = question.querySelector("p:not(.number)").textContent, buttons = [...question.querySelectorAll("button")];
        for (const button of buttons)
            button.addEventListener("click", () => {
                given[asks] ??= button.value;
                answer(question, button);
                tell();
            });
        const before = buttons.find(({ value }) => value === given[asks]);
        if (before) answer(question, before);
    }
    if (Object.keys(given).length) tell();
    again.addEventListener("click", () => {
        remember(PAGE, {});
        location.reload();
    });
}

// --- the first page

// A sentence, and how much "it" attends to each of its words: lines back to them, and the share of those that
// have a good part. All letters are about equally wide.
function sentence(words, shares, letters) {
    const LETTER = 12, GAP = 14, BASE = 150;
    const whole = LETTER * letters + GAP * words.length;
    let end = 0;
    const middles = words.map((word) => {
        const width = word.length * LETTER + GAP;
        end += width;
        return end - width / 2;
    });
    const from = middles[words.indexOf("it")];
    const drawing = element("svg", { viewBox: `0 0 ${whole} 200`, "aria-hidden": "true" });
    words.forEach((word, i) => {
        const x = middles[i], width = word.length * LETTER + GAP - 4, high = BASE - 30 - 0.42 * Math.abs(x - from);
        drawing.append(
            element("path", { d: `M${from} ${BASE - 24}C${from} ${high} ${x} ${high} ${x} ${BASE - 24}`,
                "stroke-width": 1 + 22 * shares[i], opacity: 0.25 + 0.75 * shares[i] }),
            element("rect", { x: x - width / 2, y: BASE - 24, width, height: 34, rx: 4, opacity: 0.45 * shares[i] }),
            element("text", { x, y: BASE, class: word === "it" ? "it" : "" }, word));
        if (shares[i] >= 0.15)
            drawing.append(element("text", { x, y: BASE + 36, class: "share" }, percent(shares[i])));
    });
    return drawing;
}

const percent = (share) => `${Math.round(100 * share)} %`;

// The tables of a training, one for each ending of the sentence: a line each step. Dragging goes through it.
function look(figure) {
    const cells = (row) => [...row.cells].map((cell) => cell.textContent);
    const endings = [...figure.querySelectorAll("table")].map((table) => ({
        words: cells(table.tHead.rows[0]).slice(1),
        steps: [...table.tBodies[0].rows].map((row) => cells(row).map(Number)),
    }));
    const last = endings[0].steps.length - 1, letters = Math.max(...endings.map(({ words }) => words.join("").length));
    const place = element("div", {}), step = element("span", {}), says = element("p", { role: "status" });
    const slider = element("input", { type: "range", id: "training", min: 0, max: last, value: last });
    const buttons = endings.map(({ words }) => element("button", { type: "button" }, words[words.length - 1]));
    let chosen = 0;
    const draw = () => {
        const { words, steps } = endings[chosen], [number, ...shares] = steps[slider.value];
        const order = shares.map((_, i) => i).sort((a, b) => shares[b] - shares[a]);
        place.replaceChildren(sentence(words, shares, letters));
        step.textContent = `step ${number} of ${steps[last][0]}`;
        slider.setAttribute("aria-valuetext", step.textContent);
        says.textContent = shares[order[0]] < 0.2 ? "“it” attends to all words about equally." :
            `“it” attends to “${words[order[0]]}” with ${percent(shares[order[0]])}, and to “${words[order[1]]}” with ${percent(shares[order[1]])}.`;
        buttons.forEach((button, i) => button.setAttribute("aria-pressed", i === chosen));
    };
    slider.addEventListener("input", draw);
    buttons.forEach((button, i) => button.addEventListener("click", () => { chosen = i; draw(); }));
    figure.prepend(place,
        element("div", { class: "drag" }, player(slider, 80), element("label", { for: "training" }, "Training"), slider, step),
        element("div", { class: "drag", role: "group", "aria-label": "The last word" }, element("span", {}, "The last word:"), ...buttons), says);
    figure.hidden = false;
    draw();
}

// --- the way through the book

// The list of pages says which quizzes are done; the first page, where the reader was last.
function mark_progress(list) {
    const last = remembered("last"), here = list.querySelector("[aria-current]");
    for (const link of list.querySelectorAll("a")) {
        const done = remembered(link.getAttribute("href"))?.done;
        if (done) link.after(" ", element("span", { class: "done", title: "the score of your quiz" }, done));
        if (PAGE === "index.html" && link.getAttribute("href") === last)
            document.querySelector(".start").prepend(element("a", { href: last }, `Go on: ${link.textContent}`), " ");
    }
    if (/^\d/.test(PAGE)) remember("last", PAGE);
    list.scrollTop = here.offsetTop - 100;
    list.addEventListener("click", () => list.hidePopover?.());
}

// --- the search: see README.md

// A word at the beginning of a word; or, if that is nowhere, with one letter wrong, missing or too many.
const spelled = (word) => new RegExp(`(?<![\\p{L}\\d])(?:${word})(\\p{L}*)`, "giu");
const misspelled = (word) => spelled(word.length < 4 ? word : [...word].slice(1).flatMap((_, i) =>
    [1, 2].map((skipped) => `${word.slice(0, i + 1)}\\p{L}?${word.slice(i + skipped)}`)).join("|"));

// The sections that have all words, the best first. Words in a heading count more, and whole words count twice.
function sections_with(words) {
    const times = (word, place) => [...place.matchAll(word)].reduce((sum, [, rest]) => sum + (/^s?$/.test(rest) ? 2 : 1), 0);
    return sections.map(([address, heading, text]) => {
        const each = words.map((word) => 8 * times(word, heading) / heading.length ** 0.5 + times(word, text) / (200 + text.length) ** 0.5);
        return { address, heading, text, words, value: Math.min(...each) && each.reduce((a, b) => a + b) };
    }).filter(({ value }) => value > 0).sort((a, b) => b.value - a.value);
}

function result({ address, heading, text, words }) {
    const first = text.search(words[0]), part = text.slice(first < 60 ? 0 : text.indexOf(" ", first - 60) + 1).slice(0, 180);
    const page = document.querySelector(`#book a[href="${address.replace(/#.*/, "")}"]`).textContent, marked = [];
    let end = 0;
    for (const { 0: found, index } of part.matchAll(new RegExp(words.map(({ source }) => source).join("|"), "giu"))) {
        marked.push(part.slice(end, index), element("mark", {}, found));
        end = index + found.length;
    }
    return element("li", {}, element("a", { href: address }, element("b", {}, heading), page === heading ? "" : ` in ${page}`),
        element("p", {}, ...marked, part.slice(end)));
}

function search_dialog() {
    const input = element("input", { type: "text", enterkeyhint: "search", "aria-label": "Search the book", placeholder: "Search the book" });
    const says = element("p", { role: "status" }), list = element("ol", {}), sections_script = element("script", { src: "search.js" });
    const look_up = () => {
        const words = input.value.toLowerCase().match(/[\p{L}\d_]+/gu);
        let found = words ? sections_with(words.map(spelled)) : [];
        if (words && !found.length) found = sections_with(words.map(misspelled));
        says.textContent = words ? `${found.length || "No"} ${found.length === 1 ? "section matches" : "sections match"}.` : "";
        list.replaceChildren(...found.slice(0, 12).map(result));
    };
    sections_script.addEventListener("load", () => { look_up(); input.addEventListener("input", look_up); });
    const dialog = element("dialog", { closedby: "any", "aria-label": "Search" }, input, says, list);
    dialog.addEventListener("click", ({ target }) => { if (target.closest("a")) dialog.close(); });
    document.body.append(dialog, sections_script);
    return dialog;
}
const search = () => (document.querySelector("dialog") || search_dialog()).showModal();

// Keys, where they have no other meaning.
document.addEventListener("keydown", (event) => {
    const link = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select")) return;
    if (link && event.target.matches("body, a")) document.querySelector(`a[rel=${link}]`)?.click();
    if (event.key === "/") { search(); event.preventDefault(); }
});

document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("figure.look").forEach(look);
    document.querySelectorAll(".quiz").forEach(quiz);
    for (const [name, places] of Object.entries({ Table: ".scroll", Code: "pre", Formula: "p:has(math[display=block])" }))
        document.querySelectorAll(places).forEach((place) => observe(place, name));
    choose_theme(document.getElementById("theme"));
    document.getElementById("find").addEventListener("click", search);
    mark_progress(document.getElementById("book"));
});

// A live part is a page of its own, and says how high it is: parent.postMessage({height: 480}, "*"). It may do
// so before the rest of this page is there.
window.addEventListener("message", (event) => {
    for (const frame of document.querySelectorAll("iframe.live"))
        if (frame.contentWindow === event.source && Number.isFinite(event.data?.height))
            frame.style.height = `${Math.min(Math.max(event.data.height, 120), 3000)}px`;
});
