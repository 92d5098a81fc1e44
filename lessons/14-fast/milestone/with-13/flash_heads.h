/* Lesson 13's machine on lesson 14's functions. The linker puts each function __wrap_NAME of this
   folder in the place of the NAME that `instead` lists; what stood there is still to be had, as
   __real_NAME. */
#ifndef FLASH_HEADS_H
#define FLASH_HEADS_H

#include <stdbool.h>

/* Shall heads attend by flash_attention? Yes, unless somebody compares. */
extern bool flash_is_wanted;

#endif
