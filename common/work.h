/* How many basic blocks of a lesson's own code have run: 0 where the compiler cannot count them.
   Time on a busy machine proves nothing; this number is the same at every run. */
#ifndef WORK_H
#define WORK_H

extern unsigned long work_done;

#endif
