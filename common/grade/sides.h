/* What the calls that generate.c writes mean on each of the two sides. The caller packs a call
   (caller.h); with -DHOST_SIDE the host takes it out in the same order, calls the function, and
   gives back what has changed (host.h). Below, the macros of both sides have the same order.

   A struct is passed by a function of its own, first to the host and then, if it is not const, back
   again (`back`). */
#ifndef SIDES_H
#define SIDES_H

#include <stdbool.h>
#include <stddef.h>

#define LENGTH_OF(array) (int)(sizeof(array) / sizeof *(array))
#define END              }

#ifdef SHAPES
#include "grade/shapes.h"
#endif

#ifndef HOST_SIDE
#include "grade/caller.h"

/* A struct `s`, and its members; the last arguments are those for the function of a struct. */
#define STRUCT(type, ...) static void pass_##type(__VA_ARGS__) {
#define NUMBER_IN(type, name, returns)                                                             \
    if (!back)                                                                                     \
        call_number(&s->name, sizeof s->name);                                                     \
    else if (returns)                                                                              \
        s->name = call_int_back();
#define ARRAY_IN(name, ...)                                                                        \
    if (!back)                                                                                     \
        call_piece(s->name, CALL_SIZES(__VA_ARGS__));
#define FUNCTION_IN(type, name)
#define STRUCT_IN(type, name, ...) pass_##type(__VA_ARGS__);
#define STRUCTS_IN(type, name, used, ...)                                                          \
    for (int b = 0, most = LENGTH_OF(s->name), n_##name = back ? most : call_count(used, most);    \
         b < n_##name; b++)                                                                        \
        pass_##type(__VA_ARGS__);
#define END_ENGINE                                                                                 \
    if (!back)                                                                                     \
        call_engine(s);                                                                            \
    }

/* A function in a struct, which the host calls. */
#define MEMBER_FUNCTION(number, type, name, ...)                                                   \
    static void call_##type##_##name(void *known) {                                                \
        struct type *s = known;
#define NUMBER_OUT(type, name)                  type name = call_##type##_back();
#define ARRAY_OUT(type, name, count, is_filled) type *name = call_array_back(sizeof(type), count);
#define CALL_MEMBER(name, ...)                                                                     \
    s->name(__VA_ARGS__);                                                                          \
    }

/* A function of the lesson, and its parameters. */
#define FUNCTION(number, result, name, ...)                                                        \
    result name(__VA_ARGS__) {                                                                     \
        call_begin(number);
#define NUMBER(type, name)       call_number(&name, sizeof name);
#define KNOWN(name)              call_known(name);
#define ARRAY(type, name, sizes) call_array(name, sizeof(type sizes), sizeof(type));
#define ROWS(name, sizes, count)                                                                   \
    for (int i = 0; i < count; i++)                                                                \
        call_piece(name[i], CALL_SIZES(UNKNOWN_SIZE));
#define WHOLE(name)                       call_array(name, sizeof *name, sizeof(float));
#define VALUE(type, name)                 call_array(&name, sizeof name, sizeof(float));
#define FUNCTION_GIVEN(type, name, sizes) call_function(name, sizeof(double sizes));
#define STRUCTS(type, name, count, ...)                                                            \
    for (int i = 0, n_##name = call_count(name ? count : 0, 100000); i < n_##name; i++)            \
        pass_##type(__VA_ARGS__);
#define CALL(name, ...) call_go();
#define CALL_FOR(type, name, ...)                                                                  \
    type result;                                                                                   \
    call_go();                                                                                     \
    call_result(&result, sizeof result);
#define STRUCT_BACK(type, name, returns, ...)                                                      \
    if (returns && name)                                                                           \
        pass_##type(__VA_ARGS__);
#define RETURN                                                                                     \
    return result;                                                                                 \
    }

#define MEMBER(type, name) call_##type##_##name,
#define MEMBERS(list)                                                                              \
    call_member *const call_members[] = {list NULL};                                               \
    const int call_member_count = LENGTH_OF(call_members) - 1;
#define FUNCTIONS(list)

#else
#include "grade/host.h"

#define STRUCT(type, ...) static void pass_##type(struct type *s, bool back) {
#define NUMBER_IN(type, name, returns)                                                             \
    if (!back)                                                                                     \
        host_number(&s->name, sizeof s->name);                                                     \
    else if (returns)                                                                              \
        host_int_back((int)s->name);
#define ARRAY_IN(name, ...)                                                                        \
    if (!back)                                                                                     \
        s->name = host_array();
#define FUNCTION_IN(type, name)    s->name = type##_##name;
#define STRUCT_IN(type, name, ...) pass_##type(&s->name, back);
#define STRUCTS_IN(type, name, used, ...)                                                          \
    int n_##name = LENGTH_OF(s->name);                                                             \
    if (!back)                                                                                     \
        host_number(&n_##name, sizeof n_##name);                                                   \
    for (int b = 0; b < n_##name; b++)                                                             \
        pass_##type(&s->name[b], back);
#define END_ENGINE END

#define MEMBER_FUNCTION(number, type, name, ...)                                                   \
    static void type##_##name(__VA_ARGS__) {                                                       \
        host_member(number);
#define NUMBER_OUT(type, name) host_member_##type(name);
#define ARRAY_OUT(type, name, count, is_filled)                                                    \
    host_member_array(name, count, sizeof(type), is_filled);
#define CALL_MEMBER(name, ...)                                                                     \
    host_member_call();                                                                            \
    }

#define FUNCTION(number, result, name, ...) static void run_##name(void) {
#define NUMBER(type, name)                                                                         \
    type name;                                                                                     \
    host_number(&name, sizeof name);
#define KNOWN(name)              void *name = host_known();
#define ARRAY(type, name, sizes) void *name = host_array();
#define ROWS(name, sizes, count)                                                                   \
    const float *name sizes;                                                                       \
    for (int i = 0; i < count; i++)                                                                \
        name[i] = host_array();
#define WHOLE(name)                       void *name = host_array();
#define VALUE(type, name)                 const type *name = host_array();
#define FUNCTION_GIVEN(type, name, sizes) type *name = host_function();
#define STRUCTS(type, name, count, ...)                                                            \
    NUMBER(int, n_##name)                                                                          \
    struct type *name = host_structs(n_##name, sizeof(struct type));                               \
    for (int i = 0; i < n_##name; i++)                                                             \
        pass_##type(name + i, false);
#define CALL(name, ...) name(__VA_ARGS__);
#define CALL_FOR(type, name, ...)                                                                  \
    type result = name(__VA_ARGS__);                                                               \
    host_result(&result, sizeof result);
#define STRUCT_BACK(type, name, returns, ...)                                                      \
    if (returns && name)                                                                           \
        pass_##type(name, true);
#define RETURN END

#define MEMBERS(list)
#define ENTRY(name) {#name, run_##name},
#define FUNCTIONS(list)                                                                            \
    const struct host_function host_functions[] = {list};                                          \
    const int host_function_count = LENGTH_OF(host_functions);
#endif
#endif
