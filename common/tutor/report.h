/* The homework report as Markdown: what passed, the pictures with their captions, the code. */
#ifndef REPORT_H
#define REPORT_H

#include "lesson.h"

/* One lesson; its pictures lie in plots/ beside its results. */
void report_overview(const struct lesson *lesson); /* a row of the table of lessons */
void report_lesson(const struct lesson *lesson);

#endif
