/* Prints the tokens of a story as they come, in lines of at most 78 letters. */
#ifndef PAGE_H
#define PAGE_H

enum { LONGEST_WORD = 76 };

/* A word is held back until it ends, because it may have to begin a new line. */
struct page {
    int column, spaces, held;
    char word[4 * LONGEST_WORD];
};

/* Prints n bytes of a text, in which a character may be incomplete. */
void page_add(struct page *page, int n, const char *text);

/* Prints what is held back, and ends the line. */
void page_end(struct page *page);

/* Copies n bytes as a string that any terminal can show: a byte that belongs to no letter becomes a
   question mark. Returns the number of letters. `to` has space for n + 1 bytes. */
int clean_text(int n, const char *text, char *to);

#endif
