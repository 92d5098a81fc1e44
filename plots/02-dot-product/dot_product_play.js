/* A query among four keys: what points the same way gets the weight, and a long key more than its share.
   The value of each key is its own position, so the output lies among them. */
"use strict";

task("Drag the query around. Where does the long key get more weight than a key in the direction of the query?");
const K = [[1, 0], [0, 1], [-0.7, -0.7], [1.2, 1.2]];
const names = ["key 0", "key 1", "key 2", "key 3, a long one"];
const largest = (numbers) => names[numbers.indexOf(Math.max(...numbers))];
const reach = 2, spot = { from: -reach, to: reach, step: 0.05 };
const x = slider("x", "Query, horizontal", { ...spot, at: 1.6 });
const y = slider("y", "Query, vertical", { ...spot, at: -0.15 });
const length = slider("length", "Length of the query, times", { from: 0.5, to: 10, step: 0.5, at: 2 });

const query = () => [[x.value * length.value, y.value * length.value]];
const sizes = { n_q: 1, n_k: 4, d: 2, d_v: 2 };

picture("plane", "Drag the query, and the output follows", plane, () => {
    const { weights, out } = call("dot_product_attention", { ...sizes, Q: query(), K, V: K });
    const [[a, b]] = out;
    const points = K.map(([px, py], j) => ({ x: px, y: py, size: 3 + 14 * (weights[0][j] || 0), name: String(j), kind: "key" }));
    points.push({ x: x.value, y: y.value, size: 6, name: "query", kind: "query" }, { x: a, y: b, size: 6, name: "output", kind: "blend" });
    return {
        points, reach: 1.2 * reach, rows: ["output"], columns: ["horizontal", "vertical"], numbers: [[a, b]],
        move: (px, py) => { x.value = px; y.value = py; },
        says: "The larger the weight of a key, the larger its point. The value of each key is its own position, so the output lies between the keys.",
    };
});

picture("weights", "The weights", bars, () => ({
    rows: ["weight"], columns: names, numbers: call("dot_product_attention", { ...sizes, Q: query(), K, V: K }).weights,
    says: "A longer query in the same direction has larger scores, so the weights are more unequal.",
}));

picture("scores", "The scores: query dot key", bars, () => {
    const { scores } = call("dot_scores", { n_q: 1, n_k: 4, d: 2, Q: query(), K });
    const most = Math.max(1, ...scores[0].map(Math.abs));
    return { rows: ["score"], columns: names, most, numbers: scores, says: `Orange bars are below 0. The largest score belongs to ${largest(scores[0])}.` };
});

picture("cosine", "The cosines of the angles", bars, () => {
    const cosines = K.map((key) => call("cosine_similarity", { d: 2, a: query()[0], b: key }).result);
    return { rows: ["cosine"], columns: names, numbers: [cosines], says: `A cosine does not depend on lengths. The largest belongs to ${largest(cosines)}.` };
});

/* Points of a plane, each with a size and a name, which is beside a key, above a query and below others. Dragging calls
   move(x, y). Each move draws the picture again, so the window listens for the moves, and the present drawing gives the
   scale. */
function plane({ points, move, reach = 2 }, place) {
    const S = 300, px = (x) => S / 2 + (x / reach) * (S / 2), py = (y) => S / 2 - (y / reach) * (S / 2);
    const svg = element("svg", { viewBox: `0 0 ${S} ${S}`, class: "plane", "aria-hidden": "true" },
        element("path", { class: "axis", d: `M0 ${S / 2}H${S}M${S / 2} 0V${S}` }));
    for (const p of points)
        if (Number.isFinite(p.x + p.y))
            svg.append(element("circle", { cx: px(p.x), cy: py(p.y), r: p.size || 5, class: p.kind }),
                p.kind === "key" ? element("text", { x: px(p.x) + p.size + 3, y: py(p.y) + 4 }, p.name) :
                    element("text", { x: px(p.x), y: py(p.y) + (p.kind === "query" ? -9 : 17), "text-anchor": "middle" }, p.name));
    const drag = (event) => {
        const box = place.firstElementChild.getBoundingClientRect();
        move((((event.clientX - box.left) / box.width) * 2 - 1) * reach, (1 - ((event.clientY - box.top) / box.height) * 2) * reach);
    };
    if (move) svg.addEventListener("pointerdown", (event) => { follow(drag); drag(event); event.preventDefault(); });
    return svg;
}

function follow(drag) {
    const end = new AbortController(), { signal } = end;
    window.addEventListener("pointermove", drag, { signal });
    for (const ends of ["pointerup", "pointercancel"]) window.addEventListener(ends, () => end.abort(), { signal });
}
