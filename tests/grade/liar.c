/* A host without functions, for tests/suites/grade_calls.sh: it answers calls of the functions of a
   ring with the lie that its argument names. The test program has to survive all of them. */
#include "grade/wire.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { IN = 3, OUT = 4, START = 0, WAIT = 1 };

static struct request request;
static char bytes[1 << 20];

static void get(void *to, size_t size) {
    for (char *at = to; size > 0;) {
        ssize_t got = read(IN, at, size);
        if (got <= 0)
            exit(0);
        at += got;
        size -= (size_t)got;
    }
}

static void get_some(size_t size) {
    for (size_t some; size > 0; size -= some) {
        some = size < sizeof bytes ? size : sizeof bytes;
        get(bytes, some);
    }
}

static void put(const void *from, size_t size) {
    if (write(OUT, from, size) != (ssize_t)size)
        exit(0);
}

static uint64_t size_of_blocks;
static void get_request(void) {
    static struct wire_block blocks[MOST_BLOCKS_SENT];
    get(&request, sizeof request);
    size_of_blocks = 0;
    get_some(8 * (size_t)request.numbers);
    get(blocks, sizeof *blocks * (size_t)request.blocks);
    for (int b = 0; b < request.blocks; b++)
        size_of_blocks += blocks[b].size;
    get_some(size_of_blocks);
}

static void reply(unsigned type, int count, const uint64_t numbers[]) {
    struct reply reply = {WIRE_MAGIC, request.sequence, type, 0, count, 0, 0, {0}};
    put(&reply, sizeof reply);
    put(numbers, 8 * (size_t)count);
}

static void put_unchanged(int blocks) {
    static const char same[MOST_BLOCKS_SENT];
    put(same, (size_t)blocks);
}

/* out and in: how many floats, in which block, and where. */
static void start(uint64_t count, uint64_t block, uint64_t offset, uint64_t lent, uint64_t size) {
    const uint64_t numbers[] = {START, lent, count, block, offset, count, block, offset};
    reply(CALL_BACK, 8, numbers);
    for (uint64_t i = 0; i < lent && i < 10; i++)
        put(&size, sizeof size);
    put_unchanged(request.blocks + (lent < 10 ? (int)lent : 0));
}

static void done(void) {
    reply(DONE, 0, NULL);
    put_unchanged(request.blocks);
}

static bool answered(uint64_t lent) {
    struct request answer;
    get(&answer, sizeof answer);
    if (answer.function != ANSWER)
        return false;
    get_some(size_of_blocks + lent);
    return true;
}

static void lie(int which) {
    static const uint64_t garbage[MOST_NUMBERS] = {START, 0, 3, 1u << 31, ~0ull, 3, 5, ~0ull - 8};
    switch (which) {
    case 0: /* a block that there is not */
        start(4, 9999, 0, 0, 0);
        break;
    case 1: /* behind the end of one */
        start(4, 0, 1 << 20, 0, 0);
        break;
    case 2: /* more than is in it */
        start(0x7fffffff, 0, 0, 0, 0);
        break;
    case 3: /* an end that comes round to its start */
        start(4, 0, ~0ull - 7, 0, 0);
        break;
    case 4: /* a function that there is not */
        reply(CALL_BACK, 2, (const uint64_t[]){7, 0});
        break;
    case 5: /* more memory than there is */
        start(4, (uint64_t)request.blocks, 0, 1, 1ull << 60);
        break;
    case 6: /* less than it is said to be used */
        start(4, (uint64_t)request.blocks, 0, 1, 3);
        break;
    case 7: /* a function that this call was not given */
        reply(CALL_BACK, 2, (const uint64_t[]){(uint32_t)GIVEN_FUNCTION, 0});
        break;
    case 8: /* numbers of all kinds */
        reply(CALL_BACK, MOST_NUMBERS, garbage);
        put_unchanged(request.blocks);
        break;
    case 9: /* what was lent is never waited for */
        start(1, (uint64_t)request.blocks, 0, 1, 8);
        if (answered(8))
            done();
        break;
    default: /* nor is anything of what is started, over and over */
        while (true) {
            start(1, 0, 0, 0, 0);
            if (!answered(0))
                exit(0);
        }
    }
}

int main(int count, char **words) {
    while (count > 1) {
        get_request();
        if (request.function == LOOK) /* a request before each test */
            done();
        else
            lie(atoi(words[1]));
    }
    return 0;
}
