/* The sliding-tile puzzle: every board that sliding tiles can make of the solved one.
 *
 * expect: verified, states 181440, depth 31
 * expect(-DROWS=2 -DCOLUMNS=5): verified, states 1814400, depth 55
 * expect(-DBOARD=0,1,1,1,2,2,2,3,3): verified, states 5040, depth 24
 * expect(-DSOLVE): violated "unsolved", depth 31
 *
 *   -DROWS=3 -DCOLUMNS=4    the size of the board, 2 to 64 cells; 3x3 unless told
 *   -DBOARD=1,0,2,3         the board to start from, cell by cell; 0 is the blank, other tiles may be alike
 *   -DSOLVE                 look for the solved board: the counterexample to "unsolved" is a shortest solution
 *
 * The solved board is 0, 1, 2, ...: the blank is in the first cell.
 */
#include <stdio.h>
#include <string.h>

#include "spillway/model_abi.h"

#ifndef ROWS
#define ROWS 3
#endif
#ifndef COLUMNS
#define COLUMNS 3
#endif

_Static_assert((ROWS) >= 1 && (COLUMNS) >= 1, "ROWS and COLUMNS must be at least 1");
_Static_assert((ROWS) <= 64 && (COLUMNS) <= 64, "ROWS and COLUMNS must be at most 64");
_Static_assert((ROWS) * (COLUMNS) >= 2, "a board needs two cells: ROWS * COLUMNS must be at least 2");
_Static_assert((ROWS) * (COLUMNS) <= 64, "a board has room for 64 cells: ROWS * COLUMNS must be at most 64");

enum {
  CELLS = (ROWS) * (COLUMNS),
  BITS = CELLS <= 2 ? 1 : CELLS <= 4 ? 2 : CELLS <= 8 ? 3 : CELLS <= 16 ? 4 : CELLS <= 32 ? 5 : 6, /* of a cell */
  CELLS_PER_WORD = 64 / BITS,
  WORDS = (CELLS + CELLS_PER_WORD - 1) / CELLS_PER_WORD
};

/* BOARD is read where CELLS is known, so that a board of the wrong size is refused by the compiler. */
#if defined SOLVE && !defined BOARD
_Static_assert(CELLS == 9, "only 3x3 has a BOARD to start from: give one with -DBOARD=...");
#define BOARD 8, 0, 6, 5, 4, 7, 2, 3, 1 /* one of the two boards that need 31 moves, more than any other */
#endif
#ifdef BOARD
static const unsigned board[] = {BOARD};
_Static_assert(sizeof board / sizeof *board == CELLS, "BOARD must name ROWS * COLUMNS cells");
#endif

/* Row layout: cell 0 is the lowest field of the last word. So the first, most significant bits hold the
 * cells far from the corner where the blank starts; they change last. The compiler does not see that
 * all cells of a one-word row are in word 0, so it is told: successors are then made in registers. */
static unsigned word_of(unsigned cell) { return WORDS == 1 ? 0 : WORDS - 1 - cell / CELLS_PER_WORD; }
static unsigned shift_of(unsigned cell) { return (WORDS == 1 ? cell : cell % CELLS_PER_WORD) * BITS; }

#define ONES(bits) (UINT64_MAX >> (64 - (bits)))                 /* 0 < bits <= 64 */
#define EVERY(bits, count) (ONES((bits) * (count)) / ONES(bits)) /* bit 0, bit `bits`, bit 2*`bits`, ... */

static unsigned tile_in(const spillway_word *row, unsigned cell) {
  return (unsigned)(row[word_of(cell)] >> shift_of(cell) & ONES(BITS));
}

/* Subtracting one from every field of a word borrows from its top bit where the field was zero. Fields
 * above a zero may lie, the lowest one does not: and the blank is the lowest zero, because fields that
 * hold no cell are above all that do. */
static unsigned blank_in(const spillway_word *row) {
  const spillway_word lowest = EVERY(BITS, CELLS_PER_WORD);
  const spillway_word highest = lowest << (BITS - 1);
  for (unsigned word = 0;; ++word) {
    const spillway_word fields = row[WORDS - 1 - word];
    const spillway_word zeros = (fields - lowest) & ~fields & highest;
    if (word == WORDS - 1 || zeros != 0) return word * CELLS_PER_WORD + (unsigned)__builtin_ctzll(zeros) / BITS;
  }
}

/* Moves the tile of cell `from` to the cell `blank`. Nothing happens when they are the same. */
static void slide(const spillway_word *row, unsigned blank, unsigned from, spillway_word *next) {
  const spillway_word tile = tile_in(row, from);
  memcpy(next, row, WORDS * sizeof *row);
  next[word_of(blank)] ^= tile << shift_of(blank);
  next[word_of(from)] ^= tile << shift_of(from);
}

enum direction { UP, DOWN, LEFT, RIGHT, DIRECTIONS }; /* where the blank goes */

struct moves {
  spillway_word *rows;
  uint32_t *rules;
  size_t count;
};

/* Adds the board after a move. Whether a move is possible is as good as random, so a branch would be
 * mispredicted: an impossible move is written as well, as a copy of the board, but not counted. */
static void move(const spillway_word *row, struct moves *moves, enum direction direction, unsigned blank,
                 unsigned possible, int distance) {
  const unsigned from = blank + possible * (unsigned)distance;
  slide(row, blank, from, moves->rows + moves->count * WORDS);
  moves->rules[moves->count] = direction;
  moves->count += possible;
}

/* Needs room for DIRECTIONS rows and rules. */
static size_t all_moves(const spillway_word *state, spillway_word *rows, uint32_t *rules) {
  const uint64_t left_column = EVERY(COLUMNS, ROWS); /* one bit a cell */
  const uint64_t right_column = left_column << (COLUMNS - 1);
  spillway_word row[WORDS]; /* a copy stays in registers: no successor can overwrite it */
  memcpy(row, state, sizeof row);
  const unsigned blank = blank_in(row);
  struct moves moves = {rows, rules, 0};
  move(row, &moves, UP, blank, blank >= COLUMNS, -COLUMNS);
  move(row, &moves, DOWN, blank, blank + COLUMNS < CELLS, COLUMNS);
  move(row, &moves, LEFT, blank, ~left_column >> blank & 1, -1);
  move(row, &moves, RIGHT, blank, ~right_column >> blank & 1, 1);
  return moves.count;
}

/* For callers with little room: makes all moves elsewhere, and hands over as many as fit. */
static size_t few_moves(const spillway_word *row, spillway_rows *out) {
  spillway_word rows[DIRECTIONS * WORDS];
  uint32_t rules[DIRECTIONS];
  const size_t count = all_moves(row, rows, rules);
  const size_t fitting = out->capacity < count ? out->capacity : count;
  if (fitting == 0) return count;
  memcpy(out->rows, rows, fitting * WORDS * sizeof *rows);
  if (out->rules != NULL) memcpy(out->rules, rules, fitting * sizeof *rules);
  return count;
}

static size_t successors(const spillway_word *row, spillway_rows *out) {
  uint32_t unwanted[DIRECTIONS];
  if (out->capacity < DIRECTIONS) return few_moves(row, out);
  return all_moves(row, out->rows, out->rules != NULL ? out->rules : unwanted);
}

static void put(spillway_word *row, unsigned cell, unsigned tile) {
  row[word_of(cell)] |= (spillway_word)tile << shift_of(cell);
}

static size_t initial(spillway_rows *out) {
#ifdef BOARD
  unsigned blanks = 0;
  for (unsigned cell = 0; cell < CELLS; ++cell) {
    blanks += board[cell] == 0;
    if (board[cell] >= CELLS) out->failure = "BOARD has a tile that is not below ROWS * COLUMNS";
  }
  if (blanks != 1) out->failure = "BOARD needs one cell that is 0, the blank";
#ifdef SOLVE
  uint64_t seen = 0;
  for (unsigned cell = 0; cell < CELLS; ++cell) seen |= board[cell] < CELLS ? UINT64_C(1) << board[cell] : 0;
  if (seen != ONES(CELLS)) out->failure = "BOARD does not name every tile from 0 to ROWS * COLUMNS - 1";
#endif
  if (out->failure != NULL) return 0;
#endif
  if (out->capacity < 1) return 1;
  memset(out->rows, 0, WORDS * sizeof *out->rows);
  for (unsigned cell = 0; cell < CELLS; ++cell) {
#ifdef BOARD
    put(out->rows, cell, board[cell]);
#else
    put(out->rows, cell, cell);
#endif
  }
  if (out->rules != NULL) out->rules[0] = SPILLWAY_NO_RULE;
  return 1;
}

#ifdef SOLVE
static const spillway_property unsolved = {"unsolved", SPILLWAY_INVARIANT};

static size_t check(const spillway_word *row, uint32_t *violated) {
  for (unsigned cell = 0; cell < CELLS; ++cell)
    if (tile_in(row, cell) != cell) return 0;
  violated[0] = 0;
  return 1;
}
#endif

static size_t rule_name(uint32_t rule, char *text, size_t room) {
  static const char *const names[DIRECTIONS] = {"up", "down", "left", "right"};
  return (size_t)snprintf(text, room, "%s", names[rule]);
}

static size_t variable_name(uint32_t cell, char *text, size_t room) {
  return (size_t)snprintf(text, room, "cell[%u,%u]", (unsigned)cell / COLUMNS, (unsigned)cell % COLUMNS);
}

static size_t variable_value(const spillway_word *row, uint32_t cell, char *text, size_t room) {
  const unsigned tile = tile_in(row, cell);
  return (size_t)(tile == 0 ? snprintf(text, room, ".") : snprintf(text, room, "%u", tile));
}

#define TEXT_OF(tokens) #tokens
#define TEXT(macro) TEXT_OF(macro)

static const spillway_model model = {
    .abi = SPILLWAY_MODEL_ABI,
    .struct_bytes = sizeof(spillway_model),
    .name = "tiles " TEXT(ROWS) "x" TEXT(COLUMNS),
    .row_words = WORDS,
    .row_bits = CELLS * BITS,
    .rules = DIRECTIONS,
    .variables = CELLS,
    .deadlock = SPILLWAY_DEADLOCK_OFF,
#ifdef SOLVE
    .properties = 1,
    .property = &unsolved,
    .check = check,
#endif
    .initial = initial,
    .successors = successors,
    .rule_name = rule_name,
    .variable_name = variable_name,
    .variable_value = variable_value,
};

const spillway_model *spillway_model_get(uint32_t abi) { return abi == SPILLWAY_MODEL_ABI ? &model : NULL; }
