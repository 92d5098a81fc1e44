/* A lesson's text at the terminal: Markdown and its formulas as 80 columns of plain text. */
#ifndef READ_H
#define READ_H

/* Prints it. 0 if every formula could be read; otherwise it says where one could not. */
int read_text(const char *path);

#endif
