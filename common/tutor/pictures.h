/* The pictures of a lesson in the homework report: drawn, or waiting for exercises; with their
   questions, and the learner's answers. */
#pragma once

#include "course/lesson.h"

/* A line for each picture: its name, and the exercises that it waits for. */
void pictures_list(const struct lesson *lesson);

/* As Markdown; `answers` is the learner's file, with a "## name" before each answer. */
void pictures_report(const struct lesson *lesson, const char *answers);
