/* Reads dates as computers, as systems for courses and as people write them, and writes them for
   tables. A computer's date is in UTC unless it names a zone; the others are in the zone of this
   machine. */
/* For timegm(). */
#define _DEFAULT_SOURCE

#include "grade/class/moments.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Of a date as people count, here or in UTC. False if there is no such time. */
static bool time_of(struct tm tm, bool here, time_t *time) {
    bool good = tm.tm_mon >= 1 && tm.tm_mon <= 12 && tm.tm_mday >= 1 && tm.tm_mday <= 31 &&
                tm.tm_hour >= 0 && tm.tm_hour <= 24 && tm.tm_min >= 0 && tm.tm_min <= 59;
    tm.tm_year -= 1900;
    tm.tm_mon--;
    tm.tm_isdst = here ? -1 : 0;
    if (good)
        *time = here ? mktime(&tm) : timegm(&tm);
    return good && *time > 0;
}

/* --- as computers write it ------------------------------------------------------------------ */

/* Z, UTC, +01:00, +0100; nothing is UTC. In minutes. */
static bool read_zone(const char *text, const char **rest, int *minutes) {
    int hours, more, length = 0;
    const char *zone = text + strspn(text, " ");
    *minutes = 0;
    if (starts_with(zone, "UTC") || *zone == 'Z') {
        *rest = zone + (*zone == 'Z' ? 1 : 3);
        return true;
    }
    *rest = text;
    if (*zone != '+' && *zone != '-')
        return true;
    if ((sscanf(zone + 1, "%2d:%2d%n", &hours, &more, &length) < 2 &&
         sscanf(zone + 1, "%2d%2d%n", &hours, &more, &length) < 2) ||
        length == 0 || !isdigit((unsigned char)zone[1]))
        return false;
    *minutes = (*zone == '-' ? -1 : 1) * (60 * hours + more);
    *rest = zone + 1 + length;
    return true;
}

bool read_moment(const char *text, const char **rest, time_t *time) {
    struct tm tm = {0};
    int length = 0, zone = 0;
    sscanf(text, "%4d-%2d-%2d%*1[T ]%2d:%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
           &tm.tm_min, &length);
    text += length;
    if (length == 0)
        return false;
    length = 0;
    if (sscanf(text, ":%2d%n", &tm.tm_sec, &length) == 1)
        text += length;
    if (*text == '.')
        text += 1 + strspn(text + 1, "0123456789");
    if (!read_zone(text, rest, &zone) || !time_of(tm, false, time))
        return false;
    *time -= 60 * zone;
    return true;
}

struct path moment(time_t time) {
    struct path path = {""};
    struct tm tm;
    if (time != 0 && gmtime_r(&time, &tm))
        strftime(path.chars, sizeof path.chars, "%Y-%m-%d %H:%M:%S UTC", &tm);
    return path;
}

/* --- as people read it ---------------------------------------------------------------------- */

bool moment_in_name(const char *name, time_t *time) {
    struct tm tm = {0};
    for (; *name; name++)
        if (sscanf(name, "20%2d-%2d-%2d%*1[-_T ]%2d%*1[-.:]%2d%*1[-.:]%2d", &tm.tm_year, &tm.tm_mon,
                   &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec) == 6) {
            tm.tm_year += 2000;
            return time_of(tm, true, time);
        }
    return false;
}

/* Of "November", "Nov." or "Mai": 1 to 12; 0. */
static int month_called(const char *word) {
    static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                         "jul", "aug", "sep", "oct", "nov", "dec"};
    static const char *const german[] = {"jan", "feb", "m\xC3\xA4r", "apr", "mai", "jun",
                                         "jul", "aug", "sep",        "okt", "nov", "dez"};
    for (int i = 0; i < 12; i++)
        if (strncasecmp(word, months[i], 3) == 0 ||
            strncasecmp(word, german[i], strlen(german[i])) == 0)
            return i + 1;
    return 0;
}

bool moment_in_words(const char *words, time_t *time) {
    static const char between[] = " ,.\t\n";
    struct tm tm = {.tm_hour = -1};
    int number, more;
    for (const char *at = words + strspn(words, between); *at;
         at += strcspn(at, between), at += strspn(at, between)) {
        if (sscanf(at, "%2d:%2d", &number, &more) == 2) {
            tm.tm_hour = number;
            tm.tm_min = more;
        } else if (sscanf(at, "%4d", &number) == 1) {
            *(number > 31 ? &tm.tm_year : &tm.tm_mday) = number;
        } else if (tm.tm_mon == 0 && month_called(at)) {
            tm.tm_mon = month_called(at);
        } else if (strncasecmp(at, "pm", 2) == 0 || strncasecmp(at, "am", 2) == 0) {
            tm.tm_hour = tm.tm_hour % 12 + (tolower((unsigned char)*at) == 'p' ? 12 : 0);
        }
    }
    return tm.tm_year > 1900 && time_of(tm, true, time);
}
