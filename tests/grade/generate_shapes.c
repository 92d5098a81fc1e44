/* generate_shapes "EXERCISES" HEADER...: writes a program that compares the shapes in the structs
   of a lesson's header, the last one, with what take_...() lays out: see shapes.c. */
#define main generate
#include "grade/generate.c"
#undef main

/* What take_...() is given for a parameter: a struct, or the next of the sizes n[]. */
static const char *size_for(struct list *take, struct variable *parameter) {
    int k = 0;
    for (struct variable *v = take->all; v < parameter; v++)
        k += !v->is_struct;
    return parameter->is_struct ? "&of" : path_of("n[%d]", k);
}

/* "take_gru(&room, n[0], n[1])" */
static const char *take_call(struct list *take, const char *room) {
    const char *text = path_of("take_%s(&%s", take->name, room);
    EACH (struct variable, v, take)
        text = path_of("%s, %s", text, size_for(take, v));
    return path_of("%s)", text);
}

/* Lays each struct out in a room, for two sets of sizes, and lets shapes.c compare. */
static void write_shapes(void) {
    write_structs();
    printf("int main(void) {\n    static const int sizes[][9] = {{17, 13, 11, 7, 5, 3, 2}, "
           "{6, 8, 3, 5, 4, 2, 7}};\n    for (int i = 0; i < 2; i++) {\n"
           "        const int *n = sizes[i];\n");
    EACH (struct list, take, &takes) {
        struct list *s = find_list(&structs, take->name), *of = struct_of(partner_of(s));
        if (!take->is_own)
            continue;
        if (of)
            printf("        BESIDE(%s, %s)\n", of->name, take_call(of->take, "other"));
        printf("        LOOK(%s, %s, &made, false%s", s->name, take_call(take, "room"),
               of ? ", &of" : "");
        for (int i = 0; i < s->need_count; i++)
            printf(", %s", size_for(take, find_variable(take, s->needs[i], "number")));
        printf(")\n%s", of ? "        }\n" : "");
    }
    printf("    }\n    return shapes_end();\n}\n");
}

int main(int argc, char **argv) {
    exercises = argv[1], also = "", own = argv[argc - 1];
    read_files(argv + 2, argc - 2);
    read_headers();
    check_exercises();
    write_includes(argv + 2, argc - 2, "shapes");
    write_shapes();
    return fflush(stdout) != 0;
}
