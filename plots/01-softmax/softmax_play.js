/* Three scores, any numbers, become weights that sum to 1; the temperature says how sharply. */
"use strict";

task("Set the temperature to 0.1. Which weights are left?");
const T = slider("temperature", "Temperature", { from: 0.1, to: 5, step: 0.1, at: 1 });
const scores = [1, 2, 3].map((at, i) => slider(`score${i}`, `Score ${i}`, { from: -5, to: 5, step: 0.1, at }));
const names = ["0", "1", "2"];

const weigh = () => call("softmax_at_temperature", { n: 3, temperature: T.value, scores: scores.map((s) => s.value) }).weights;

picture("weights", "The weights", bars, () => {
    const weights = weigh(), sum = weights.reduce((a, b) => a + b, 0);
    return {
        rows: ["weight"], columns: names, numbers: [weights],
        says: Math.abs(sum - 1) < 1e-9 ? "The sum of the weights is 1." : `The sum is ${sum}, but weights sum to 1.`,
    };
});

picture("entropy", "Their entropy", bars, () => ({
    rows: ["entropy"], columns: ["nats"], most: Math.log(3),
    numbers: [[call("entropy", { n: 3, weights: weigh() }).result]],
    says: "The entropy is 0 if one weight is 1, and log 3 = 1.0986 if the three weights are equal.",
}));

picture("jacobian", "The Jacobian: what raising a score does to each weight", cells, () => ({
    rows: names.map((i) => `weight ${i}`), columns: names.map((j) => `score ${j}`), most: 0.25,
    numbers: call("softmax_jacobian", { n: 3, weights: weigh() }).jacobian,
    says: "Each row sums to 0, because what raises one weight lowers the others. The scores are those after the division by the temperature.",
}));
