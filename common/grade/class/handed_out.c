#include "grade/class/handed_out.h"

#include "base/sha256.h"
#include "grade/class/take.h"

#include "base/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 4 << 20, NAMED = 5 }; /* bytes of a file; files that are named */
enum state { ABSENT, SAME, CHANGED };

struct handed_out handed_out_read(const char *path) {
    struct handed_out release = {0};
    if (file_is_there(path))
        text_read_file(&release.list, path);
    return release;
}

/* A link in place of a file, or a pipe, is another one. */
static enum state compare_file(int folder, const char *name, const char *hex) {
    struct stat about;
    if (fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return ABSENT;
    struct taken file = take_file(folder, name, MOST);
    if (file.refused)
        return CHANGED;
    struct hash hash = sha256(text_of(&file.bytes), file.bytes.length);
    text_free(&file.bytes);
    return strncmp(hash.hex, hex, 64) == 0 ? SAME : CHANGED;
}

/* Through one folder after the other, no link among them. */
static enum state compare(int folder, const char *path, const char *hex) {
    const char *slash = strchr(path, '/');
    struct stat about;
    if (!slash)
        return compare_file(folder, path, hex);
    struct path name = path_of("%.*s", (int)(slash - path), path);
    if (fstatat(folder, name.chars, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return ABSENT;
    int inner = take_folder(folder, name.chars);
    enum state state = inner < 0 ? CHANGED : compare(inner, slash + 1, hex);
    if (inner >= 0)
        close(inner);
    return state;
}

bool handed_out_compare(const struct handed_out *release, int folder, const char *stands_for,
                        struct text *said) {
    int same = 0, changed = 0;
    for (const char *line = text_of(&release->list); *line; line += *line == '\n') {
        size_t length = strcspn(line, "\n"), skipped = 66 + strlen(stands_for);
        struct path path = path_of("%.*s", length > 66 ? (int)(length - 66) : 0, line + 66);
        enum state state = ABSENT;
        if (length > skipped && strncmp(path.chars, stands_for, strlen(stands_for)) == 0)
            state = compare(folder, path.chars + strlen(stands_for), line);
        same += state == SAME;
        if (state == CHANGED && ++changed <= NAMED)
            text_print(said, "%s%s", changed > 1 ? ", " : "changed: ", path.chars);
        line += length;
    }
    if (changed > NAMED)
        text_print(said, " and %d more", changed - NAMED);
    else if (changed == 0 && same > 0)
        text_print(said, "as handed out");
    return changed > 0;
}
