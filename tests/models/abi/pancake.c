/* Pancake sorting: a stack of SIZE pancakes, of which any top part can be turned over.
 *
 * For tests: the state space has a published size and depth, many transitions a state, every state is
 * reached in many ways, and rules beyond the fourth (tiles has four).
 *
 * expect: verified, states 362880, transitions 2903040, depth 10
 * expect(-DSIZE=8): verified, states 40320, transitions 282240, depth 9
 * expect(-DSIZE=10): verified, states 3628800, transitions 32659200, depth 11
 */
#include <stdio.h>

#include "spillway/model_abi.h"

#ifndef SIZE
#define SIZE 9
#endif

_Static_assert((SIZE) >= 2, "there is nothing to sort: SIZE must be at least 2");
_Static_assert((SIZE) <= 16, "a row has room for 16 pancakes: SIZE must be at most 16");

enum { BITS = 4, RULES = (SIZE)-1 }; /* rule r turns the top r+2 pancakes over */

/* The top pancake is in the lowest bits, since every rule moves it. */
static spillway_word pancake(spillway_word stack, unsigned place) { return stack >> (BITS * place) & 15; }

static spillway_word turned_over(spillway_word stack, unsigned pancakes) {
  for (unsigned top = 0, bottom = pancakes - 1; top < bottom; ++top, --bottom) {
    const spillway_word difference = pancake(stack, top) ^ pancake(stack, bottom);
    stack ^= difference << (BITS * top) | difference << (BITS * bottom);
  }
  return stack;
}

static void put(spillway_rows *out, size_t index, spillway_word stack, uint32_t rule) {
  if (index >= out->capacity) return;
  out->rows[index] = stack;
  if (out->rules != NULL) out->rules[index] = rule;
}

static size_t initial(spillway_rows *out) {
  spillway_word sorted = 0;
  for (unsigned place = 0; place < SIZE; ++place) sorted |= (spillway_word)place << (BITS * place);
  put(out, 0, sorted, SPILLWAY_NO_RULE);
  return 1;
}

static size_t successors(const spillway_word *row, spillway_rows *out) {
  for (unsigned rule = 0; rule < RULES; ++rule) put(out, rule, turned_over(row[0], rule + 2), rule);
  return RULES;
}

static size_t rule_name(uint32_t rule, char *text, size_t room) {
  return (size_t)snprintf(text, room, "turn %u over", (unsigned)rule + 2);
}

static size_t variable_name(uint32_t place, char *text, size_t room) {
  return (size_t)snprintf(text, room, "pancake[%u]", (unsigned)place);
}

static size_t variable_value(const spillway_word *row, uint32_t place, char *text, size_t room) {
  return (size_t)snprintf(text, room, "%u", (unsigned)pancake(row[0], place));
}

static const spillway_model model = {
    .abi = SPILLWAY_MODEL_ABI,
    .struct_bytes = sizeof(spillway_model),
    .name = "pancake",
    .row_words = 1,
    .row_bits = BITS * (SIZE),
    .rules = RULES,
    .variables = SIZE,
    .deadlock = SPILLWAY_DEADLOCK_STUCK,
    .initial = initial,
    .successors = successors,
    .rule_name = rule_name,
    .variable_name = variable_name,
    .variable_value = variable_value,
};

const spillway_model *spillway_model_get(uint32_t abi) { return abi == SPILLWAY_MODEL_ABI ? &model : NULL; }
