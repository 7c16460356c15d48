/* Copies of texts that have to outlive the batch or the piece of a file that they stand in. */

#ifndef TOPRUNG_COPIES_H
#define TOPRUNG_COPIES_H

#include "queries.h"

typedef struct Copies { struct Copies *next; char bytes[]; } Copies;

static void copies_release(Copies **copies) {
    while (*copies) {
        Copies *next = (*copies)->next;
        free(*copies);
        *copies = next;
    }
}

/* Room for so many bytes, or NULL. */
static char *copies_add(Copies **copies, size_t size) {
    Copies *added = malloc(sizeof(Copies) + size + 1);
    if (!added) return NULL;
    added->next = *copies;
    *copies = added;
    return added->bytes;
}

/* Lets the text point to a copy of itself. Returns 0 where there is no memory. */
static int copy_text(Copies **copies, Text *text) {
    char *to = copies_add(copies, text->size);
    if (!to) return 0;
    if (text->size) memcpy(to, text->at, text->size);
    text->at = to;
    return 1;
}

/* The same for the documents of rows. */
static int copy_docs(Copies **copies, Row *rows, size_t n) {
    size_t size = 0;
    for (size_t i = 0; i < n; i++) size += rows[i].doc.size;
    char *to = copies_add(copies, size);
    if (!to) return 0;
    for (size_t i = 0; i < n; i++) {
        if (rows[i].doc.size) memcpy(to, rows[i].doc.at, rows[i].doc.size);
        rows[i].doc.at = to;
        to += rows[i].doc.size;
    }
    return 1;
}

#endif
