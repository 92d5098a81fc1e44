/* The milestone of lesson 16: a published model tells a story with your functions.

   In doubles every token is computed by llama_next() and the functions of the earlier lessons. In
   floats and as bytes the products are those of lesson 16, and the attention is decode() of lesson
   14. A story looks right in spite of many mistakes, so the logits at 24 positions are compared
   with known ones first. make run-16 tells the story and keeps the tables for the pictures,
   make try-16 writes on from what you type, and make bench-16 measures the speed. */
#include "milestone/bench.h"
#include "milestone/model.h"
#include "milestone/pinned.h"
#include "milestone/study.h"
#include "milestone/tale.h"
#include "milestone/tell.h"
#include "milestone/try.h"

#include "columns.h"
#include "todo.h"
#include "trainer.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static const char prompt[] = "Once upon a time";

static const char *const functions[KINDS] = {"llama_next()", "matrix_vector()",
                                             "matrix_vector_int8()"};

/* The largest allowed difference of a logit. For int8 it is the root mean square. */
static const double allowed[KINDS] = {1e-3, 1e-3, 0.15};

struct report {
    struct model model;
    struct teller teller[KINDS];
    bool is_open[KINDS];
    struct tale tale[KINDS];
    int given;             /* the tokens of the prompt */
    double differs[KINDS]; /* NAN if there is nothing to compare with */
};

/* --- Logits ---------------------------------------------------------------------------------- */

struct difference {
    double largest, squares;
    int count;
};

static void compare(double logit, double known, struct difference *d) {
    const double differs = fabs(logit - known);
    d->largest = differs <= d->largest ? d->largest : differs; /* NaN stays */
    d->squares += differs * differs;
    d->count++;
}

static struct difference from_known(struct teller *t) {
    struct difference d = {0};
    teller_begin(t);
    for (int i = 0; i < PINNED; i++) {
        teller_read(t, pinned_words[i]);
        for (int j = 0; j < PINNED_LOGITS; j++)
            compare(t->logits[pinned_of[j]], pinned_logits[i][j], &d);
    }
    return d;
}

/* For another model: from the kind before, on the story that it has told. */
static struct difference from_before(struct teller *t, struct teller *before,
                                     const struct tale *tale) {
    struct difference d = {0};
    teller_begin(t);
    teller_begin(before);
    for (int i = 0; i < PINNED && i < tale->n; i++) {
        teller_read(t, tale->words[i]);
        teller_read(before, tale->words[i]);
        for (int word = 0; word < t->sizes.vocabulary; word++)
            compare(t->logits[word], before->logits[word], &d);
    }
    return d;
}

/* Prints how far the logits are from the right ones. Are they near enough? */
static bool check_logits(struct report *r, enum kind kind) {
    const bool known = r->model.is_published, first = kind == DOUBLES || !r->is_open[kind - 1];
    struct difference d = {0};
    printf("\nAs %s, with your %s.", kind_names[kind], functions[kind]);
    r->differs[kind] = (double)NAN;
    if (known)
        d = from_known(&r->teller[kind]);
    else if (!first)
        d = from_before(&r->teller[kind], &r->teller[kind - 1], &r->tale[kind - 1]);
    else
        return puts("") != EOF;
    r->differs[kind] = kind == BYTES ? sqrt(d.squares / d.count) : d.largest;
    const bool right = r->differs[kind] < allowed[kind];
    printf(" At %d positions the logits differ\nfrom %s by %.3g%s, and right is below %g.\n",
           PINNED, known ? "the known ones" : kind_names[kind - 1], r->differs[kind],
           kind == BYTES ? " (the root mean square)" : " at most", allowed[kind]);
    if (!right)
        puts("So this is not the story of the model, but that of your code:");
    return right;
}

/* --- Stories --------------------------------------------------------------------------------- */

static void tell_speed(FILE *to, const struct report *r, enum kind kind) {
    const struct tale *tale = &r->tale[kind];
    fprintf(to, "%s: %d tokens, %.0f a second. A bare read of %.3g MB: %.0f a second.\n",
            kind_names[kind], tale->end, 1.0 / tale->token,
            (double)r->teller[kind].read_bytes / 1e6, 1.0 / tale->read);
}

/* Tells the story of the most likely tokens, or the beginning of a wrong one. Is it right, as far
   as is known? */
static bool tell_story(struct report *r, enum kind kind, int n, const int words[n]) {
    static const struct manner likely = {0.0, 0, 1.0};
    struct tale *tale = &r->tale[kind];
    struct random random = random_seed(1);
    bool right = check_logits(r, kind);
    putchar('\n');
    tell_tale(&r->teller[kind], &r->model.words, &likely, &random, n, words,
              right ? BEYOND : BEGINNING, tale);
    putchar('\n');
    if (is_stopped())
        return false;
    tell_speed(stdout, r, kind);
    if (right && r->model.is_published && kind != BYTES &&
        story_sum(tale->n + 1, tale->words) != pinned_story) {
        puts("The logits of the first tokens are right, but this is not the known story.");
        right = false;
    }
    return right;
}

/* The published model begins with known tokens, so that it needs no tokenizer for its first story.
   Then the tokenizer has to find these tokens. */
static bool check_tokenizer(const struct report *r) {
    int words[sizeof prompt + 2];
    const int n = tokens_of(&r->model.words, strlen(prompt), prompt, words);
    const bool right =
        n == PINNED_PROMPT && memcmp(words, pinned_words, sizeof(int) * PINNED_PROMPT) == 0;
    printf("\nThe tokenizer knows %d pairs. With your merge_tokens() it makes\n"
           "%d tokens of \"%s\".\n",
           r->model.words.n_pairs, n, prompt);
    if (!right)
        printf("It should make these %d, with BOS: 1 9038 2501 263 931.\n", PINNED_PROMPT);
    return right;
}

static bool tell_all(struct report *r) {
    int prompt_words[sizeof prompt + 2];
    const bool known = r->model.is_published;
    memcpy(prompt_words, pinned_words, sizeof(int) * PINNED_PROMPT);
    r->given = PINNED_PROMPT;
    if (!known)
        r->given = tokens_of(&r->model.words, strlen(prompt), prompt, prompt_words);
    for (enum kind kind = DOUBLES; kind < KINDS; kind++) {
        r->is_open[kind] = teller_open(&r->teller[kind], &r->model.file, kind);
        if (!r->is_open[kind] && kind == DOUBLES && !known)
            continue;
        if (!r->is_open[kind] || !tell_story(r, kind, r->given, prompt_words))
            return false;
        if (kind == DOUBLES && known && !check_tokenizer(r))
            return false;
    }
    return true;
}

/* Another story on every seed, which shows how tokens are chosen. */
static void tell_another(struct report *r) {
    static const struct manner manner = {1.0, 0, 0.9};
    struct random random = random_seed(seed_wanted());
    struct tale tale;
    printf("\nAnother one, with temperature 1, p = 0.9 and SEED=%llu:\n\n",
           (unsigned long long)seed_wanted());
    tell_tale(&r->teller[FLOATS], &r->model.words, &manner, &random, 1, (int[]){BOS}, STORY, &tale);
    putchar('\n');
}

/* --- run, try and bench ---------------------------------------------------------------------- */

static void tell_summary(FILE *to, const struct report *r) {
    for (enum kind kind = DOUBLES; kind < KINDS; kind++)
        if (r->is_open[kind])
            tell_speed(to, r, kind);
}

static void keep_tables(const char *folder, struct report *r) {
    FILE *result = columns_open(folder, "result.txt", NULL);
    tell_summary(result, r);
    columns_close(result);
    write_tokens(folder, r->given, &r->tale[r->is_open[DOUBLES] ? DOUBLES : FLOATS]);
    if (r->model.is_published)
        write_tables(folder, &r->model, r->teller, r->tale);
}

/* The status says that everything was said already, if the code is wrong or was stopped. */
static int run(const char *folder) {
    enum { HAS_SAID_WHY = 2 };
    static struct report r;
    model_open(&r.model);
    const bool right = tell_all(&r);
    if (right)
        tell_another(&r);
    if (right && !is_stopped())
        keep_tables(folder, &r);
    if (is_stopped())
        puts("\nStopped. If there was a run before, its tables are kept.");
    return right && !is_stopped() ? 0 : HAS_SAID_WHY;
}

static void stop_at_todo(const char *file, int line, const char *function, const char *hint) {
    fflush(stdout);
    fprintf(stderr, "\n%s() is not written yet, so it ends here: %s:%d\n%s\n", function, file, line,
            hint);
    exit(2);
}

int main(int argc, char **argv) {
#ifdef _OPENMP
    omp_set_num_threads(1);
#endif
    todo_reached = stop_at_todo;
    if (argc == 2 && strcmp(argv[1], "tell") == 0)
        return tell_one();
    return milestone_main(argc, argv, &(struct milestone){run, try_out, run_bench});
}
