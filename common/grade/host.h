/* The host's side of a call, for generated code: takes the arguments from the pipe in the order in
   which they were sent, and gives back the results. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct host_function {
    const char *name;
    void (*run)(void);
};
extern const struct host_function host_functions[];
extern const int host_function_count;

void host_number(void *to, size_t size);
void *host_array(void);

/* Room for so many structs; NULL for none. Gone after the call. */
void *host_structs(int count, size_t size);

/* A function that calls the caller's function there. */
typedef void call_back(void *known, int word, double array[]);
call_back *host_function(void);
void *host_known(void);

/* Calls a function that is a member of a struct: its number, its arguments, and the call. */
void host_member(int member);
void host_member_int(int x);
void host_member_array(const void *first, int count, size_t element, bool is_filled);
void host_member_call(void);

void host_result(const void *result, size_t size);
void host_int_back(int x); /* a member of a struct */

/* Says that a function is not in the file. */
_Noreturn void host_missing(const char *name);
