/* Who takes part, of ROSTER=: student_id,last_name,first_name,email. */
#ifndef ROSTER_H
#define ROSTER_H

#include "grade/class/class.h"

struct student {
    const char *id, *last, *first, *email;
    const char *canvas_id, *login, *section; /* columns that a roster of Canvas's has besides */
};

struct roster {
    struct csv *csv; /* what the names point into */
    struct student *students;
    int count;
};

/* NULL: nobody is on it. False, with a line, if it is none. */
bool roster_read(struct roster *roster, const char *path);
void roster_free(struct roster *roster);

/* Finds whose each submission is; who handed in nothing gets one that says so. */
void roster_join(const struct roster *roster, struct class *class);

/* "Ada Lovelace_4711_assignsubmission_file" is Ada Lovelace, and her number for Moodle is 4711.
   False for another kind of name. */
bool moodle_name(const char *name, struct path *person, struct path *number);

#endif
