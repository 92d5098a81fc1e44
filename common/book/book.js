// What the pages of the book can do beyond being read: quizzes are answered, live parts get their height,
// and print shows no folded answers. Without this file, every answer can be unfolded by hand.
"use strict";

function score(quiz) {
    const asked = quiz.querySelectorAll(".question[data-result]").length;
    const right = quiz.querySelectorAll(".question[data-result=right]").length;
    const all = quiz.querySelectorAll(".question").length;
    const open = all > asked ? `; ${all - asked} to go` : "";
    quiz.querySelector(".score").textContent = `${right} of ${asked} right${open}.`;
}

// The first answer counts. Which is right stands in front of the why: "b)".
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

document.addEventListener("DOMContentLoaded", () => {
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
