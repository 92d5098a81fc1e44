/* Where a file is graded, a test that bounds the work takes the number of steps on trust: who is
   judged may count less. What cannot be changed from inside is the CPU time of the box. */
#pragma once

#include "check/trial.h"

/* A test of that kind which has passed fails if it takes many times as long as with the reference,
   in a box of the same kind, each time that both run. */
void cost_judge(struct trial *trial, const char *program);
