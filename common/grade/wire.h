/* The format of a call: what goes over the pipes between a test program and the host of a student's
   functions.

   A request is a struct request, followed by its numbers of 8 bytes each, its blocks, and the bytes
   of the blocks. An array is two numbers: its block, counted from 1, or 0 for NULL, and where it
   begins in the block. The host sends one struct reply after another, each followed by its numbers
   and by `length` bytes of text. The last reply is DONE or TODO_HERE. After DONE comes a
   byte for each block, which says whether the block has changed, and then the bytes of the changed
   blocks.

   While a call runs, the host may call back, by CALL_BACK: a function in a struct, or the function
   that the call was given. Its numbers are the number of that function, how many blocks of the
   host's own memory are lent, and the arguments; an array is a block and an offset. The sizes of
   the lent blocks follow, and then the same as after DONE. The answer is a request whose function
   is ANSWER and the bytes of all blocks. If no array was an argument of a function in a struct, or
   the function was given, the lent blocks end there. Another call may come before ANSWER, and may
   end or call back. */
#pragma once

#include <stdint.h>

enum { WIRE_MAGIC = 0x4c424b32 };
enum { MOST_NUMBERS = 5000, MOST_BLOCKS_SENT = 1000, MOST_TEXT = 1000 };
enum { MOST_BYTES = 1 << 28 }; /* in the blocks of a request, together */
enum { MOST_CALLERS = 20 };
enum { WIDEST_NUMBER = 64 }; /* in bytes: a vector of AVX-512 */
enum reply_type { DONE = 1, TODO_HERE, SAY, CALL_BACK };
enum { GIVEN_FUNCTION = -1 }; /* as the number of a function that is called back */

/* Numbers of functions that every host has. */
enum { REMEMBER_STATICS = -1, LOOK = -2, ANSWER = -3 };

struct request {
    uint32_t magic, sequence;
    int32_t caller; /* the thread that calls: a number below MOST_CALLERS */
    int32_t function, numbers, blocks, threads;
    int32_t watched, watched_block; /* work_watch() looks at so many numbers in that block, */
    uint64_t watched_from;          /* from this byte on */
    double seconds;                 /* of CPU that the call may take */
};

/* A piece of memory: an array of matrix.h, or some bytes (its name is empty). */
struct wire_block {
    uint64_t size;
    int32_t element, rank, dims[4];
    char name[72];
};

struct reply {
    uint32_t magic, sequence, type, length;
    int32_t numbers, unused;
    uint64_t work; /* basic blocks that have run since the last one */
    unsigned char result[WIDEST_NUMBER];
};
