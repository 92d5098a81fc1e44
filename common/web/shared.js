// What the pages of the book and the live parts share. Both begin with this file.
"use strict";

function element(name, attributes, ...children) {
    const made = document.createElementNS(
        /^(svg|circle|line|path|text|g|rect)$/.test(name) ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml", name);
    for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
    made.append(...children);
    return made;
}

// What is wider than its place can be scrolled with the keyboard, too, and has a name. A frame out of sight gets no news
// of its size, so each place is also looked at when it is drawn.
function look_at(place) {
    const scrolls = place.scrollWidth > place.clientWidth || place.scrollHeight > place.clientHeight;
    for (const [attribute, value] of Object.entries({ tabindex: 0, role: "group", "aria-label": `${place.dataset.name}, to be scrolled` }))
        if (scrolls) place.setAttribute(attribute, value);
        else place.removeAttribute(attribute);
}
const sizes = new ResizeObserver((changes) => changes.forEach(({ target }) => look_at(target)));
function observe(place, name) {
    place.dataset.name = name;
    look_at(place);
    sizes.observe(place);
}

// A button that moves a slider step by step to its end, or stops it. For readers who prefer no motion, each click is one
// step.
function player(slider, pause) {
    const button = element("button", { type: "button" }), still = matchMedia("(prefers-reduced-motion: reduce)");
    let timer;
    const is_at_end = () => Number(slider.value) >= Number(slider.max);
    const go_to = (value) => {
        slider.value = value;
        slider.dispatchEvent(new Event("input"));
    };
    const stop = () => { timer = clearInterval(timer); };
    const step = () => {
        go_to(Number(slider.value) + Number(slider.step || 1));
        if (is_at_end()) stop();
        show();
    };
    const show = () => { button.textContent = timer ? "Stop" : still.matches ? "Next step" : "Play"; };
    button.addEventListener("click", () => {
        if (is_at_end()) go_to(slider.min);
        else if (still.matches) step();
        if (timer) stop();
        else if (!still.matches) timer = setInterval(step, pause);
        show();
    });
    slider.addEventListener("input", show);
    show();
    return button;
}
