#include "writer.h"

#include <math.h>
#include <string.h>

enum { NAMES = 4, NOUNS = 8, ADJECTIVES = 8, VERBS = 8 };

const char alphabet[LETTERS + 1] = "abcdefghijklmnopqrstuvwxyz ,.?\n";

static const char *const names[NAMES] = {"anna", "mira", "paul", "sam"};
static const char *const nouns[NOUNS] = {"cat",   "dog",  "horse", "mouse",
                                         "child", "king", "baker", "crow"};
static const char *const adjectives[ADJECTIVES] = {"old", "young", "small", "brown",
                                                   "sad", "quick", "lazy",  "hungry"};
static const char *const verbs[VERBS] = {"sees",  "hears", "follows", "feeds",
                                         "likes", "fears", "paints",  "wakes"};

int letter_of(char c) {
    const char *at = c ? strchr(alphabet, c) : NULL;
    return at ? (int)(at - alphabet) : -1;
}

/* --- Making lines ---------------------------------------------------------------------------- */

struct line {
    int n, *letters;
    double price;
};

static void say(struct line *line, const char *text) {
    for (; *text; text++)
        line->letters[line->n++] = letter_of(*text);
}

static int choose(struct line *line, struct random *r, int n) {
    line->price += log(n);
    return random_below(r, n);
}

static void say_person(struct line *line, struct random *r) {
    if (choose(line, r, 2) == 0) {
        say(line, names[choose(line, r, NAMES)]);
        return;
    }
    say(line, "the ");
    if (choose(line, r, 2) == 0) {
        say(line, adjectives[choose(line, r, ADJECTIVES)]);
        say(line, " ");
    }
    say(line, nouns[choose(line, r, NOUNS)]);
}

static void say_clause(struct line *line, struct random *r) {
    say_person(line, r);
    say(line, " ");
    say(line, verbs[choose(line, r, VERBS)]);
    say(line, " ");
    say_person(line, r);
}

int draw_line(struct random *r, int letters[LONGEST_LINE], double *price) {
    struct line line = {0, letters, 0.0};
    say_clause(&line, r);
    if (choose(&line, r, 2) == 0) {
        say(&line, ", and ");
        say_clause(&line, r);
    }
    say(&line, ".\n");
    *price = line.price;
    return line.n;
}

/* --- Checking lines -------------------------------------------------------------------------- */

/* If `text` comes next, moves *at after it. */
static bool meets(const char **at, const char *text) {
    size_t length = strlen(text);
    bool met = strncmp(*at, text, length) == 0;
    *at += met ? length : 0;
    return met;
}

static bool meets_any(const char **at, int count, const char *const texts[]) {
    for (int i = 0; i < count; i++)
        if (meets(at, texts[i]))
            return true;
    return false;
}

static bool meets_person(const char **at) {
    if (meets_any(at, NAMES, names))
        return true;
    if (!meets(at, "the "))
        return false;
    if (meets_any(at, ADJECTIVES, adjectives) && !meets(at, " "))
        return false;
    return meets_any(at, NOUNS, nouns);
}

static bool meets_clause(const char **at) {
    return meets_person(at) && meets(at, " ") && meets_any(at, VERBS, verbs) && meets(at, " ") &&
           meets_person(at);
}

static void spell(int n, const int letters[n], char text[LONGEST_LINE + 1]) {
    int count = n < LONGEST_LINE ? n : LONGEST_LINE;
    for (int i = 0; i < count; i++)
        text[i] = alphabet[letters[i]];
    text[count] = '\0';
}

bool is_grammatical(int n, const int letters[n]) {
    char text[LONGEST_LINE + 1];
    const char *at = text;
    spell(n, letters, text);
    if (!meets_clause(&at) || (meets(&at, ", and ") && !meets_clause(&at)))
        return false;
    return meets(&at, ".\n") && !*at;
}

bool begins_with_name(int n, const int letters[n]) {
    char text[LONGEST_LINE + 1];
    const char *at = text;
    spell(n, letters, text);
    return meets_any(&at, NAMES, names);
}
