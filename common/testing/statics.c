/* For dl_iterate_phdr(). */
#define _GNU_SOURCE

#include "statics.h"

#include "sanitizer.h"
#include "work.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__APPLE__)
#include <mach-o/getsect.h>
#include <mach-o/ldsyms.h>
#elif defined(__has_include)
#if __has_include(<link.h>)
#include <link.h>
#define HAVE_PROGRAM_HEADERS
#endif
#endif

/* Where the program keeps its variables, and what was there. */
static const volatile uint64_t *first;
static uint64_t *remembered;
static size_t count;

/* The name of the first variable that has changed, if it is known. */
static char changed[100];

#ifdef HAVE_PROGRAM_HEADERS
static int find(struct dl_phdr_info *program, size_t unused, void *nothing) {
    (void)unused, (void)nothing;
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
            continue;
        uintptr_t begin = ((uintptr_t)(program->dlpi_addr + part->p_vaddr) + 7) / 8 * 8;
        first = (const volatile uint64_t *)begin;
        count = (program->dlpi_addr + part->p_vaddr + part->p_memsz - begin) / 8;
    }
    return 1; /* the first is the program itself; the others are libraries */
}
#endif

static void find_variables(void) {
#if defined(__APPLE__)
    unsigned long bytes = 0;
    first = (void *)getsegmentdata(&_mh_execute_header, "__DATA", &bytes);
    count = first ? bytes / 8 : 0;
#elif defined(HAVE_PROGRAM_HEADERS)
    dl_iterate_phdr(find, NULL);
#endif
}

/* The sanitizers keep unreadable gaps between variables. */
#define UNCHECKED __attribute__((no_sanitize("address", "undefined")))

UNCHECKED static void copy_all(void) {
    for (size_t i = 0; i < count; i++)
        remembered[i] = first[i];
}

void statics_remember(void) {
    if (!remembered) { /* as many variables as there will ever be */
        find_variables();
        remembered = malloc(count * 8 + 8);
    }
    *changed = '\0';
    if (remembered)
        copy_all();
}

/* Part of a variable of the lesson, with its name if the sanitizer knows it. Variables of the
   system and the counter of basic blocks do not count. */
static bool is_variable(uintptr_t address, char *name, size_t length) {
    *name = '\0';
    if (address + 8 > (uintptr_t)&work_done && address < (uintptr_t)(&work_done + 1))
        return false;
#ifdef HAVE_SANITIZER
    bool global = false, known = false;
    /* It may name the next variable, up to 64 bytes behind. A lower address is farther from that.
     */
    for (uintptr_t lower = 0; lower < 64 && !known; lower += 16) {
        void *region = NULL;
        size_t bytes = 0;
        const char *kind =
            __asan_locate_address((void *)(address - lower), name, length, &region, &bytes);
        global = global || (lower == 0 && strcmp(kind, "global") == 0);
        known = !global || (address >= (uintptr_t)region && address < (uintptr_t)region + bytes);
    }
    if (!known)
        *name = '\0';
    return global;
#else
    return length > 0;
#endif
}

UNCHECKED bool statics_kept(void) {
    bool kept = true;
    for (size_t i = 0; kept && remembered && i < count; i++)
        kept = first[i] == remembered[i] ||
               !is_variable((uintptr_t)(first + i), changed, sizeof changed);
    return kept;
}

const char *statics_changed(void) {
    return *changed ? changed : "a static variable";
}
