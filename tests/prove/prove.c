/* prove COMMAND LESSON [LIST|SLIP] [OBJECT...]: is what the tutor finds in wrong code right? It is
   linked with the tutor's own parts, and tests/suites and make slips, mutants, costs and attempts
   run it. */
#include "prove.h"

#include <stdio.h>
#include <string.h>

static const struct command_line {
    const char *name;
    int (*run)(struct proof *p);
    bool takes_word;
} commands[] = {
    {"slips", prove_slips, false},      {"mutants", prove_mutants, false},
    {"costs", prove_costs, false},      {"faults", prove_faults, true},
    {"plant", prove_plant, true},       {"regressions", prove_regressions, true},
    {"attempts", prove_attempts, true},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int run(const struct command_line *c, char **words) {
    const struct settings settings = settings_from_environment();
    struct lesson lesson;
    struct proof p = {.task = {&lesson, &settings, words + (c->takes_word ? 2 : 1)}};
    sanitizers_begin(true);
    p.word = c->takes_word ? words[1] : NULL;
    if (!lesson_read(&lesson, words[0], settings.from, settings.out)) {
        fprintf(stderr, "There is no lesson %s.\n", words[0]);
        return 2;
    }
    int status = c->run(&p);
    return status;
}

int main(int argc, char **argv) {
    for (int i = 0; i < COMMANDS && argc > 1; i++)
        if (strcmp(argv[1], commands[i].name) == 0 && argc > 2 + commands[i].takes_word)
            return run(&commands[i], argv + 2);
    fputs("prove slips|mutants|costs LESSON OBJECT...\n"
          "prove faults|regressions|attempts LESSON LIST OBJECT...\n"
          "prove plant LESSON SLIP\n",
          stderr);
    return 2;
}
