#include "try.h"

#include "inside.h"
#include "model.h"
#include "tale.h"

#include "shade.h"
#include "tasks/prompt.h"
#include "trainer.h"
#include "typed.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 4000, LABEL = PROMPT_LEFT - 2, CELLS = 48, ROWS_OF_MAP = 40, ROWS_OF_LENS = 24 };

struct talk {
    struct model model;
    struct teller teller[KINDS];
    bool is_open[KINDS];
    enum kind kind; /* which tells */
    struct manner manner;
    struct random random;
    int without_layer, without_head; /* -1: all heads are there */
    int n, words[MOST_TOLD + 1];     /* the text: its typed beginning and the rest of the story */
};

/* --- The tellers ----------------------------------------------------------------------------- */

/* NULL if the memory does not suffice, which it has said. */
static struct teller *teller_of(struct talk *talk, enum kind kind) {
    struct teller *t = &talk->teller[kind];
    if (!talk->is_open[kind])
        talk->is_open[kind] = teller_open(t, &talk->model.file, kind);
    if (!talk->is_open[kind])
        return NULL;
    teller_without(t, talk->without_layer, talk->without_head);
    return t;
}

/* The teller in doubles, which shows what is inside. NULL if there is nothing to show, which it has
   said. */
static struct teller *looked_into(struct talk *talk) {
    if (talk->n > 1)
        return teller_of(talk, DOUBLES);
    puts("There is no text yet. Type the beginning of a story first.\n");
    return NULL;
}

/* --- Labels ---------------------------------------------------------------------------------- */

struct label {
    char text[4 * LABEL + 1];
    int letters;
};

/* The text of a token without its space. */
static struct label label_of(const struct talk *talk, int word) {
    struct label label;
    struct piece piece = spoken(&talk->model.words, BOS, word);
    if (word == BOS)
        piece = (struct piece){"BOS", 3};
    if (word == FIRST_BYTE + '\n')
        piece = (struct piece){"newline", 7};
    if (strspn(piece.text, " ") >= (size_t)piece.length)
        piece = (struct piece){"space", 5};
    label.letters = clean_text(piece.length < LABEL ? piece.length : LABEL, piece.text, label.text);
    return label;
}

/* printf counts bytes, and a letter may have several. */
static void print_label(const struct talk *talk, int word, int width) {
    const struct label label = label_of(talk, word);
    printf("%s%*s", label.text, label.letters < width ? width - label.letters : 0, "");
}

/* A long text is shown from here on. */
static int first_shown(const struct talk *talk, int most) {
    return talk->n > most ? talk->n - most : 0;
}

/* --- Looking inside -------------------------------------------------------------------------- */

/* The tokens downwards above their columns, one letter in a row. */
static void print_columns(const struct talk *talk, int first) {
    struct label labels[CELLS];
    const char *names[CELLS];
    for (int j = first; j < talk->n; j++) {
        struct label *label = &labels[j - first];
        *label = label_of(talk, talk->words[j]);
        for (char *c = label->text; *c; c++)
            *c = (unsigned char)*c < 128 ? *c : '?';
        names[j - first] = label->text;
    }
    prompt_upright(talk->n - first, 1, names);
}

static void print_map(const struct talk *talk, int n, const double map[n][n]) {
    const int first = first_shown(talk, CELLS);
    print_columns(talk, first);
    for (int i = first_shown(talk, ROWS_OF_MAP); i < n; i++) {
        const int best = largest(i + 1, map[i]);
        printf("  ");
        print_label(talk, talk->words[i], LABEL);
        shade_cells(n - first, 1, &map[i][first]);
        printf("  %s %.2f\n", label_of(talk, talk->words[best]).text, map[i][best]);
    }
    putchar('\n');
}

/* Reads "4.2". Says what is wrong if this is no head of the model. */
static bool read_head(const struct talk *talk, const char *text, int *layer, int *head) {
    const struct llama_sizes *s = &talk->model.file.model.sizes;
    int used = 0;
    if (sscanf(text, "%d.%d%n", layer, head, &used) == 2 && !text[used] && *layer >= 0 &&
        *layer < s->n_layers && *head >= 0 && *head < s->n_heads)
        return true;
    printf("The heads are called 0.0 to %d.%d: first the layer, then the head in it.\n\n",
           s->n_layers - 1, s->n_heads - 1);
    return false;
}

static void look(struct talk *talk, const char *what) {
    int layer, head;
    struct teller *t = read_head(talk, what, &layer, &head) ? looked_into(talk) : NULL;
    const int n = talk->n;
    if (!t)
        return;
    double(*map)[n] = zeroes((size_t)n * sizeof *map);
    map_head(t, n, talk->words, layer, head, map);
    printf("Layer %d, head %d: how much each token attends to those before it.\n", layer, head);
    print_map(talk, n, (const void *)map);
    free(map);
}

static double mean_of(int n, const double x[n]) {
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum / n;
}

static void surprise(struct talk *talk, const char *what) {
    static const char bar[] = "##################################################";
    const int longest = (int)sizeof bar - 1, first = first_shown(talk, ROWS_OF_MAP);
    double losses[MOST_TOLD];
    struct teller *t = looked_into(talk);
    (void)what;
    if (!t)
        return;
    read_losses(t, talk->n, talk->words, losses);
    for (int i = first > 0 ? first : 1; i < talk->n; i++) {
        printf("  ");
        print_label(talk, talk->words[i], LABEL);
        printf("%6.2f  %.*s\n", losses[i - 1], (int)fmin(longest, 4.0 * losses[i - 1]), bar);
    }
    printf("The mean surprise of a token is %.2f nats.\n\n", mean_of(talk->n - 1, losses));
}

/* What the model would say next if it ended before a layer. */
static void print_lens(const struct talk *talk, struct teller *t, int first) {
    for (int b = first; b <= t->sizes.n_layers; b++) {
        lens_logits(t, b, t->logits);
        putchar(' ');
        print_label(talk, largest(t->sizes.vocabulary, t->logits), LABEL);
    }
    putchar('\n');
}

/* The last layers, as many as fit. */
static void lens(struct talk *talk, const char *what) {
    enum { COLUMNS = 5 };
    struct teller *t = looked_into(talk);
    (void)what;
    if (!t)
        return;
    const int layers = t->sizes.n_layers, first = layers < COLUMNS ? 0 : layers - COLUMNS + 1;
    printf("The most likely next token, if the model ended before a layer:\n  %-*s", LABEL,
           "after");
    for (int b = first; b < layers; b++)
        printf(" layer %-*d", LABEL - 6, b);
    puts(" the end");
    teller_begin(t);
    for (int i = 0; i < talk->n; i++) {
        teller_read(t, talk->words[i]);
        if (i < first_shown(talk, ROWS_OF_LENS))
            continue;
        printf("  ");
        print_label(talk, talk->words[i], LABEL);
        print_lens(talk, t, first);
    }
    putchar('\n');
}

/* The tokens of one word, each with its number and its score. */
static void list_tokens(struct talk *talk, const char *what) {
    static int typed[LINE + 2];
    const struct vocabulary *v = &talk->model.words;
    const int n = tokens_of(v, strlen(what), what, typed);
    if (n == 1)
        puts("Which word? For example: tokens Lily");
    for (int i = 1; i < n; i++) {
        printf("  ");
        print_label(talk, typed[i], LABEL);
        printf(" token %5d, score %g\n", typed[i], (double)v->score[typed[i]]);
    }
    putchar('\n');
}

static double mean_surprise(struct talk *talk, int layer, int head) {
    double losses[MOST_TOLD];
    talk->without_layer = layer;
    talk->without_head = head;
    read_losses(teller_of(talk, DOUBLES), talk->n, talk->words, losses);
    return mean_of(talk->n - 1, losses);
}

/* "without 4.2", and "without" for all heads again. */
static void without(struct talk *talk, const char *what) {
    int layer = -1, head = 0;
    if (*what && !read_head(talk, what, &layer, &head))
        return;
    if (talk->n > 1 && teller_of(talk, DOUBLES)) {
        printf("The mean surprise of the text above is %.2f nats with all heads",
               mean_surprise(talk, -1, 0));
        if (layer >= 0)
            printf(", and %.2f without this one", mean_surprise(talk, layer, head));
        puts(".");
    }
    talk->without_layer = layer;
    talk->without_head = head;
    printf(layer < 0
               ? "All heads are there.\n\n"
               : "From now on head %d.%d adds nothing. Without a head, \"without\" undoes it.\n\n",
           layer, head);
}

/* --- Settings -------------------------------------------------------------------------------- */

static bool read_number(const char *text, double most, double *value) {
    char *end;
    const double wanted = strtod(text, &end);
    if (end != text && !*end && wanted >= 0.0 && wanted <= most) {
        *value = wanted;
        return true;
    }
    printf("This must be a number from 0 to %.15g.\n\n", most);
    return false;
}

static void tell_manner(const struct talk *talk) {
    const struct manner *m = &talk->manner;
    if (m->temperature == 0.0) {
        puts("It always takes the most likely token.\n");
        return;
    }
    printf("It draws tokens at temperature %g", m->temperature);
    if (m->top > 0)
        printf(", from the %d most likely", m->top);
    if (m->p < 1.0)
        printf(", from those that reach a probability of %g", m->p);
    puts(".\n");
}

static void set_temperature(struct talk *talk, const char *what) {
    if (read_number(what, 100.0, &talk->manner.temperature))
        tell_manner(talk);
}

static void set_top(struct talk *talk, const char *what) {
    double top;
    if (!read_number(what, talk->model.file.model.sizes.vocabulary, &top))
        return;
    talk->manner.top = (int)top;
    tell_manner(talk);
}

/* 0 switches it off, as 1 does. */
static void set_p(struct talk *talk, const char *what) {
    double p;
    if (!read_number(what, 1.0, &p))
        return;
    talk->manner.p = p > 0.0 ? p : 1.0;
    tell_manner(talk);
}

static void set_seed(struct talk *talk, const char *what) {
    double seed;
    if (!read_number(what, 1e15, &seed))
        return;
    talk->random = random_seed((uint64_t)seed);
    printf("The next stories are those of seed %.0f.\n\n", seed);
}

static void set_kind(struct talk *talk, const char *what) {
    for (enum kind kind = DOUBLES; kind < KINDS; kind++)
        if (strcmp(what, kind_names[kind]) == 0) {
            if (teller_of(talk, kind)) {
                talk->kind = kind;
                printf("It computes with %s.\n\n", kind_names[kind]);
            }
            return;
        }
    puts("It can compute with double, float or int8.\n");
}

static void help(struct talk *talk, const char *what) {
    (void)talk;
    (void)what;
    puts("The dragon        writes on from this. Every line begins a new story\n"
         "temperature 0.5   how tokens are drawn; 0 always takes the most likely one\n"
         "top 40            only from the 40 most likely ones; 0 switches it off\n"
         "p 0.9             only from those that reach this probability\n"
         "seed 7            the stories of this seed, again and again\n"
         "kind int8         computes with double, float or int8\n"
         "look 4.2          the attention weights of layer 4, head 2, in the text above\n"
         "lens              what the model would say if it ended before a layer\n"
         "surprise          how unlikely each token of the text above was\n"
         "tokens Lily       the tokens of a word, and their scores\n"
         "without 4.2       removes a head; without: all heads again\n");
}

/* --- The prompt ------------------------------------------------------------------------------ */

static void write_on(struct talk *talk, const char *line) {
    static int typed[LINE + 2];
    static struct tale tale;
    const int n = tokens_of(&talk->model.words, strlen(line), line, typed);
    const int longest = talk->model.file.model.sizes.longest;
    const int most = longest < MOST_TOLD ? longest : MOST_TOLD;
    struct teller *t = teller_of(talk, talk->kind);
    if (n >= most)
        printf("These are %d tokens, and a text has at most %d.\n\n", n, most);
    if (n >= most || !t)
        return;
    putchar('\n');
    tell_tale(t, &talk->model.words, &talk->manner, &talk->random, n, typed, STORY, &tale);
    talk->n = tale.end;
    memcpy(talk->words, tale.words, sizeof talk->words);
    printf("\n%s after %d tokens, %.0f a second.\n\n",
           tale.words[tale.end] == BOS ? "The end," : "The text is full", tale.end,
           1.0 / tale.token);
}

static const struct command {
    const char *name;
    void (*run)(struct talk *talk, const char *what);
} commands[] = {
    {"?", help},
    {"temperature", set_temperature},
    {"top", set_top},
    {"p", set_p},
    {"seed", set_seed},
    {"kind", set_kind},
    {"look", look},
    {"lens", lens},
    {"surprise", surprise},
    {"tokens", list_tokens},
    {"without", without},
};

/* A command is followed by one word at most. "look at the dog" begins a story. */
static bool obey(struct talk *talk, const char *line) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const size_t length = strlen(commands[i].name);
        const char *rest = line + length;
        if (strncmp(line, commands[i].name, length) != 0 || (*rest && *rest != ' '))
            continue;
        rest += strspn(rest, " ");
        if (strchr(rest, ' '))
            return false;
        commands[i].run(talk, rest);
        return true;
    }
    return false;
}

static void leave(int signal) {
    (void)signal;
    _exit(0);
}

int try_out(const char *folder) {
    static struct talk talk;
    static char line[LINE];
    (void)folder;
    talk = (struct talk){.kind = FLOATS,
                         .manner = {1.0, 0, 0.9},
                         .random = random_seed(seed_wanted()),
                         .without_layer = -1};
    model_open(&talk.model);
    signal(SIGINT, leave);
    puts("\nType the beginning of a story, such as   The dragon\n"
         "? lists the commands; an empty line ends\n");
    while (typed_line("> ", sizeof line, line) && line[0])
        if (!obey(&talk, line))
            write_on(&talk, line);
    return 0;
}
