// What the pages of the book can do beyond being read: quizzes are answered, live parts get their height, and
// the first page has something to drag. Without this file, every answer can be unfolded by hand.
"use strict";

function score(quiz) {
    const asked = quiz.querySelectorAll(".question[data-result]").length;
    const right = quiz.querySelectorAll(".question[data-result=right]").length;
    const all = quiz.querySelectorAll(".question").length;
    const open = all > asked ? `; ${all - asked} to go` : "";
    quiz.querySelector(".score").textContent = `${right} of ${asked} right${open}.`;
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
    score(question.closest(".quiz"));
}

function element(name, attributes, ...children) {
    const of = /^(svg|path|rect|text)$/.test(name) ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml";
    const made = document.createElementNS(of, name);
    for (const [attribute, value] of Object.entries(attributes))
        made.setAttribute(attribute, value);
    made.append(...children);
    return made;
}

// A sentence, and how much "it" looks at each of its words: lines back to them, and the share of those that
// have a good part. A letter is about as wide as the next.
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
    const slider = element("input", { type: "range", id: "training", min: 0, max: last, value: 0 });
    const buttons = endings.map(({ words }) => element("button", { type: "button" }, words[words.length - 1]));
    let chosen = 0;
    const draw = () => {
        const { words, steps } = endings[chosen], [number, ...shares] = steps[slider.value];
        const order = shares.map((_, i) => i).sort((a, b) => shares[b] - shares[a]);
        place.replaceChildren(sentence(words, shares, letters));
        step.textContent = `step ${number} of ${steps[last][0]}`;
        slider.setAttribute("aria-valuetext", step.textContent);
        says.textContent = shares[order[0]] < 0.2 ? "It looks at all words, nearly alike." :
            `It is the ${words[order[0]]}, ${percent(shares[order[0]])}; the ${words[order[1]]} has ${percent(shares[order[1]])}.`;
        buttons.forEach((button, i) => button.setAttribute("aria-pressed", i === chosen));
    };
    slider.addEventListener("input", draw);
    buttons.forEach((button, i) => button.addEventListener("click", () => { chosen = i; draw(); }));
    figure.prepend(place,
        element("div", { class: "drag" }, element("label", { for: "training" }, "Drag: it learns"), slider, step),
        element("div", { class: "drag", role: "group", "aria-label": "The last word" }, element("span", {}, "because it was"), ...buttons), says);
    figure.hidden = false;
    draw();
}

document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("figure.look").forEach(look);
    for (const question of document.querySelectorAll(".question"))
        for (const button of question.querySelectorAll("button"))
            button.addEventListener("click", () => answer(question, button));
});

// A live part is a page of its own, and says how high it is: parent.postMessage({height: 480}, "*"). It may do
// so before the rest of this page is there.
window.addEventListener("message", (event) => {
    for (const frame of document.querySelectorAll("iframe.live"))
        if (frame.contentWindow === event.source && Number.isFinite(event.data?.height))
            frame.style.height = `${Math.min(Math.max(event.data.height, 120), 3000)}px`;
});
