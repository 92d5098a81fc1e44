/* The transformer of lesson 13 with the functions of lesson 14. The linker replaces each function
   NAME that `instead` lists by __wrap_NAME of this folder. The old one is still available as
   __real_NAME. */
#ifndef FLASH_HEADS_H
#define FLASH_HEADS_H

#include <stdbool.h>

/* Do heads use flash_attention? Yes, except for comparisons. */
extern bool flash_is_wanted;

#endif
