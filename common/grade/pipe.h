/* A buffer in front of a pair of pipes, so that many small pieces go and come at once. Both sides
   of a call have one; how bytes get through the pipes is the program's own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct buffer {
    char going[1 << 16], coming[1 << 16];
    size_t length;     /* of what is to go */
    size_t start, end; /* of what has come and was not taken */
};

/* The program's own: sends all bytes, or ends the program; waits for some bytes and returns how
   many came, 0 at the end. */
static void send_bytes(const char *from, size_t size);
static size_t receive_bytes(char *to, size_t most);

static void buffer_send(struct buffer *b) {
    send_bytes(b->going, b->length);
    b->length = 0;
}

static void buffer_put(struct buffer *b, const void *from, size_t size) {
    if (b->length + size > sizeof b->going)
        buffer_send(b);
    if (size > sizeof b->going) {
        send_bytes(from, size);
        return;
    }
    memcpy(b->going + b->length, from, size);
    b->length += size;
}

static bool buffer_get(struct buffer *b, void *to, size_t size) {
    for (char *at = to; size > 0;) {
        size_t there = b->end - b->start, some = there < size ? there : size;
        memcpy(at, b->coming + b->start, some);
        b->start += some;
        at += some;
        size -= some;
        if (size == 0)
            break;
        b->start = 0;
        b->end = receive_bytes(b->coming, sizeof b->coming);
        if (b->end == 0)
            return false;
    }
    return true;
}
