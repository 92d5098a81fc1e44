/* The environment has precedence over the settings file. */
#include "base/setting.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

const char *setting(const char *name, const char *otherwise) {
    const char *config = getenv("LOOKBACK_CONFIG"), *value = getenv(name);
    const char *begin = path_of("\n%s := ", name);
    const char *at =
        strstr(path_of("\n%s", file_text(config ? config : "build/obj-cc/config")), begin);
    if (!value && at && (at += strlen(begin)))
        value = next_line(&at);
    return value && *value ? value : otherwise;
}
