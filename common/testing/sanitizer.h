/* Is this compiled with the address sanitizer? Then HAVE_SANITIZER is defined, and its runtime can
   be asked. */
#ifndef SANITIZER_H
#define SANITIZER_H

#include <stddef.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define HAVE_SANITIZER
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define HAVE_SANITIZER
#endif

#ifdef HAVE_SANITIZER
void __sanitizer_print_stack_trace(void);
void __sanitizer_symbolize_pc(void *pc, const char *format, char *text, size_t size);
void *__asan_get_report_address(void);
int __asan_get_report_access_type(void);
const char *__asan_get_report_description(void);
size_t __asan_get_alloc_stack(void *address, void **trace, size_t size, int *thread);
const char *__asan_locate_address(void *address, char *name, size_t size, void **region,
                                  size_t *region_size);
void *__asan_region_is_poisoned(void *first, size_t size);
#endif

#endif
