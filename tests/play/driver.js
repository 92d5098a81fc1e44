/* Behind a page's scene: drives it as a reader would, and tells the page around it what it then shows, in
   full precision. `drive` is "slider=number", "choice=what_is_chosen" (_ for a space), "switches:row,column",
   "plane@x,y" (a drag to there) or "slider!" (its button), with spaces between. */
window.addEventListener("load", () => {
    for (const step of drive.split(" ").filter((s) => s)) {
        const [, id, how, what] = step.match(/^(\w+)([=:@!])(.*)$/), control = document.getElementById(id);
        const [a, b] = what.split(",").map(Number);
        if (how === ":") {
            control.querySelectorAll("tbody tr")[a].querySelectorAll("button")[b].click();
        } else if (how === "!") {
            control.closest("label").nextElementSibling.click();
        } else if (how === "@") {
            const box = control.querySelector("svg").getBoundingClientRect(), reach = 2.4;
            const at = (x, y) => ({ bubbles: true, clientX: box.left + (x / reach + 1) * box.width / 2, clientY: box.top + (1 - y / reach) * box.height / 2 });
            control.querySelector("svg").dispatchEvent(new PointerEvent("pointerdown", at(0, 0)));
            window.dispatchEvent(new PointerEvent("pointermove", at(a, b)));
            window.dispatchEvent(new PointerEvent("pointerup", at(a, b)));
            window.dispatchEvent(new PointerEvent("pointermove", at(0, 0)));
        } else {
            control.value = what.replaceAll("_", " ");
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
    parent.postMessage({ name, width: innerWidth, lines: lines.join("\n") }, "*");
});
