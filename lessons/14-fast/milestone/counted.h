/* Bytes stored and bytes loaded, which need no measurement. They depend on the width of the
   vectors, so they are counted here, where the code is compiled for the machine. */
#ifndef COUNTED_H
#define COUNTED_H

/* Writes memory.dat and intensity.dat. */
void write_counted(const char *folder);

#endif
