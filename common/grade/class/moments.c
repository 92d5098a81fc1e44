/* Reads dates as computers, as systems for courses and as people write them, and writes them for
   tables. A computer's date is in UTC unless it names a zone; the others are in the zone of this
   machine. */
#include "grade/class/moments.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- as computers write it ------------------------------------------------------------------ */

/* Days since 1970 of a date of our calendar. */
static long day_number(int year, int month, int day) {
    long y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

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

static bool is_a_time(int month, int day, int hour, int minute) {
    return month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour >= 0 && hour <= 24 &&
           minute >= 0 && minute <= 59;
}

bool read_moment(const char *text, const char **rest, time_t *time) {
    int year, month, day, hour, minute, second = 0, length = 0, zone = 0;
    if (sscanf(text, "%4d-%2d-%2d%*1[T ]%2d:%2d%n", &year, &month, &day, &hour, &minute, &length) <
            5 ||
        length == 0 || !is_a_time(month, day, hour, minute))
        return false;
    text += length;
    length = 0;
    if (sscanf(text, ":%2d%n", &second, &length) == 1)
        text += length;
    if (*text == '.')
        text += 1 + strspn(text + 1, "0123456789");
    if (!read_zone(text, rest, &zone))
        return false;
    *time = (time_t)(86400L * day_number(year, month, day) + 3600L * hour + 60L * (minute - zone) +
                     second);
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

static bool local_moment(int year, int month, int day, int hour, int minute, int second,
                         time_t *time) {
    struct tm tm = {.tm_year = year - 1900,
                    .tm_mon = month - 1,
                    .tm_mday = day,
                    .tm_hour = hour,
                    .tm_min = minute,
                    .tm_sec = second,
                    .tm_isdst = -1};
    *time = is_a_time(month, day, hour, minute) ? mktime(&tm) : -1;
    return *time > 0;
}

bool moment_in_name(const char *name, time_t *time) {
    int year, month, day, hour, minute, second;
    for (; *name; name++)
        if (sscanf(name, "20%2d-%2d-%2d%*1[-_T ]%2d%*1[-.:]%2d%*1[-.:]%2d", &year, &month, &day,
                   &hour, &minute, &second) == 6)
            return local_moment(2000 + year, month, day, hour, minute, second, time);
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
    int year = 0, month = 0, day = 0, hour = -1, minute = 0, number, more;
    for (const char *at = words + strspn(words, between); *at;
         at += strcspn(at, between), at += strspn(at, between)) {
        if (sscanf(at, "%2d:%2d", &number, &more) == 2) {
            hour = number;
            minute = more;
        } else if (sscanf(at, "%4d", &number) == 1) {
            *(number > 31 ? &year : &day) = number;
        } else if (month == 0 && month_called(at)) {
            month = month_called(at);
        } else if (strncasecmp(at, "pm", 2) == 0 || strncasecmp(at, "am", 2) == 0) {
            hour = hour % 12 + (tolower((unsigned char)*at) == 'p' ? 12 : 0);
        }
    }
    return year > 1900 && hour >= 0 && local_moment(year, month, day, hour, minute, 0, time);
}
