/* A hypercube of DIMENSIONS bits: each of them can be flipped at any time.
 *
 * For tests: level l has binomial(DIMENSIONS, l) states, so every count is known beforehand, and rows can
 * be made as wide as the interface allows. With WORDS > 1 bit i is bit i / WORDS of word i % WORDS: all
 * words take part, which no storage that looks at the first words only survives.
 *
 * expect: verified, states 1048576, transitions 20971520, depth 20
 * expect(-DDIMENSIONS=12 -DWORDS=3): verified, states 4096, transitions 49152, depth 12
 * expect(-DDIMENSIONS=10 -DWORDS=8192): verified, states 1024, transitions 10240, depth 10
 *
 * It has no rule names and no variables, so that a tool must show indices and words.
 */
#include <string.h>

#include "spillway/model_abi.h"

#ifndef DIMENSIONS
#define DIMENSIONS 20
#endif
#ifndef WORDS
#define WORDS 1
#endif

_Static_assert((WORDS) >= 1 && (WORDS) <= SPILLWAY_MAX_ROW_WORDS, "WORDS must be 1 to SPILLWAY_MAX_ROW_WORDS");
_Static_assert((DIMENSIONS) >= 1 && (DIMENSIONS) <= 64 * (WORDS), "DIMENSIONS must be 1 to 64 * WORDS");

static size_t initial(spillway_rows *out) {
  if (out->struct_bytes < sizeof *out) { /* as a model does that uses a member added later */
    out->failure = "this version of Spillway is older than the model";
    return 0;
  }
  if (out->capacity < 1) return 1;
  memset(out->rows, 0, (WORDS) * sizeof *out->rows);
  if (out->rules != NULL) out->rules[0] = SPILLWAY_NO_RULE;
  return 1;
}

static size_t successors(const spillway_word *row, spillway_rows *out) {
  for (size_t i = 0; i < (DIMENSIONS) && i < out->capacity; ++i) {
    spillway_word *next = out->rows + i * (WORDS);
    memcpy(next, row, (WORDS) * sizeof *row);
    next[i % (WORDS)] ^= UINT64_C(1) << (i / (WORDS));
    if (out->rules != NULL) out->rules[i] = (uint32_t)i;
  }
  return DIMENSIONS;
}

static const spillway_model model = {
    .abi = SPILLWAY_MODEL_ABI,
    .struct_bytes = sizeof(spillway_model),
    .name = "hypercube",
    .row_words = WORDS,
    .row_bits = DIMENSIONS,
    .rules = DIMENSIONS,
    .deadlock = SPILLWAY_DEADLOCK_STUCK,
    .initial = initial,
    .successors = successors,
};

const spillway_model *spillway_model_get(uint32_t abi) { return abi == SPILLWAY_MODEL_ABI ? &model : NULL; }
