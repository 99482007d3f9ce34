/* A model whose every expansion takes half a minute: for tests of what happens to somebody who does not want
 * to wait that long. With -DNANOSECONDS=1000000 a thousand of them take a second, with 0 no time at all.
 *
 * It counts up to 1000000. With -DWIDE=5000 there are two levels instead: 0, and 1 to 5000, which are bad from
 * -DBAD_FROM=1 on.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <time.h>

#include "spillway/model_abi.h"

#ifndef NANOSECONDS
#define NANOSECONDS 30000000000
#endif
#ifndef WIDE
#define WIDE 1
#endif
#ifndef BAD_FROM
#define BAD_FROM 1
#endif

static size_t initial(spillway_rows *out) {
  if (out->capacity < 1) return 1;
  out->rows[0] = 0;
  if (out->rules != NULL) out->rules[0] = SPILLWAY_NO_RULE;
  return 1;
}

static size_t successors(const spillway_word *row, spillway_rows *out) {
  struct timespec time = {NANOSECONDS / 1000000000, NANOSECONDS % 1000000000};
  while (NANOSECONDS != 0 && nanosleep(&time, &time) != 0 && errno == EINTR) continue;
  const spillway_word last = WIDE == 1 ? 1000000 : 0;
  if (row[0] > last) return 0;
  for (size_t i = 0; i < WIDE && i < out->capacity; ++i) {
    out->rows[i] = row[0] + 1 + i;
    if (out->rules != NULL) out->rules[i] = 0;
  }
  return WIDE;
}

static const spillway_property property = {"narrow", SPILLWAY_INVARIANT};

static size_t check(const spillway_word *row, uint32_t *violated) {
  violated[0] = 0;
  return WIDE != 1 && row[0] >= BAD_FROM;
}

static const spillway_model model = {
    .abi = SPILLWAY_MODEL_ABI,
    .struct_bytes = sizeof(spillway_model),
    .name = "slow",
    .row_words = 1,
    .row_bits = 20,
    .rules = 1,
    .properties = 1,
    .property = &property,
    .check = check,
    .initial = initial,
    .successors = successors,
};

const spillway_model *spillway_model_get(uint32_t abi) { return abi == SPILLWAY_MODEL_ABI ? &model : NULL; }
