/* State 0 leads to itself and to a way of LATER more steps, whose last state leads nowhere: its successors are left
 * out because of an assumption, unless it ENDS. So the states of the way are on no run. Proposition p holds in state 0. */
#include "spillway/model_abi.h"

#ifndef LATER
#define LATER 0
#endif
#ifndef ENDS
#define ENDS 0
#endif

static size_t put(spillway_rows *out, size_t count, spillway_word state) {
  if (count < out->capacity) {
    out->rows[count] = state;
    if (out->rules != NULL) out->rules[count] = 0;
  }
  return count + 1;
}

static size_t initial(spillway_rows *out) { return put(out, 0, 0); }

static size_t successors(const spillway_word *row, spillway_rows *out) {
  size_t count = row[0] == 0 ? put(out, 0, 0) : 0;
  if (row[0] <= LATER) return put(out, count, row[0] + 1);
  out->left_out = !ENDS;
  return count;
}

static const char *const proposition[] = {"p", NULL};

static int evaluate(const spillway_word *row, uint64_t *letter) {
  *letter = row[0] == 0;
  return 0;
}

static const spillway_model model = {
    .abi = SPILLWAY_MODEL_ABI,
    .struct_bytes = sizeof(spillway_model),
    .name = "left out",
    .row_words = 1,
    .row_bits = 8,
    .rules = 1,
    .deadlock = SPILLWAY_DEADLOCK_OFF,
    .initial = initial,
    .successors = successors,
    .proposition = proposition,
    .evaluate = evaluate,
};

const spillway_model *spillway_model_get(uint32_t abi) { return abi == SPILLWAY_MODEL_ABI ? &model : NULL; }
