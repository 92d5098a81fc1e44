/* What the page of lesson 08 shows after: who=owl whom=cat by=dog */
#include "multi_head.h"

#include "play.h"

enum { ROLES = 5, HALF = 24, NOUNS = 24, D_MODEL = 2 * HALF };

static void make(const char *folder, const char *const roles[ROLES]) {
    static const char *const nouns[] = {"cat", "dog", "fox", "hen", "bee", "owl"};
    FILE *table = make_table(folder, "networks.dat");
    for (int w = 0; w < NOUNS; w++)
        make_row(table, w < 6 ? nouns[w] : "another", HALF, 0.25);
    for (int p = 0; p < ROLES; p++)
        make_row(table, roles[p], HALF, 0.25);
    make_row(table, "question", HALF, 0.25);
    make_row(table, "one head", 4 * D_MODEL * D_MODEL + 2 * D_MODEL * NOUNS, 0.5);
    make_row(table, "two heads", 4 * D_MODEL * D_MODEL + 2 * D_MODEL * NOUNS, 0.5);
    fclose(table);
}

/* Two heads with small numbers, which the page shows before any run. */
static void before(void) {
    double X[4][4], matrices[64], pieces[400], out[4][4];
    struct room room = {matrices, 0}, other = {pieces, 0};
    struct multi_head w = take_multi_head(&room, 4, 2, 2, 2);
    struct multi_head_values v = take_multi_head_values(&other, &w, 4, 4);
    long long seed = 8;
    fill_normal(&seed, 16, 1, X);
    fill_normal(&seed, 64, 1, matrices);
    multi_head_attention(4, 4, &w, X, X, NULL, &v, out);
    show("two_heads", 32, v.weights);
    show("out", 16, out[0]);
}

int main(int argc, char **argv) {
    static const char *const nouns[ROLES] = {"owl", "cat", "dog", "hen", "bee"};
    static const char *const roles[ROLES] = {"who", "whom", "by", "with", "for"};
    static double story[ROLES][2][HALF], question[1][2][HALF],
        numbers[2 * ROLES * D_MODEL * D_MODEL], values[ROLES * D_MODEL * 20], out[1][D_MODEL];
    const char *folder = argv[1], *file = "networks.dat";
    if (argc == 3) {
        strcmp(argv[2], "make") == 0 ? make(folder, roles) : before();
        return 0;
    }
    for (int i = 0; i < ROLES; i++) {
        read_labelled(folder, file, nouns[i], HALF, story[i][0]);
        read_labelled(folder, file, roles[i], HALF, story[i][1]);
    }
    read_labelled(folder, file, "question", HALF, question[0][1]);
    for (int heads = 2; heads > 0; heads--) {
        struct room room = {numbers, 0}, other = {values, 0};
        const char *name = heads == 2 ? "two heads" : "one head";
        struct multi_head w = take_multi_head(&room, D_MODEL, heads, heads, D_MODEL / heads);
        struct multi_head_values v = take_multi_head_values(&other, &w, 1, ROLES);
        read_labelled(folder, file, name, room.used, numbers);
        multi_head_attention(1, ROLES, &w, (const void *)question, (const void *)story, NULL, &v,
                             out);
        show(heads == 2 ? "two_heads" : "one_head", heads * ROLES, v.weights);
    }
    return 0;
}
