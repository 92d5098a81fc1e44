/* What needs no clock: bytes kept and bytes loaded. They depend on how wide the vectors are, so
   they are counted here, where the code is compiled for the machine. */
#ifndef COUNTED_H
#define COUNTED_H

/* Writes memory.dat and intensity.dat. */
void write_counted(const char *folder);

#endif
