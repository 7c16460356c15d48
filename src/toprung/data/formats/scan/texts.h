/* Texts that stay where they are, their hashes, and the tables they are looked up in. */

#ifndef TOPRUNG_TEXTS_H
#define TOPRUNG_TEXTS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { const char *at; size_t size; } Text;

/* Loops that other functions' variables would rob of their registers: a tenth slower with gcc 12. */
#ifdef __GNUC__
#define ON_ITS_OWN __attribute__((noinline))
#else
#define ON_ITS_OWN
#endif

static uint64_t hash_seed; /* random per process, so that no file can be made to collide */

static inline uint64_t mix(uint64_t h) {
    h ^= h >> 32; h *= 0xd6e8feb86659fd93ULL;
    h ^= h >> 29; h *= 0xa0761d6478bd642fULL;
    return h ^ (h >> 32);
}

/* Up to eight bytes as one number, with loads of fixed size only. */
static inline uint64_t load_short(const char *p, size_t n) {
    uint32_t head, tail;
    if (n >= 4) {
        memcpy(&head, p, 4);
        memcpy(&tail, p + n - 4, 4);
        return (uint64_t)head << 32 | tail;
    }
    if (n == 0) return 0;
    return (uint64_t)(unsigned char)p[0] << 16 | (uint64_t)(unsigned char)p[n / 2] << 8 | (unsigned char)p[n - 1];
}

/* `start` has to differ with the size of the text. */
static inline uint64_t hash_from(uint64_t start, Text text) {
    uint64_t h = start, word;
    const char *p = text.at;
    size_t left = text.size;
    for (; left > 8; p += 8, left -= 8) {
        memcpy(&word, p, 8);
        h = mix(h ^ word);
    }
    return mix(h ^ load_short(p, left));
}

/* Texts of other sizes may well share it: whoever looks one up compares the texts too. */
static inline uint64_t hash_text(Text text) { return hash_from(hash_seed + text.size, text); }

/* The same in every process and for ever, since it is written to files. */
static const uint64_t stored_seed = 0x9fb21c651e98df25ULL;

/* Nothing is compared but this, so the size is mixed in before the first byte: "d7" and "d78" must not share it. */
static inline uint64_t hash_stored(Text text) { return hash_from(mix(stored_seed + text.size), text); }

/* As memcmp(a, b, n) == 0, without a call: most of what is compared is shorter than a call takes. */
static inline int same_bytes(const char *a, const char *b, size_t n) {
    uint64_t x, y;
    if (n <= 8) return load_short(a, n) == load_short(b, n);
    for (; n > 8; a += 8, b += 8, n -= 8) {
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        if (x != y) return 0;
    }
    memcpy(&x, a + n - 8, 8);
    memcpy(&y, b + n - 8, 8);
    return x == y;
}

static inline int same_text(Text a, Text b) { return a.size == b.size && same_bytes(a.at, b.at, a.size); }

/* ---- a hash table of texts, emptied in constant time by moving to the next epoch ---- */

typedef struct { uint64_t hash; Text text; uint32_t epoch; uint32_t item; } Slot;
typedef struct { Slot *slots; size_t mask, used; uint32_t epoch; } Table;

static int table_init(Table *table, size_t expected) {
    size_t size = 16;
    while (size < 2 * expected) size *= 2;
    *table = (Table){calloc(size, sizeof(Slot)), size - 1, 0, 1};
    return table->slots != NULL;
}

static void table_clear(Table *table) {
    table->used = 0;
    if (++table->epoch == 0) { /* wrapped round: old stamps could look current */
        memset(table->slots, 0, (table->mask + 1) * sizeof(Slot));
        table->epoch = 1;
    }
}

static inline Slot *table_find(const Table *table, uint64_t hash, Text text) {
    size_t i = hash & table->mask;
    for (;; i = (i + 1) & table->mask) {
        Slot *slot = &table->slots[i];
        if (slot->epoch != table->epoch) return slot; /* free */
        if (slot->hash == hash && same_text(slot->text, text)) return slot;
    }
}

static inline int slot_is_taken(const Table *table, const Slot *slot) { return slot->epoch == table->epoch; }

static int table_grow(Table *table) {
    Table bigger;
    if (!table_init(&bigger, table->mask + 1)) return 0;
    for (size_t i = 0; i <= table->mask; i++) {
        const Slot *old = &table->slots[i];
        if (!slot_is_taken(table, old)) continue;
        Slot *slot = table_find(&bigger, old->hash, old->text);
        *slot = *old;
        slot->epoch = bigger.epoch;
    }
    bigger.used = table->used;
    free(table->slots);
    *table = bigger;
    return 1;
}

/* Returns the slot of the text; *is_new says whether it was added with this item. NULL: no memory. */
static inline Slot *table_add(Table *table, uint64_t hash, Text text, uint32_t item, int *is_new) {
    if (2 * table->used > table->mask && !table_grow(table)) return NULL;
    Slot *slot = table_find(table, hash, text);
    *is_new = !slot_is_taken(table, slot);
    if (*is_new) {
        *slot = (Slot){hash, text, table->epoch, item};
        table->used++;
    }
    return slot;
}

#endif
