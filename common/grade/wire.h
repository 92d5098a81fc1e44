/* What goes over the pipes between a caller and the host of somebody's functions.

   A request: struct request, then `numbers` of 8 bytes each, `places`, `blocks`, and the bytes of
   the blocks. What comes back is one struct reply after another, each with its numbers and with
   `length` bytes of text; the last is DONE, MISSING or TODO_HERE. Behind DONE stands for each block
   a byte, whether it has changed, and then the bytes of those that have.

   While a call runs, the host may call back what it was given. CALL_BACK has numbers, and gets a
   request whose function is ANSWER, and the bytes of an array. CALL_MEMBER is for a function in a
   struct: its numbers are which, how many blocks of the host's own memory are lent, and what it is
   given, for an array its block and the offset; then the sizes of those blocks, and of all blocks
   what stands behind DONE. It gets ANSWER, and the bytes of all blocks; where it was given no array
   nothing is lent any more. Before ANSWER another call may come, and end or call back. */
#ifndef WIRE_H
#define WIRE_H

#include <stdint.h>

enum { WIRE_MAGIC = 0x4c424b32 };
enum { MOST_NUMBERS = 1000, MOST_PLACES = 2000, MOST_BLOCKS_SENT = 1000, MOST_TEXT = 1000 };
enum { MOST_BYTES = 1 << 28 }; /* of all blocks of a request */
enum reply_type { DONE = 1, TODO_HERE, MISSING, SAY, CALL_BACK, CALL_MEMBER };

/* Numbers of functions that every host has. */
enum { REMEMBER_STATICS = -1, COMPARE_STATICS = -2, MEMORY_MOST = -3, ANSWER = -4, OBSERVED = -5 };

/* Where a pointer points to: into a block, or nowhere (-1). */
struct place {
    int32_t block, unused;
    uint64_t offset;
};

struct request {
    uint32_t magic, sequence;
    int32_t function, numbers, places, blocks, threads;
    int32_t watched; /* numbers of the array that work_watch() is to look at */
    struct place watch;
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
    uint64_t result;
};

#endif
