/* Behind a page's scene: drives it as a reader would, and tells the page around it what it then shows, in
   full precision. `drive` is "slider=number" or "switches:row,column", with spaces between. */
"use strict";
window.addEventListener("load", () => {
    for (const step of drive.split(" ").filter((s) => s)) {
        const [, id, value, row, column] = step.match(/^(\w+)(?:=(.*)|:(\d+),(\d+))$/);
        const control = document.getElementById(id);
        if (value === undefined) {
            control.querySelectorAll("tbody tr")[row].querySelectorAll("button")[column].click();
        } else {
            control.value = value;
            control.dispatchEvent(new Event("input"));
        }
    }
    const lines = [];
    for (const section of document.querySelectorAll("section")) {
        section.querySelector("details").open = true;
        const told = section.querySelector("[role=status], pre") ? section.querySelector(".drawing").innerText : "";
        if (told) lines.push(`${section.id} stopped: ${told.replace(/\s+/g, " ")}`);
        else lines.push(`${section.id} says: ${section.querySelector(".says").textContent}`);
        for (const cell of section.querySelectorAll("details td")) if (cell.textContent) lines.push(`${section.id} ${cell.textContent}`);
    }
    if (document.documentElement.scrollWidth > innerWidth) lines.push(`wider than ${innerWidth}`);
    if (document.querySelector("input:not([id]), section:not([aria-label])")) lines.push("unlabelled");
    parent.postMessage({ width: innerWidth, lines: lines.join("\n") }, "*");
});
