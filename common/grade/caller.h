/* The caller's side of a call, for generated code: packs it, sends it, and unpacks what comes
   back. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

void call_begin(int function);
void call_number(const void *number, size_t size);

/* So many structs follow, from 0 to `most`. */
int call_count(int count, int most);

/* An array of the header, in so many bytes; of elements of that size. */
void call_array(const void *first, size_t bytes, size_t element);

/* An array of doubles in a struct, with the sizes of its shape. If one of them is UNKNOWN_SIZE,
   the array is as long as the memory there. */
enum { UNKNOWN_SIZE = -(1 << 20) };
void call_piece(const void *first, int rank, const long sizes[]);
#define CALL_SIZES(...)                                                                            \
    (int)(sizeof(const long[]){__VA_ARGS__} / sizeof(long)), (const long[]) {                      \
        __VA_ARGS__                                                                                \
    }

/* A function that may be called back, with what it knows and an array to fill. */
typedef void call_back(void *known, int word, double array[]);
void call_function(call_back *function, size_t bytes);
void call_known(void *known);

/* A struct whose members are functions; these are called with the struct. call_array_back() reads
   an argument of such a function, an array of so many elements. */
void call_engine(void *known);
void *call_array_back(size_t element, int count);
typedef void call_member(void *known);
extern call_member *const call_members[];
extern const int call_member_count;

void call_go(void);

/* What came back; call_int_back() is for a member of a struct. */
void call_result(void *to, size_t size);
int call_int_back(void);
