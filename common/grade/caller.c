/* Linked into a lesson's test program in place of a student's object: carries the calls of its
   tests to the box where that object is, and brings back what comes of them. The first call starts
   the box, for the program $LOOKBACK_BOX. What it prints goes where this program prints. The tutor
   looks after both. When the box ends, so does this program, in the same way.

   Arrays lie in blocks of memory; the same memory goes once, however many arrays lie in it.
   Everything that the box sends has a size that is known here, and is checked before it is used.

   Each thread of a test has a call of its own. While the function that a call was given is called
   back, other threads may call. */
#define _GNU_SOURCE
#include "grade/caller.h"

#include "base/child.h"
#include "grade/wire.h"
#include "lesson_test.h"
#include "matrix.h"
#include "memory.h"
#include "observed.h"
#include "sanitizer.h"
#include "seconds.h"
#include "statics.h"
#include "threads.h"
#include "todo.h"
#include "work.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A copy of memory of the host's own that a function in a struct has for an argument. It is read
   and filled until the next wait. See serve_call_back(). */
struct lent {
    struct lent *next;
    char bytes[];
};

enum { MOST_BYTES_LENT = 1 << 24 };

static struct call {
    atomic_bool taken; /* by a thread */
    struct request request;
    uint64_t numbers[MOST_NUMBERS];
    struct wire_block blocks[MOST_BLOCKS_SENT];
    char *contents[MOST_BLOCKS_SENT];
    int own_blocks; /* the others are lent */
    uint64_t bytes; /* in the blocks, together */
    struct lent *lent;
    struct reply reply;
    uint64_t back[MOST_NUMBERS];
    int next_back;
    call_back *function;
    size_t function_bytes;
    void *known;
    bool lends;   /* the function that is called back has arrays */
    bool running; /* still true if a test jumped out of it */
    char text[MOST_TEXT + 1];
} calls[MOST_CALLERS];
static _Thread_local struct call *call; /* this thread's */
static atomic_bool somebody_left;       /* a thread ended within its call */
static atomic_int open_calls;
static uint32_t sequence;

enum { REQUEST, REPLY, INFO, PIPES };
enum { OUR_STATUS = 3, FIRST_PLACE = 3 };

/* A box, or a process without one; `first` is the first process of its world, `inside` the one that
   works there. */
static struct box {
    pid_t pid, first, inside;
    FILE *ends[PIPES]; /* ours */
} box;

/* A failure of ours. The tutor knows it by the '#', which no box can send. */
static _Noreturn void fail(const char *what, const char *why) {
    report('#', "%s: %s", what, why);
    _exit(OUR_STATUS);
}

/* --- starting a box ------------------------------------------------------------------------- */

/* The program in the box is the child of the first process there, once there has been an answer.
   Without a box it is the process itself. */
static pid_t find_inside(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)box.first, (int)box.first);
    FILE *file = box.inside ? NULL : fopen(path, "r");
    if (file && fscanf(file, "%d", &box.inside) != 1)
        box.inside = 0;
    if (file)
        fclose(file);
    return box.inside;
}

/* The tutor asks where this program is. The answer is in the box. */
static void pass_on(int number) {
    if (box.inside)
        kill(box.inside, number);
}

/* Opens our ends, and the box's in `other`, all far from the numbers that the box has. */
static void open_pipes(int other[PIPES]) {
    for (int i = 0; i < PIPES; i++) {
        int pair[2];
        if (pipe2(pair, O_CLOEXEC) != 0)
            fail("cannot open pipes", strerror(errno));
        int end = fcntl(pair[i == REQUEST], F_DUPFD_CLOEXEC, 100);
        other[i] = fcntl(pair[i != REQUEST], F_DUPFD_CLOEXEC, 100);
        close(pair[0]);
        close(pair[1]);
        box.ends[i] = fdopen(end, i == REQUEST ? "w" : "r");
    }
}

/* Not by fork(), which common/testing/where.c forbids. The script waits for the box, as bwrap ends
   its box with the thread that started it, and a test's threads come and go. */
static void spawn(const int other[PIPES]) {
    char *const words[] = {"sh", getenv("LOOKBACK_BOXES"), "run", getenv("LOOKBACK_BOX"), NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    for (int i = 0; i < PIPES; i++)
        posix_spawn_file_actions_adddup2(&actions, other[i], FIRST_PLACE + i);
    int error = posix_spawnp(&box.pid, words[0], &actions, NULL, words, environ);
    if (error)
        fail("a shell for a box", strerror(error));
    posix_spawn_file_actions_destroy(&actions);
}

/* bwrap names the first process in the box: "child-pid": 123. It would break if its pipe were
   closed early. Without a box, this is the program itself. */
static void meet(void) {
    char line[200];
    while (!box.first && fgets(line, sizeof line, box.ends[INFO]))
        sscanf(line, " \"child-pid\": %d", &box.first);
    if (!box.first)
        fail("a box did not start", "bwrap said nothing of it");
    if (box.first == box.pid)
        box.inside = box.pid;
}

static void stop_box(void);

static void start(void) {
    static bool started;
    int other[PIPES];
    for (int fd = 3; fd < 256; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC); /* the tutor's pipe above all */
    box = (struct box){0};
    open_pipes(other);
    spawn(other);
    for (int i = 0; i < PIPES; i++)
        close(other[i]);
    if (!started) {
        signal(SIGPIPE, SIG_IGN);
        signal(SIGXCPU, pass_on);
        atexit(stop_box);
    }
    started = true;
    meet();
}

/* --- its end -------------------------------------------------------------------------------- */

static void kill_box(void) {
    if (box.first)
        kill(box.first, SIGKILL);
    kill(box.pid, SIGKILL);
}

/* Lets it end by itself. Returns the status or, as a negative number, the signal with which we end,
   too. Without a box the signal is that of the process; bwrap tells of it by its status. What does
   not heed its limit of CPU time is killed by the system. */
static int end(void) {
    int status = 0;
    struct rlimit cpu;
    fclose(box.ends[REQUEST]);
    waitpid(box.pid, &status, 0);
    fclose(box.ends[REPLY]);
    fclose(box.ends[INFO]);
    box.pid = 0;
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128;
    if (number == SIGKILL && getrlimit(RLIMIT_CPU, &cpu) == 0 &&
        seconds_worked(RUSAGE_CHILDREN) >= (double)cpu.rlim_cur)
        return CHILD_TIME_IS_UP;
    return number > 0 && number < 32 ? -number : WEXITSTATUS(status);
}

/* At the end of the program: it may have left something behind, a leak above all. */
static void stop_box(void) {
    bool left = open_calls > 0;
    if (box.pid && left)
        kill_box();
    int status = box.pid ? end() : 0;
    if (status != 0 && !left) {
        fflush(NULL);
        _exit(status > 0 ? status : 128 - status);
    }
}

/* It ended in the middle of a call: we end as it did, and the tutor explains it. */
static _Noreturn void end_as(void) {
    int status = end();
    fflush(NULL);
    if (status < 0) {
        sigset_t all;
        sigfillset(&all);
        signal(-status, SIG_DFL);
        sigprocmask(SIG_UNBLOCK, &all, NULL);
        kill(getpid(), -status);
    }
    _exit(status);
}

/* A test jumped out of a call, from a function that was called back: what goes on in there is of no
   use any more. */
static void leave_box(void) {
    kill_box();
    end();
    open_calls = 0;
}

static _Noreturn void carry_broken(const char *what) {
    report('@', "%s", what);
    if (!box.pid)
        _exit(1);
    kill_box();
    end_as();
}

static void carry(const void *from, size_t size) {
    if (fwrite(from, 1, size, box.ends[REQUEST]) != size)
        end_as();
}

/* Before it waits, all that is to go has gone. */
static void carry_back(void *to, size_t size) {
    if (fflush(box.ends[REQUEST]) != 0 || fread(to, 1, size, box.ends[REPLY]) != size)
        end_as();
    find_inside();
}

/* --- threads -------------------------------------------------------------------------------- */

static void give_back(struct call *c) {
    while (c->lent) {
        struct lent *next = c->lent->next;
        free(c->lent);
        c->lent = next;
    }
}

static void end_of_thread(void *about) {
    struct call *c = about;
    if (c->running)
        somebody_left = true;
    c->running = false;
    give_back(c);
    c->taken = false;
}

static pthread_key_t at_end;
__attribute__((constructor)) static void make_key(void) {
    pthread_key_create(&at_end, end_of_thread);
}

static void take_call(void) {
    int i = 0;
    while (i < MOST_CALLERS && atomic_exchange(&calls[i].taken, true))
        i++;
    if (i == MOST_CALLERS)
        carry_broken("too many threads are in calls at once");
    call = &calls[i];
    pthread_setspecific(at_end, call);
}

/* --- packing -------------------------------------------------------------------------------- */

static double most_seconds(void) {
    const char *asked = getenv("LOOKBACK_CALL_SECONDS");
    return asked && atof(asked) > 0.0 ? atof(asked) : 5.0;
}

void call_begin(int function) {
    if (!call)
        take_call();
    if (call->running || somebody_left)
        leave_box();
    somebody_left = call->running = false;
    call->request = (struct request){.magic = WIRE_MAGIC,
                                     .sequence = ++sequence,
                                     .caller = (int32_t)(call - calls),
                                     .function = function,
                                     .threads = threads_pretended(),
                                     .seconds = most_seconds()};
    call->function = NULL;
    call->known = NULL;
    call->own_blocks = 0;
    call->bytes = 0;
}

void call_number(const void *number, size_t size) {
    if (call->request.numbers == MOST_NUMBERS)
        carry_broken("a call has too many numbers");
    uint64_t *next = &call->numbers[call->request.numbers++];
    *next = 0;
    memcpy(next, number, size);
}

int call_count(int count, int most) {
    if (count < 0 || count > most)
        carry_broken("a call has a wrong number of structs");
    call_number(&count, sizeof count);
    return count;
}

/* How many bytes there are, if the sanitizer knows it: a test may pass a wrong size to a function
   that must ignore it. The sanitizer gets one piece at a time, because it finds no end in a piece
   that goes on beyond the last byte of memory, and a stack may be near that byte. */
static size_t bytes_there(const void *first, size_t bytes) {
    (void)first;
#ifdef HAVE_SANITIZER
    enum { PIECE = 4096 };
    const char *start = first, *end = NULL;
    for (size_t k = 0; !end && k < bytes && k < MOST_BYTES; k += PIECE)
        end = __asan_region_is_poisoned((void *)(start + k), bytes - k < PIECE ? bytes - k : PIECE);
    if (end)
        return (size_t)(end - start);
#endif
    return bytes;
}

/* Describes the array that `first` points into, or else the bytes from there; returns its start. */
static char *block_around(struct wire_block *block, const void *first, size_t bytes,
                          size_t element) {
    struct matrix_whole whole;
    *block = (struct wire_block){.size = bytes, .element = (int32_t)element};
    if (!matrix_around(first, &whole)) {
        block->size = bytes_there(first, bytes);
        if (block->size > MOST_BYTES)
            carry_broken("the size of an array is not known");
        return (char *)first;
    }
    block->size = (uint64_t)dims_count(whole.dims) * whole.element;
    block->element = (int32_t)whole.element;
    block->rank = whole.dims.rank;
    for (int k = 0; k < 4; k++)
        block->dims[k] = whole.dims.size[k];
    snprintf(block->name, sizeof block->name, "%s", whole.name);
    return whole.elements;
}

/* Returns the number of the block. The same memory is one block, as large as the larger. */
static int block_of(const struct wire_block *block, char *start) {
    int b = 0;
    while (b < call->request.blocks && call->contents[b] != start)
        b++;
    if (b == MOST_BLOCKS_SENT)
        carry_broken("a call has too many arrays");
    if (b == call->request.blocks) {
        call->request.blocks++;
        call->contents[b] = start;
        call->blocks[b] = *block;
        call->bytes += block->size;
    } else if (call->blocks[b].size < block->size) {
        call->bytes += block->size - call->blocks[b].size;
        call->blocks[b] = *block;
    }
    if (call->bytes > MOST_BYTES)
        carry_broken("a call has too many numbers in its arrays");
    call->own_blocks = call->request.blocks;
    return b;
}

void call_array(const void *first, size_t bytes, size_t element) {
    uint64_t number = 0, offset = 0;
    if (first) {
        struct wire_block block;
        char *start = block_around(&block, first, bytes, element);
        number = 1 + (uint64_t)block_of(&block, start);
        offset = (uint64_t)((const char *)first - start);
    }
    call_number(&number, sizeof number);
    call_number(&offset, sizeof offset);
}

void call_piece(const void *first, int rank, const long sizes[]) {
    size_t bytes = sizeof(double);
    for (int k = 0; k < rank; k++)
        bytes = sizes[k] < 0 || bytes > MOST_BYTES ? (size_t)-1 / 2 : bytes * (size_t)sizes[k];
    call_array(first, bytes, sizeof(double));
}

void call_function(call_back *function, size_t bytes) {
    call->function = function;
    call->function_bytes = bytes;
    call_number(&(bool){function != NULL}, sizeof(bool));
    call_number(&bytes, sizeof bytes);
}

void call_known(void *known) {
    call->known = known;
    call_number(&(bool){known != NULL}, sizeof(bool));
}

void call_engine(void *known) {
    call->known = known;
}

/* --- what comes back ------------------------------------------------------------------------ */

static void fetch_reply(void) {
    struct reply *reply = &call->reply;
    carry_back(reply, sizeof *reply);
    if (reply->magic != WIRE_MAGIC || reply->sequence != call->request.sequence ||
        reply->numbers < 0 || reply->numbers > MOST_NUMBERS || reply->length > MOST_TEXT)
        carry_broken("wrote into a pipe that is not its own");
    carry_back(call->back, sizeof call->back[0] * (size_t)reply->numbers);
    carry_back(call->text, reply->length);
    for (uint32_t i = 0; i < reply->length; i++)
        if ((unsigned char)call->text[i] < ' ' && call->text[i] != '\n')
            call->text[i] = '?';
    call->text[reply->length] = '\0';
    work_done += reply->work;
    call->next_back = 0;
}

/* A cell of a mask is 0, 1, or was never set. Any other byte is no bool, and must not be computed
   with. */
static void check_cells(unsigned char *cells, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        if (cells[i] > 1)
            memset(&cells[i], UNSET_CELL, 1);
}

static void fetch_blocks(void) {
    unsigned char changed[MOST_BLOCKS_SENT];
    carry_back(changed, (size_t)call->request.blocks);
    for (int b = 0; b < call->request.blocks; b++) {
        if (!changed[b])
            continue;
        carry_back(call->contents[b], call->blocks[b].size);
        if (call->blocks[b].element == sizeof(bool))
            check_cells((unsigned char *)call->contents[b], call->blocks[b].size);
    }
}

/* --- calling back --------------------------------------------------------------------------- */

/* Makes a copy for memory of the host's own. */
static void lend_block(void) {
    uint64_t size;
    carry_back(&size, sizeof size);
    struct lent *lent = size > MOST_BYTES_LENT ? NULL : calloc(1, sizeof *lent + size);
    call->bytes += size;
    if (!lent || call->bytes > MOST_BYTES || call->request.blocks == MOST_BLOCKS_SENT)
        carry_broken("lent too much memory");
    *lent = (struct lent){call->lent};
    call->lent = lent;
    call->contents[call->request.blocks] = lent->bytes;
    call->blocks[call->request.blocks++] =
        (struct wire_block){.size = size, .element = sizeof(float)};
}

void *call_array_back(size_t element, int count) {
    uint64_t block = 0, offset = 0, bytes = count > 0 ? element * (uint64_t)count : 0;
    if (call->next_back + 1 < call->reply.numbers) {
        block = call->back[call->next_back++];
        offset = call->back[call->next_back++];
    }
    if (block >= (uint64_t)call->request.blocks || offset % element != 0 ||
        offset > call->blocks[block].size || bytes > call->blocks[block].size - offset)
        carry_broken("wrote into a pipe that is not its own");
    call->lends = true;
    return call->contents[block] + offset;
}

/* The function that the call was given. Its array ends with it. */
static void serve_given(void) {
    int word = call_int_back();
    bool known = call_int_back() != 0;
    double *array = call_array_back(sizeof *array, (int)(call->function_bytes / sizeof *array));
    call->function(known ? call->known : NULL, word, array);
    call->lends = false;
}

/* The host calls back. Before that, the arrays here become what they are there; afterwards, the
   other way round. */
static void serve_call_back(void) {
    int member = call_int_back(), lent = call_int_back();
    bool is_member = member >= 0 && member < call_member_count && call->known;
    if (!is_member && (member != GIVEN_FUNCTION || !call->function))
        carry_broken("called back, and was given nothing to call");
    for (int i = 0; i < lent; i++)
        lend_block();
    fetch_blocks();
    call->lends = false;
    if (is_member)
        call_members[member](call->known);
    else
        serve_given();
    carry(&(struct request){.magic = WIRE_MAGIC,
                            .sequence = call->request.sequence,
                            .caller = call->request.caller,
                            .function = ANSWER},
          sizeof(struct request));
    for (int b = 0; b < call->request.blocks; b++)
        carry(call->contents[b], call->blocks[b].size);
    if (!call->lends) {
        call->request.blocks = call->own_blocks;
        give_back(call);
    }
}

/* TODO() was reached in there: its line, function, hint and file, which is empty if there is none.
 */
static _Noreturn void take_todo(const char *text) {
    static char file[MOST_TEXT], function[MOST_TEXT], hint[MOST_TEXT];
    int line = 0;
    file[0] = function[0] = hint[0] = '\0';
    sscanf(text, "%d %999[^\n] %999[^\n] %999[^\n]", &line, function, hint, file);
    todo(file, line, function, hint);
}

/* How the call ended; false if it goes on. */
static bool take_end(void) {
    enum reply_type type = call->reply.type;
    if (type != DONE && type != TODO_HERE)
        return false;
    call->running = false;
    open_calls--;
    if (type == TODO_HERE)
        take_todo(call->text);
    call->request.blocks = call->own_blocks;
    fetch_blocks();
    return true;
}

static void serve(void) {
    switch (call->reply.type) {
    case SAY:
        call->text[strcspn(call->text, "\n")] = '\0';
        report('@', "%s", call->text);
        break;
    case CALL_BACK:
        serve_call_back();
        break;
    default:
        carry_broken("wrote into a pipe that is not its own");
    }
}

/* Notes the array that work_watch() looks at, if it is an argument. */
static void add_watched(struct request *r) {
    int count;
    const char *first = (const char *)work_watched(&count);
    for (int b = 0; first && b < r->blocks; b++)
        if (first >= call->contents[b] && first < call->contents[b] + call->blocks[b].size) {
            r->watched = count;
            r->watched_block = b;
            r->watched_from = (uint64_t)(first - call->contents[b]);
        }
}

void call_go(void) {
    struct request *r = &call->request;
    add_watched(r);
    call->running = true;
    open_calls++;
    if (!box.pid)
        start();
    carry(r, sizeof *r);
    carry(call->numbers, sizeof call->numbers[0] * (size_t)r->numbers);
    carry(call->blocks, sizeof call->blocks[0] * (size_t)r->blocks);
    for (int b = 0; b < r->blocks; b++)
        carry(call->contents[b], call->blocks[b].size);
    while (fetch_reply(), !take_end())
        serve();
}

/* A bool is 0 or 1 here, whatever byte came. */
void call_result(void *to, size_t size) {
    if (size == sizeof(bool))
        call->reply.result[0] = call->reply.result[0] != 0;
    memcpy(to, call->reply.result, size);
}

int call_int_back(void) {
    int x = 0;
    if (call->next_back < call->reply.numbers)
        memcpy(&x, &call->back[call->next_back++], sizeof x);
    return x;
}

/* --- static variables, memory, and what is seen of a call: those in the box ----------------- */

static struct there {
    bool kept;
    double memory;
    char changed[100];
    struct observed seen;
} there;

/* Asks what every host can be asked (wire.h). */
static struct there *ask(int function) {
    call_begin(function);
    call_go();
    const char *text = call->text;
    int length = (int)strcspn(text, "\n");
    there.kept = call_int_back();
    there.seen.working = call_int_back();
    there.seen.began_apart = (unsigned long)call_int_back();
    there.seen.ended_apart = (unsigned long)call_int_back();
    call_result(&there.memory, sizeof there.memory);
    snprintf(there.seen.shared, sizeof there.seen.shared, "%.*s", length, text);
    snprintf(there.changed, sizeof there.changed, "%s", text + length + (text[length] == '\n'));
    return &there;
}

void statics_remember(void) {
    ask(REMEMBER_STATICS);
}

bool statics_kept(void) {
    return ask(LOOK)->kept;
}

const char *statics_changed(void) {
    return there.changed;
}

double memory_most(void) {
    return ask(LOOK)->memory;
}

struct observed observed(void) {
    return ask(LOOK)->seen;
}

/* --- what it costs, seen from outside ------------------------------------------------------- */

static double seconds_in_box(void) {
    clockid_t clock;
    struct timespec worked;
    if (!box.pid)
        memory_most(); /* starting it is no cost of a test */
    pid_t pid = find_inside();
    if (!pid || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &worked) != 0)
        return 0.0;
    return (double)worked.tv_sec + 1e-9 * (double)worked.tv_nsec;
}

__attribute__((constructor)) static void count_seconds(void) {
    work_seconds = seconds_in_box;
}
