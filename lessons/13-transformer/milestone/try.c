#include "try.h"

#include "shade.h"
#include "tasks/prompt.h"
#include "typed.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest input. */
enum { MOST_READ = 40, MOST_TYPED = 100, SCREEN = 80 };

/* The last output and its tokens. Rows begin with the first token that was not typed. */
struct view {
    struct machine *machine; /* NULL before the first output */
    struct example e;
    int first;
    const char *read[LONGEST], *inputs[MOST_WORDS], *targets[MOST_WORDS];
};

struct talk {
    struct machine *translator, *calendar, *writer;
    struct view view;
    int layer, head; /* from 1 on; 0 means the last layer, or the mean of the heads */
    struct manner manner;
    struct random random;
};

/* --- Attention weights ----------------------------------------------------------------------- */

/* An attention layer with HEADS heads. */
struct layer {
    const char *what;
    int rows, cols;
    const char *const *row, *const *col;
    const double *weights; /* [HEADS][rows][cols] */
};

static int layers_of(const struct transformer *w) {
    return w->n_encoders + w->n_decoders * (w->n_encoders > 0 ? 2 : 1);
}

/* Layers are counted from 1: first the encoder, then the decoder. */
static struct layer layer_of(const struct view *view, const struct transformer_values *v, int l) {
    const struct transformer *w = &view->machine->w;
    int n = view->e.n, m = view->e.m, kinds = w->n_encoders > 0 ? 2 : 1;
    if (l <= w->n_encoders)
        return (struct layer){"encoder self-attention",
                              m,
                              m,
                              view->read,
                              view->read,
                              v->encoder[l - 1].self.heads.weights};
    int b = (l - w->n_encoders - 1) / kinds;
    if ((l - w->n_encoders - 1) % kinds == 0)
        return (struct layer){"decoder self-attention",        n, n, view->targets, view->inputs,
                              v->decoder[b].self.heads.weights};
    return (struct layer){"cross-attention", n,          m,
                          view->targets,     view->read, v->decoder[b].cross.heads.weights};
}

/* The weights of one head, or the mean of all heads. */
static void weights_of(const struct layer *l, int head, int row, double weights[]) {
    for (int j = 0; j < l->cols; j++)
        weights[j] = 0.0;
    for (int h = 0; h < HEADS; h++)
        for (int j = 0; j < l->cols && (head == 0 || head == h + 1); j++)
            weights[j] += l->weights[(h * l->rows + row) * l->cols + j] / (head == 0 ? HEADS : 1);
}

static const char *spelled_out(const char *word) {
    return strcmp(word, " ") == 0 ? "' '" : word;
}

/* The width left for cells, since two blanks, a word and .00 come after them. */
static int room_for_cells(const struct layer *l) {
    int longest = 0;
    for (int j = 0; j < l->cols; j++) {
        int letters = (int)strlen(spelled_out(l->col[j]));
        longest = letters > longest ? letters : longest;
    }
    return SCREEN - PROMPT_LEFT - longest - 7;
}

/* A row for each token, with the token of its largest weight. If the row is too long, its beginning
   is cut off. */
static void show_layer(const struct layer *l, int number, int head, int first) {
    int room = room_for_cells(l), width = 2 * l->cols > room ? 1 : 2;
    int from = l->cols > room ? l->cols - room : 0;
    if (head == 0)
        printf("Layer %d, the mean of its heads: %s\n", number, l->what);
    else
        printf("Layer %d, head %d: %s\n", number, head, l->what);
    prompt_upright(l->cols - from, width, l->col + from);
    for (int i = first; i < l->rows; i++) {
        double weights[MOST_WORDS];
        int best = from;
        weights_of(l, head, i, weights);
        for (int j = from; j < l->cols; j++)
            best = weights[j] > weights[best] ? j : best;
        printf("  %-*s", PROMPT_LEFT - 2, spelled_out(l->row[i]));
        shade_cells(l->cols - from, width, weights + from);
        printf("  %s %.2f\n", spelled_out(l->col[best]), weights[best]);
    }
    putchar('\n');
}

static void show_head(const struct view *view, const struct transformer_values *v, int layer,
                      int head) {
    const struct layer shown = layer_of(view, v, layer);
    show_layer(&shown, layer, head, layer <= view->machine->w.n_encoders ? 0 : view->first);
}

/* Shows the layer and head chosen last, or the last layer if there are fewer. */
static void show_wanted(struct talk *talk) {
    struct transformer_values v;
    int layers = layers_of(&talk->view.machine->w);
    bool known = talk->layer > 0 && talk->layer <= layers;
    machine_think(talk->view.machine, 0, &talk->view.e, &v);
    show_head(&talk->view, &v, known ? talk->layer : layers, talk->head);
}

static void show_all(struct talk *talk) {
    struct transformer_values v;
    int layers = layers_of(&talk->view.machine->w);
    machine_think(talk->view.machine, 0, &talk->view.e, &v);
    for (int layer = 1; layer <= layers; layer++)
        for (int head = 1; head <= HEADS; head++)
            show_head(&talk->view, &v, layer, head);
}

/* "look all", "look 3 2", "look 3", "look". */
static void look(struct talk *talk, const char *what) {
    int layer = 0, head = 0;
    if (!talk->view.machine) {
        printf("There is no output yet.\n\n");
        return;
    }
    if (strcmp(what, "all") == 0) {
        show_all(talk);
        return;
    }
    int layers = layers_of(&talk->view.machine->w);
    if (*what && sscanf(what, "%d %d", &layer, &head) < 1)
        printf("look 3 2 shows head 2 of layer 3, look 3 the mean of its heads. See also look "
               "all.\n\n");
    else if (layer < 0 || layer > layers || head < 0 || head > HEADS)
        printf("This network has %d layers of %d heads.\n\n", layers, HEADS);
    else {
        talk->layer = layer;
        talk->head = head;
        show_wanted(talk);
    }
}

/* --- Translating ----------------------------------------------------------------------------- */

static void view_pair(struct view *view, struct machine *machine, const struct pair *p) {
    const struct task *task = machine->course->task;
    view->machine = machine;
    view->e = example_of_pair(machine->course, p);
    view->first = 0;
    for (int j = 0; j < p->n; j++)
        view->read[j] = task->source[p->source[j]];
    for (int i = 0; i < view->e.n; i++) {
        view->inputs[i] = task->target[view->e.inputs[i]];
        view->targets[i] = task->target[view->e.targets[i]];
    }
}

static void answer(struct talk *talk, struct machine *machine, struct pair *p) {
    const struct task *task = machine->course->task;
    int column = 0, limit = 2 * p->n + 10 < LONGEST ? 2 * p->n + 10 : LONGEST - 1;
    p->m = machine_translate(machine, 0, p, limit, p->target);
    view_pair(&talk->view, machine, p);
    show_wanted(talk);
    for (int i = 0; i < p->m; i++)
        prompt_listed(task->target[p->target[i]], task->spelled, &column);
    printf(p->m == limit ? "\n  ... (no end found)\n\n" : "\n\n");
}

static void answer_line(struct talk *talk, struct machine *machine, const char *line) {
    const struct task *task = machine->course->task;
    struct pair p = {0};
    char unknown[40];
    p.n = read_words(task, line, MOST_READ + 1, p.source, unknown);
    if (p.n < 0)
        printf("It does not know '%s'. %s\n\n", unknown,
               task->spelled ? "A date may contain letters, digits and  , . / -"
                             : "? lists all words and commands.");
    else if (p.n > MOST_READ)
        printf("That is more than %d %s, the most that is possible here.\n\n", MOST_READ,
               task->spelled ? "letters" : "words");
    else if (p.n > 0)
        answer(talk, machine, &p);
}

/* --- Writing --------------------------------------------------------------------------------- */

/* A character on the screen, where / is the end of a line. */
static const char *shown_letter(int letter) {
    static char text[LETTERS][2];
    text[letter][0] = alphabet[letter];
    if (letter == NEW_LINE)
        text[letter][0] = '/';
    return text[letter];
}

static void view_line(struct view *view, struct machine *writer, int typed, int n,
                      const int line[]) {
    view->machine = writer;
    view->e = example_of_line(n, line);
    view->first = typed;
    for (int i = 0; i < n; i++) {
        view->inputs[i] = shown_letter(view->e.inputs[i]);
        view->targets[i] = shown_letter(view->e.targets[i]);
    }
}

/* The numbers of the letters; -1, and it says why, if there is one that the writer has never seen.
 */
static int spell(const char *text, int line[LONGEST_LINE]) {
    int n = 0;
    for (; text[n]; n++) {
        if (n == MOST_TYPED) {
            printf("That is more than %d letters, and its lines are shorter.\n\n", n);
            return -1;
        }
        line[n] = letter_of((char)tolower((unsigned char)text[n]));
        if (line[n] < 0) {
            printf("The writer knows a to z, space and  , . ?  but not '%c'.\n\n", text[n]);
            return -1;
        }
    }
    return n;
}

static void go_on(struct talk *talk, const char *text) {
    int line[LONGEST_LINE], typed = spell(text, line);
    if (typed < 0)
        return;
    int n = machine_write(talk->writer, 0, talk->manner, &talk->random, typed, LONGEST_LINE, line);
    view_line(&talk->view, talk->writer, typed, n, line);
    show_wanted(talk);
    int column = 0;
    for (int i = 0; i < n && line[i] != NEW_LINE; i++)
        prompt_listed(shown_letter(line[i]), true, &column);
    printf(line[n - 1] == NEW_LINE ? "\n\n" : "\n  ... (no end found)\n\n");
}

static bool set(const char *number, double most, double *value) {
    char *end;
    double wanted = strtod(number, &end);
    if (end == number || *end || !(wanted >= 0.0 && wanted <= most)) {
        printf("This must be a number from 0 to %g.\n\n", most);
        return false;
    }
    *value = wanted;
    return true;
}

static void tell_manner(const struct manner *manner) {
    if (manner->temperature == 0.0) {
        printf("The writer always takes the most likely letter.\n\n");
        return;
    }
    printf("The writer draws letters at temperature %g", manner->temperature);
    if (manner->top_k > 0)
        printf(", from the %d most likely", manner->top_k);
    if (manner->top_p > 0.0)
        printf(", from those that reach %g", manner->top_p);
    printf(".\n\n");
}

/* --- The prompt ------------------------------------------------------------------------------ */

/* The text after a command, or NULL if the line begins with another word. */
static const char *after(const char *line, const char *command) {
    size_t length = strlen(command);
    if (strncmp(line, command, length) != 0 || (line[length] && line[length] != ' '))
        return NULL;
    return line + length + strspn(line + length, " ");
}

static void help(const struct task *task) {
    int column = 0;
    for (int w = 0; w < task->sources; w++)
        prompt_listed(task->source[w], task->spelled, &column);
    printf("\n\nlook 3 2        show layer 3, head 2, now and from then on\n"
           "look 3          the mean of the heads of layer 3; look: of the last layer\n"
           "look all        every head of every layer, once\n"
           "write the old   the writer continues this line\n"
           "temperature 1, top-k 0, top-p 0.95      how letters are chosen; 0 switches it off\n"
           "' ' stands for a space, / for the end of a line\n\n");
}

/* Is the line a setting of the writer? */
static bool change(struct manner *manner, const char *line) {
    double top_k;
    const char *number;
    if ((number = after(line, "temperature")))
        set(number, 100.0, &manner->temperature);
    else if ((number = after(line, "top-p")))
        set(number, 1.0, &manner->top_p);
    else if ((number = after(line, "top-k")) && set(number, LETTERS, &top_k))
        manner->top_k = (int)top_k;
    if (number)
        tell_manner(manner);
    return number != NULL;
}

static void obey(struct talk *talk, const char *line) {
    const char *rest;
    if (strcmp(line, "?") == 0)
        help(talk->translator->course->task);
    else if ((rest = after(line, "write")))
        go_on(talk, rest);
    else if ((rest = after(line, "look")))
        look(talk, rest);
    else if (!change(&talk->manner, line))
        answer_line(talk, strpbrk(line, "0123456789") ? talk->calendar : talk->translator, line);
}

void converse(struct machine *translator, struct machine *calendar, struct machine *writer) {
    static struct talk talk;
    char line[1000];
    talk = (struct talk){.translator = translator,
                         .calendar = calendar,
                         .writer = writer,
                         .manner = {1.0, 0, 0.95},
                         .random = random_seed(seed_wanted())};
    printf("Type a sentence, such as   the young cat saw a red house and Olga takes the book\n"
           "a date, such as            wednesday, 18 november 2026\n"
           "or the beginning of a line: write the old\n"
           "look 3 2 shows head 2 of layer 3; ? lists words and commands; an empty line ends\n\n");
    while (typed_line("> ", sizeof line, line) && line[0])
        obey(&talk, line);
}
