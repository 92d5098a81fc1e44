#include "reader.h"

#include "start.h"

#include "dot_product.h"
#include "positions.h"

#include <math.h>
#include <stddef.h>

/* --- The language ---------------------------------------------------------------------------- */

// clang-format off
const char *const word_names[WORDS] = {
    "river", "fish", "boat", "shore", "lake", "wave", "net", "stone",               // water
    "broker", "account", "market", "client", "lender", "price", "profit", "bond",   // money
    "floods", "carries", "cools", "drowns", "washes", "feeds",                      // verbs
    "pays", "owes", "buys", "sells", "audits", "taxes",
    "deep", "wet", "cold", "muddy", "clear", "calm",                                // adjectives
    "rich", "cheap", "costly", "poor", "legal", "fiscal",
    "bank", "current", "deposit", "pool",                                           // both
    "the", "and", "(hidden)",
};
// clang-format on

static void say(struct sentence *s, int word) {
    s->words[s->n++] = word;
}

static int any(struct random *r, int first, int count, int topic) {
    return first + topic * count + random_below(r, count);
}

/* Finds the positions of the hidden noun and of the word with two meanings. */
static void find_places(struct sentence *s) {
    for (int i = 0; i < s->n; i++) {
        if (s->words[i] == HIDDEN)
            s->gap = i;
        if (s->words[i] >= FACES && s->words[i] < FACES + TWO_FACED)
            s->face = i;
    }
}

/* "the (deep) river floods the muddy bank and the boat", with one of the two nouns hidden. The word
   with two meanings may also come first. */
struct sentence draw_sentence(struct random *r, int topic, int face) {
    struct sentence s = {.topic = topic, .answer = any(r, 0, PER_TOPIC, topic)};
    int nouns[2] = {HIDDEN, any(r, 0, PER_TOPIC, topic)}, first = random_below(r, 2);
    bool face_first = random_below(r, 2);
    say(&s, THE);
    if (random_below(r, 2))
        say(&s, any(r, ADJECTIVES, SAID, topic));
    say(&s, face_first ? face : nouns[first]);
    say(&s, any(r, VERBS, SAID, topic));
    say(&s, THE);
    say(&s, any(r, ADJECTIVES, SAID, topic));
    say(&s, face_first ? nouns[first] : face);
    say(&s, AND);
    say(&s, THE);
    say(&s, nouns[1 - first]);
    find_places(&s);
    return s;
}

/* The first verb, adjective and noun of the topic. The hidden noun could be any. */
struct sentence our_sentence(int topic) {
    struct sentence s = {.topic = topic, .answer = topic * PER_TOPIC};
    const int words[] = {THE, HIDDEN, VERBS + topic * SAID, THE, ADJECTIVES + topic * SAID, FACES,
                         AND, THE,    topic * PER_TOPIC};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        say(&s, words[i]);
    find_places(&s);
    return s;
}

/* --- The network ----------------------------------------------------------------------------- */

struct reader take_reader(struct room *room) {
    struct reader w = {.table = take(room, WORDS * D_MODEL)};
    for (int b = 0; b < BLOCKS; b++)
        w.block[b] = take_encoder_block(room, D_MODEL, HEADS, D_FF);
    return w;
}

struct reader_values take_reader_values(struct room *room, const struct reader *w, int n) {
    struct reader_values v;
    for (int b = 0; b <= BLOCKS; b++)
        v.X[b] = take(room, n * D_MODEL);
    for (int b = 0; b < BLOCKS; b++)
        v.block[b] = take_encoder_values(room, &w->block[b], n);
    v.logits = take(room, n * NOUNS);
    return v;
}

/* The embeddings are small, as logits need them, and embed() multiplies them by sqrt(D_MODEL). */
void reader_start(const struct reader *w, struct random *r) {
    draw_weights(r, D_MODEL, WORDS * D_MODEL, w->table);
    for (int b = 0; b < BLOCKS; b++)
        start_encoder(r, &w->block[b]);
}

/* There is no positional encoding, because the topic does not depend on positions. */
void read_sentence(const struct reader *w, const struct sentence *s, struct reader_values *v) {
    embed(s->n, WORDS, D_MODEL, sqrt(D_MODEL), s->words, w->table, v->X[0]);
    for (int b = 0; b < BLOCKS; b++)
        encoder_block(s->n, &w->block[b], v->X[b], NULL, &v->block[b], v->X[b + 1]);
    dot_scores(s->n, NOUNS, D_MODEL, v->X[BLOCKS], w->table, v->logits);
}

void read_sentence_backward(const struct reader *w, const struct sentence *s,
                            const struct reader_values *v, struct reader_values *d_v,
                            struct reader *d_w) {
    dot_scores_backward(s->n, NOUNS, D_MODEL, v->X[BLOCKS], w->table, d_v->logits, d_v->X[BLOCKS],
                        d_w->table);
    for (int b = BLOCKS - 1; b >= 0; b--)
        encoder_block_backward(s->n, &w->block[b], NULL, &v->block[b], d_v->X[b + 1],
                               &d_v->block[b], &d_w->block[b], d_v->X[b]);
    embed_backward(s->n, WORDS, D_MODEL, sqrt(D_MODEL), s->words, d_v->X[0], d_w->table);
}
