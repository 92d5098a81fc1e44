/* Three scores, any numbers, become weights that sum to 1; the temperature says how sharply. */
"use strict";

const T = slider("temperature", "Temperature", { from: 0.1, to: 5, step: 0.1, at: 1 });
const scores = [1, 2, 3].map((at, i) => slider(`score${i}`, `Score ${i}`, { from: -5, to: 5, step: 0.1, at }));
const names = ["0", "1", "2"];

const weigh = () => call("softmax_at_temperature", { n: 3, temperature: T.value, scores: scores.map((s) => s.value) }).weights;

picture("weights", "The weights", bars, () => {
    const weights = weigh(), sum = weights.reduce((a, b) => a + b, 0);
    return {
        rows: ["weight"], columns: names, numbers: [weights],
        says: Math.abs(sum - 1) < 1e-9 ? "Together 1." : `Together ${sum}: weights sum to 1.`,
    };
});

picture("entropy", "How undecided they are", bars, () => ({
    rows: ["entropy"], columns: ["nats"], most: Math.log(3),
    numbers: [[call("entropy", { n: 3, weights: weigh() }).result]],
    says: "0 for one winner, log 3 = 1.0986 for three alike.",
}));

picture("jacobian", "The Jacobian: what raising a score does to each weight", cells, () => ({
    rows: names.map((i) => `weight ${i}`), columns: names.map((j) => `score ${j}`), most: 0.25,
    numbers: call("softmax_jacobian", { n: 3, weights: weigh() }).jacobian,
    says: "Each row sums to 0: what raises one weight lowers the others. (For scores already divided.)",
}));
