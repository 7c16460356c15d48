/* What is noted of each query where a run is only checked, and none of its rows is wanted. */

#ifndef TOPRUNG_NOTES_H
#define TOPRUNG_NOTES_H

#include "order.h"

/* Where its id begins and ends in the text, its first line, and what place_wanted saw of its rows. */
typedef struct { int64_t id_at, id_end, line, rows, tied, highest_rank, contradicts; } Note;

struct Notes {
    Note *of;
    size_t n, room;
    const char *text;
};

static void forget_notes(Notes *notes) { notes->n = 0; }

static int note_query(const Scan *scan, Notes *notes) {
    if (notes->n == notes->room) {
        size_t room = notes->room ? 2 * notes->room : 256;
        Note *more = realloc(notes->of, room * sizeof(Note));
        if (!more) return NO_MEMORY;
        notes->of = more;
        notes->room = room;
    }
    int64_t id_at = scan->query_id.at - notes->text;
    notes->of[notes->n++] = (Note){.id_at = id_at, .id_end = id_at + (int64_t)scan->query_id.size,
                                   .line = scan->first_line, .rows = (int64_t)scan->n_rows,
                                   .tied = (int64_t)scan->n_tied, .highest_rank = scan->highest_rank,
                                   .contradicts = scan->contradicts};
    return OK;
}

#endif
