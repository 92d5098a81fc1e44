/* Makes up sentences with their translations, and dates in two forms. Both are rows of numbers of
   words. */
#include "tasks/language.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* --- Translation ----------------------------------------------------------------------------- */

enum { NOUNS = 16, ADJECTIVES = 8, VERBS = 8, NAMES = 64 };

/* A meaning with a word in both languages has the same number in both, except for the two signs. */
enum {
    NOUN,
    ADJECTIVE = NOUN + NOUNS,
    VERB = ADJECTIVE + ADJECTIVES,
    PAST = VERB + VERBS,
    NAME = PAST + VERBS,
    SHARED = NAME + NAMES,
    SIGNS = 2,
};
enum { THE = SHARED, A, AND };
enum { LE = SIGNS + SHARED, LA, UN, UNE, ET, HAS };

/* The first is the most frequent name, and the last is one name in three hundred. */
#define SAME_IN_BOTH                                                                               \
    "Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hugo", "Ida", "Jonas", "Karla",    \
        "Leo", "Marta", "Noah", "Olga", "Paul", "Quinn", "Rosa", "Simon", "Tilda", "Ursula",       \
        "Victor", "Wanda", "Xaver", "Yara", "Zeno", "Agnes", "Boris", "Cora", "Dario", "Edith",    \
        "Frida", "Gustav", "Hilda", "Igor", "Judith", "Kasimir", "Lydia", "Magnus", "Nadia",       \
        "Oskar", "Petra", "Ralf", "Selma", "Tobias", "Ulrika", "Vera", "Walter", "Xenia",          \
        "Yorick", "Zelda", "Adela", "Bruno", "Cyril", "Dora", "Erwin", "Flora", "Gregor", "Helga", \
        "Ivan", "Jasper", "Kerstin", "Ludwig", "Mirjam"

static const char *const english[] = {
    "cat",      "dog",     "bird",  "horse",    "garden",     "book", "loaf",  "tree",   "house",
    "table",    "flower",  "apple", "door",     "street",     "star", "mouse", "red",    "young",
    "sad",      "calm",    "wise",  "rich",     "poor",       "rare", "sees",  "takes",  "wants",
    "hears",    "follows", "knows", "holds",    "receives",   "saw",  "took",  "wanted", "heard",
    "followed", "knew",    "held",  "received", SAME_IN_BOTH, "the",  "a",     "and",
};
/* The second half of the nouns is feminine. */
static const char *const verb_last[] = {
    "(begin)", "(end)",   "chat",   "chien", "oiseau", "cheval", "jardin",     "livre",  "pain",
    "arbre",   "maison",  "table",  "fleur", "pomme",  "porte",  "rue",        "etoile", "souris",
    "rouge",   "jeune",   "triste", "calme", "sage",   "riche",  "pauvre",     "rare",   "voit",
    "prend",   "veut",    "entend", "suit",  "sait",   "tient",  "recoit",     "vu",     "pris",
    "voulu",   "entendu", "suivi",  "su",    "tenu",   "recu",   SAME_IN_BOTH, "le",     "la",
    "un",      "une",     "et",     "a",
};

static void say(struct pair *p, int word) {
    p->source[p->n++] = word;
}

static void write_word(struct pair *p, int word, int aligned) {
    p->target[p->m] = word;
    p->aligned[p->m++] = aligned;
}

/* "Anna", "the cat", "the red cat": a phrase of one word, two or three. */
struct phrase {
    int words, at, noun, adjective;
    bool definite;
};

/* A name is as rare as its place in the list: twice as far down, half as often. */
static int any_name(struct random *r) {
    double all = 0.0;
    for (int k = 1; k <= NAMES; k++)
        all += 1.0 / k;
    double left = random_uniform(r) * all;
    int k = 1;
    while (k < NAMES && (left -= 1.0 / k) > 0.0)
        k++;
    return NAME + k - 1;
}

static struct phrase say_phrase(struct pair *p, struct random *r, int words) {
    struct phrase f = {words, p->n, NOUN + random_below(r, NOUNS),
                       ADJECTIVE + random_below(r, ADJECTIVES), random_below(r, 2) == 0};
    if (words == 1) {
        f.noun = any_name(r);
    } else {
        say(p, f.definite ? THE : A);
        if (words == 3)
            say(p, f.adjective);
    }
    say(p, f.noun);
    return f;
}

/* The article goes by the noun's gender, and the adjective comes after the noun. */
static void write_phrase(struct pair *p, const struct phrase *f) {
    bool feminine = f->noun >= NOUN + NOUNS / 2;
    if (f->words > 1)
        write_word(p, f->definite ? (feminine ? LA : LE) : (feminine ? UNE : UN), -1);
    write_word(p, SIGNS + f->noun, f->at + f->words - 1);
    if (f->words == 3)
        write_word(p, SIGNS + f->adjective, f->at + 1);
}

/* Subject, verb, object; the verb comes last, and in the past two words say it. */
static void add_clause(struct pair *p, struct random *r, int words) {
    int least = words - 4 > 1 ? words - 4 : 1, most = words - 2 < 3 ? words - 2 : 3;
    int of_subject = least + random_below(r, most - least + 1);
    struct phrase subject = say_phrase(p, r, of_subject);
    bool past = random_below(r, 4) == 0;
    int verb = (past ? PAST : VERB) + random_below(r, VERBS), at = p->n;
    say(p, verb);
    struct phrase object = say_phrase(p, r, words - 1 - of_subject);
    write_phrase(p, &subject);
    write_phrase(p, &object);
    write_word(p, SIGNS + verb, at);
    if (past)
        write_word(p, HAS, -1);
}

/* Clauses of 3 to 7 words, joined by "and": what is left must be enough for another. */
static void draw_sentence(struct random *r, int n, struct pair *p) {
    *p = (struct pair){0};
    for (int left = n; left > 0;) {
        int words;
        do
            words = 3 + random_below(r, 5);
        while (words != left && words + 4 > left);
        add_clause(p, r, words);
        left -= words;
        if (left > 0) {
            say(p, AND);
            write_word(p, ET, -1);
            left--;
        }
    }
}

bool is_rare_name(int target_word) {
    return target_word >= SIGNS + NAME + NAMES / 2 && target_word < SIGNS + SHARED;
}

const struct task translation = {
    .name = "translation",
    .sources = COUNT(english),
    .targets = COUNT(verb_last),
    .source = english,
    .target = verb_last,
    .draw = draw_sentence,
};

/* --- Dates ----------------------------------------------------------------------------------- */

static const char *const letters[] = {
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d",
    "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r",
    "s", "t", "u", "v", "w", "x", "y", "z", " ", ",", ".", "/", "-",
};
static const char *const digits[] = {
    "(begin)", "(end)", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "-",
};
static const char *const months[] = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december",
};
static const char *const weekdays[] = {
    "saturday", "sunday", "monday", "tuesday", "wednesday", "thursday", "friday",
};

/* Which word is spelled like the `length` letters at text? In any case; -1 if none is. */
static int find(int count, const char *const words[], const char *text, int length) {
    for (int w = 0; w < count; w++)
        if ((int)strlen(words[w]) == length && strncasecmp(words[w], text, (size_t)length) == 0)
            return w;
    return -1;
}

struct date {
    int day, month, year;
};

static bool is_leap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static struct date any_date(struct random *r) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    struct date d = {.month = 1 + random_below(r, 12), .year = 1900 + random_below(r, 200)};
    d.day = 1 + random_below(r, days[d.month - 1] + (d.month == 2 && is_leap(d.year)));
    return d;
}

/* Zeller's congruence: the year begins in March. */
static const char *weekday(struct date d) {
    int month = d.month < 3 ? d.month + 12 : d.month, year = d.month < 3 ? d.year - 1 : d.year;
    return weekdays[(d.day + 13 * (month + 1) / 5 + year + year / 4 - year / 100 + year / 400) % 7];
}

static const char *ordinal(int day) {
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    return day / 10 == 1 || day % 10 > 3 ? endings[0] : endings[day % 10];
}

enum { DATE_FORMATS = 10, DATE_LENGTH = 60 };

static void print_date(int format, struct date d, char text[DATE_LENGTH]) {
    const char *month = months[d.month - 1], *th = ordinal(d.day);
    int day = d.day, year = d.year;
    switch (format) {
#define PRINT(...)                                                                                 \
    snprintf(text, DATE_LENGTH, __VA_ARGS__);                                                      \
    break
    case 0:
        PRINT("%d %s %d", day, month, year);
    case 1:
        PRINT("%s %d, %d", month, day, year);
    case 2:
        PRINT("%d%s of %s %d", day, th, month, year);
    case 3:
        PRINT("the %d%s of %s, %d", day, th, month, year);
    case 4:
        PRINT("%02d/%02d/%d", day, d.month, year);
    case 5:
        PRINT("%d.%d.%d", day, d.month, year);
    case 6:
        PRINT("%d/%02d/%02d", year, d.month, day);
    case 7:
        PRINT("%d-%.3s-%d", day, month, year);
    case 8:
        PRINT("%s, %d %s %d", weekday(d), day, month, year);
    default:
        PRINT("%s %d%s %d", month, day, th, year);
#undef PRINT
    }
}

static int number_letters(int count, const char *const words[], const char *text, int into[]) {
    int n = 0;
    for (; text[n]; n++)
        into[n] = find(count, words, text + n, 1);
    return n;
}

static void draw_date(struct random *r, int n, struct pair *p) {
    struct date d = any_date(r);
    char text[DATE_LENGTH], iso[DATE_LENGTH];
    (void)n;
    print_date(random_below(r, DATE_FORMATS), d, text);
    snprintf(iso, sizeof iso, "%04d-%02d-%02d", d.year, d.month, d.day);
    p->n = number_letters(COUNT(letters), letters, text, p->source);
    p->m = number_letters(COUNT(digits), digits, iso, p->target);
    for (int t = 0; t < p->m; t++)
        p->aligned[t] = -1;
}

const struct task dates = {
    .name = "dates",
    .sources = COUNT(letters),
    .targets = COUNT(digits),
    .source = letters,
    .target = digits,
    .spelled = true,
    .draw = draw_date,
};

/* --- A typed line ---------------------------------------------------------------------------- */

static int read_line(bool spelled, int count, const char *const known[], const char *line, int most,
                     int words[], char unknown[40]) {
    const char *between = spelled ? "\n" : " \t\r\n.,;:!?";
    int n = 0;
    for (line += strspn(line, between); *line && n < most; line += strspn(line, between)) {
        int length = spelled ? 1 : (int)strcspn(line, between);
        int word = find(count, known, line, length);
        if (word < 0) {
            while ((line[length] & 0xc0) == 0x80) /* the rest of a letter in UTF-8 */
                length++;
            snprintf(unknown, 40, "%.*s", length, line);
            return -1;
        }
        words[n++] = word;
        line += length;
    }
    return n;
}

int read_words(const struct task *task, const char *line, int most, int words[], char unknown[40]) {
    return read_line(task->spelled, task->sources, task->source, line, most, words, unknown);
}

struct pair pair_of(const struct task *task, const char *source, const char *target) {
    struct pair p = {0};
    char unknown[40];
    p.n = read_words(task, source, LONGEST, p.source, unknown);
    p.m = read_line(task->spelled, task->targets, task->target, target, LONGEST, p.target, unknown);
    if (p.n < 0 || p.m < 0)
        abort(); /* a slip of ours */
    return p;
}
