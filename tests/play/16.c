/* What the page of lesson 16 shows after: typed=The_tall_tree! learned=25 */
#include "story.h"

#include "play.h"

enum {
    MOST = 100,
    EVERY = 10,
    LETTERS = 3 + 128,
    TEXTS = LETTERS + MOST,
    LONG = 600,
    LEARNED = 25
};

static const char story[] =
    "Once upon a time, there was a little girl named Lily. She loved to play outside in the "
    "sunshine. One day, she saw a big, red ball in the sky. It was the sun! She thought it was so "
    "pretty. Lily wanted to play with the ball, but it was too high up in the sky. She tried to "
    "jump and reach it, but she couldn't. Then, she had an idea. She would use a stick to knock "
    "the ball down. Lily found a stick and tried to hit the ball. But the stick was too short.";

static int letters = 3, of_letter[128], merges[MOST][3], length[TEXTS];
static bool begins[TEXTS]; /* with a space */

static int token_of(char letter) {
    int *word = &of_letter[(int)letter];
    if (*word == 0) {
        *word = letters++;
        length[*word] = 1;
        begins[*word] = letter == ' ';
    }
    return *word;
}

static int how_often(int n, const int words[], int left, int right) {
    int count = 0;
    for (int i = 0; i + 1 < n; i++)
        count += words[i] == left && words[i + 1] == right;
    return count;
}

static void learn(void) {
    static int words[LONG];
    int n = 0;
    for (const char *c = story; *c; c++)
        words[n++] = token_of(*c);
    for (int m = 0; m < MOST; m++) {
        int most = 0, to = 0, merged = letters + m;
        for (int i = 0; i + 1 < n; i++) {
            const int count =
                begins[words[i + 1]] ? 0 : how_often(n, words, words[i], words[i + 1]);
            if (count > most) {
                most = count;
                merges[m][0] = words[i];
                merges[m][1] = words[i + 1];
                merges[m][2] = merged;
            }
        }
        length[merged] = length[merges[m][0]] + length[merges[m][1]];
        begins[merged] = begins[merges[m][0]];
        for (int i = 0; i < n; i++) {
            const bool joins =
                i + 1 < n && words[i] == merges[m][0] && words[i + 1] == merges[m][1];
            words[to++] = joins ? merged : words[i];
            i += joins;
        }
        n = to;
    }
}

static int by_number(const void *a, const void *b) {
    const int *x = a, *y = b;
    return x[0] != y[0] ? x[0] - y[0] : x[1] - y[1];
}

int main(void) {
    static const char typed[] = " The tall tree!";
    int words[sizeof typed], joined[sizeof typed], n = 0, pairs[MOST][3];
    float score[TEXTS] = {0};
    learn();
    for (const char *c = typed; *c; c++)
        words[n++] = token_of(*c);
    for (int m = 0; m < MOST; m++)
        score[letters + m] = (float)-m;
    memcpy(pairs, merges, sizeof pairs);
    qsort(pairs, LEARNED, sizeof pairs[0], by_number);
    const int left = merge_tokens(LEARNED, pairs, letters + MOST, score, n, words, joined);
    for (int i = 0; i < left; i++)
        printf("%stokens %.17g\n", i > 0 ? "tokens NaN\n" : "", (double)length[joined[i]] / n);
    for (int i = 0; i + 1 < 12; i++) {
        const int merged = find_merge(LEARNED, pairs, words[i], words[i + 1]);
        printf("best %d\n", merged < 0 ? 0 : merged - letters + 1);
    }
    for (int count = 0; count <= MOST; count += EVERY) {
        memcpy(pairs, merges, sizeof pairs);
        qsort(pairs, (size_t)count, sizeof pairs[0], by_number);
        printf("count %d\n", merge_tokens(count, pairs, letters + MOST, score, n, words, joined));
    }
    return 0;
}
