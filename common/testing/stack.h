/* Which functions are being called, on standard error: of the program that is linked with this,
   also when its time is up (SIGXCPU, SIGPROF), which ends it. */
#ifndef STACK_H
#define STACK_H

#define STACK_TIME_IS_UP 124 /* the exit status then */

/* `exact`: where a signal struck, or NULL. */
void stack_print(const char *exact);

/* The instruction at which a signal struck; NULL on machines where we do not know how to read it.
 */
const char *stack_interrupted_at(void *context);

#endif
