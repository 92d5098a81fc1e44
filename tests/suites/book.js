// In a page of the book, in a frame: looks at it as a reader would, answers its quiz, and tells the frame what
// it found, for tests/suites/book.sh.
"use strict";

const found = [];
const note = (name, value) => found.push(`${name}: ${value}`);
const all = (selector) => [...document.querySelectorAll(selector)];
const isShown = (element) => element.getClientRects().length > 0;

// What no scrolling box holds, and reaches beyond the window.
function sticksOut(element) {
    const box = element.getBoundingClientRect();
    if (box.right <= innerWidth + 1 || box.width === 0)
        return false;
    for (let at = element; at; at = at.parentElement)
        if (getComputedStyle(at).overflowX !== "visible" || at.classList.contains("skip"))
            return false;
    return true;
}

// The search has its words in another file. A misspelled word is found, too.
async function searchFor(words) {
    const dialog = document.querySelector("dialog"), input = dialog.querySelector("input");
    input.value = words;
    input.dispatchEvent(new Event("input"));
    return dialog.querySelector("li a")?.getAttribute("href") || "none";
}

async function useTheFrame() {
    const theme = document.getElementById("theme"), key = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    note("pages in the list", document.querySelector("#book [aria-current]") && all("#book > ul > li").length);
    key("/");
    const dialog = document.querySelector("dialog"), opened = dialog.open;
    await new Promise((loaded) => dialog.nextElementSibling.addEventListener("load", loaded));
    note("found", [opened, await searchFor("softmax_rows"), await searchFor("sofmax_rows"), await searchFor("xyzzy")].join(", "));
    dialog.close();
    theme.value = "dark";
    theme.dispatchEvent(new Event("change"));
    const dark = getComputedStyle(document.body).colorScheme;
    theme.value = "light dark";
    theme.dispatchEvent(new Event("change"));
    note("themes", `${dark}, ${getComputedStyle(document.body).colorScheme}`);
    const link = document.querySelector("[rel=prev], [rel=next]");
    const went = new Promise((go) => link.addEventListener("click", (event) => { event.preventDefault(); go("on"); }));
    key(link.rel === "next" ? "ArrowRight" : "ArrowLeft");
    note("an arrow key goes", await went);
}

// A live part that works needs no bar to scroll it. One from the disk cannot be asked.
function fits(frame) {
    const inside = frame.contentDocument?.documentElement;
    return !inside || (inside.scrollHeight <= frame.clientHeight && inside.scrollWidth <= frame.clientWidth &&
        inside.querySelector(".drawing > *") && !inside.querySelector(".stopped"));
}

// Whether words of a picture reach beyond its edge and are cut off. Pages from the disk may not read them.
async function isCut(picture) {
    const place = document.createElement("div");
    document.body.append(place);
    place.style = "position: absolute; visibility: hidden; width: 900px";
    place.innerHTML = await fetch(picture.currentSrc).then((answer) => answer.text());
    const frame = place.querySelector("svg").getBoundingClientRect();
    const cut = [...place.querySelectorAll("text")].filter((text) => !text.closest("defs")).some((text) => {
        const box = text.getBoundingClientRect();
        return box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
    });
    place.remove();
    return cut;
}

async function lookAtPictures() {
    const drawn = all("img").filter((i) => i.currentSrc.endsWith(".svg") && location.protocol === "http:");
    const cut = await Promise.all(drawn.map(isCut));
    note("pictures whose words are cut off", drawn.filter((_, i) => cut[i]).map((i) => i.currentSrc.replace(/.*\//, "")).join(" "));
}

// The first page: through the whole training, with each ending.
function drag() {
    const slider = document.querySelector(".look input"), says = document.querySelector(".look [role=status]");
    for (const button of all(".look [aria-pressed]")) {
        button.click();
        const said = [slider.min, slider.max].map((end) => {
            slider.value = end;
            slider.dispatchEvent(new Event("input"));
            return says.textContent;
        });
        note(`from start to end, with ${button.textContent}`, said.join(" "));
    }
}

function examine() {
    note("wider than the window", document.documentElement.scrollWidth > innerWidth);
    note("sticks out", all("body *").filter(sticksOut).map((e) => e.tagName + "." + e.className).join(" "));
    note("pictures", all("img").length);
    note("pictures not shown", all("img").filter((i) => !i.naturalWidth || !i.alt || i.width > innerWidth).length);
    note("figures with neither numbers nor a reason", all("figure").filter(
        (f) => !f.querySelector(".numbers td, .place, a[href*='.html#picture-'], img[src$='terminal.svg'], img[src*='/figures/']")).length);
    note("formulas not shown", all("math").filter((m) => isShown(m.parentElement) && m.getBoundingClientRect().width < 2).length);
    note("headings", `${all("h1").length} h1, ${all("main").length} main`);
    note("without a name", all("button, a[href]:not([aria-hidden]), iframe, summary, input").filter(
        (e) => !e.textContent.trim() && !e.title && !e.querySelector("img[alt]") && !e.labels?.length).length);
    const here = location.href.replace(/[^/]*$/, "");
    note("live parts", all("iframe").filter((f) => f.style.height).length);
    note("live parts that do not fit", all("iframe").filter((f) => !fits(f)).length);
    note("asked of others", performance.getEntriesByType("resource").filter((r) => !r.name.startsWith(here)).length);
}

// Answers each question with its first option, and the last question again, which must not count.
function answerAll() {
    for (const question of all(".question")) {
        const options = [...question.querySelectorAll("button")];
        const letter = question.querySelector("details strong").textContent.charAt(0);
        options[0].click();
        const said = question.querySelector(".verdict").textContent;
        options[options.length - 1].click();
        const wanted = letter === "a" ? "Right: a." : `Not a: the answer is ${letter}.`;
        const why = question.querySelector("details p");
        if (said !== wanted || question.querySelector(".verdict").textContent !== wanted || !isShown(why))
            note("wrong verdict", `${said} instead of ${wanted}`);
    }
    note("questions", all(".question").length);
    note("score", document.querySelector(".score")?.textContent);
}

// The rules of axe-core, where it is here, on a light page and on a dark one.
async function askAxe() {
    for (const theme of window.axe ? ["light", "dark"] : []) {
        document.documentElement.style.colorScheme = theme;
        const { violations } = await axe.run(document, { iframes: false, preload: false, resultTypes: ["violations"] });
        note(`violations in a ${theme} page`, violations.length);
        for (const { id, nodes } of violations) note(`${id}, ${nodes.length} times`, nodes[0].html);
    }
}

// What a live part says of its height comes a moment after it. A live part that is looked at by itself is no page of the
// book. A page with a quiz is opened again, to see whether it remembers.
window.addEventListener("load", () => setTimeout(async () => {
    if (location.hash) {
        note("answers remembered", all(".question[data-result]").length);
    } else if (document.querySelector("#book")) {
        examine();
        await lookAtPictures();
        await useTheFrame();
        drag();
        answerAll();
        await askAxe();
    } else {
        await askAxe();
    }
    parent.postMessage({ found: found.map((line) => `\n${location.pathname.replace(/.*\//, "")}:${innerWidth} ${line}`).join("") + "\n" }, "*");
    if (!location.hash && document.querySelector(".quiz")) {
        location.hash = "again";
        location.reload();
    }
}, 1000));
