/* Reads the settings file once, cuts it into lines, and looks names up in them. The environment has
   precedence. */
#include "base/setting.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The file with each line as a string of its own, read once. */
static const struct text *read_config(void) {
    static struct text config;
    static const char *is_of = "";
    const char *path = getenv("LOOKBACK_CONFIG");
    if (!path)
        path = "build/obj-cc/config";
    if (strcmp(path, is_of) != 0) {
        text_read_file(&config, path);
        is_of = path_of("%s", path);
        for (size_t i = 0; i < config.length; i++)
            if (config.chars[i] == '\n')
                config.chars[i] = '\0';
    }
    return &config;
}

const char *setting(const char *name, const char *otherwise) {
    static const char is[] = " := ";
    const struct text *config = read_config();
    const char *value = getenv(name);
    for (size_t i = 0; i < config->length && !value; i += strlen(config->chars + i) + 1)
        if (starts_with(config->chars + i, name) &&
            starts_with(config->chars + i + strlen(name), is))
            value = config->chars + i + strlen(name) + strlen(is);
    return value && *value ? value : otherwise;
}
