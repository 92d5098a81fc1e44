/* The students of the class, from ROSTER=: student_id,last_name,first_name,email. */
#ifndef ROSTER_H
#define ROSTER_H

#include "grade/class/class.h"

struct student {
    const char *id, *last, *first, *email;
    const char *canvas_id, *login, *section; /* columns that a roster of Canvas's has besides */
    const char *names[2];                    /* the name's letters alone: "adaking" and "kingada" */
};

struct roster {
    struct student *students;
    int count;
};

/* Reads ROSTER=; NULL: it is empty. Ends the program, with a line, if it is no roster. */
struct roster roster_read(const char *path);

/* Finds the student of each submission, and adds an empty submission for everybody else. */
void roster_join(const struct roster *roster, struct class *class);

/* "Ada Lovelace_4711_assignsubmission_file" is Ada Lovelace, whose number for Moodle is 4711.
   False for another kind of name. */
bool moodle_name(const char *name, struct path *person, struct path *number);

#endif
