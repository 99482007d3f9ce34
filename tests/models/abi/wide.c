/* A tree of STATES states, two below each, in rows of WORDS words that look like noise.
 *
 * For tests of memory: nothing of a row can be packed or left out, rows are as wide as one wants, and levels grow so
 * fast that the last three have most of the states. State i has the successors 2i + 1 and 2i + 2, as far as there are
 * such states, and the one above it, which was met before.
 *
 * expect: verified, states 20000, transitions 39998, depth 14
 * expect(-DSTATES=3000 -DWORDS=47): verified, states 3000, transitions 5998, depth 11
 */
#include "spillway/model_abi.h"

#ifndef STATES
#define STATES 20000
#endif
#ifndef WORDS
#define WORDS 1
#endif

_Static_assert((WORDS) >= 1 && (WORDS) <= SPILLWAY_MAX_ROW_WORDS, "WORDS must be 1 to SPILLWAY_MAX_ROW_WORDS");

/* A product of two is 1, modulo 2^64: so a state is known by its first word. */
#define TIMES UINT64_C(0x9e3779b97f4a7c15)
#define BACK UINT64_C(0xf1de83e19937733d)
_Static_assert(TIMES * BACK == 1, "one undoes the other");

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static void put(spillway_word *row, uint64_t i) {
  row[0] = i * TIMES;
  for (uint64_t word = 1; word < (WORDS); ++word) row[word] = mix(i * (WORDS) + word);
}

static size_t initial(spillway_rows *out) {
  if (out->capacity < 1) return 1;
  put(out->rows, 0);
  if (out->rules != NULL) out->rules[0] = SPILLWAY_NO_RULE;
  return 1;
}

static size_t successors(const spillway_word *row, spillway_rows *out) {
  const uint64_t i = row[0] * BACK;
  const uint64_t next[3] = {2 * i + 1, 2 * i + 2, i == 0 ? UINT64_MAX : (i - 1) / 2};
  size_t count = 0;
  for (uint32_t rule = 0; rule < 3; ++rule) {
    if (next[rule] >= (STATES)) continue;
    if (count < out->capacity) {
      put(out->rows + count * (WORDS), next[rule]);
      if (out->rules != NULL) out->rules[count] = rule;
    }
    ++count;
  }
  return count;
}

static const spillway_model model = {
    .abi = SPILLWAY_MODEL_ABI,
    .struct_bytes = sizeof(spillway_model),
    .name = "wide",
    .row_words = WORDS,
    .row_bits = 64 * (WORDS),
    .rules = 3,
    .deadlock = SPILLWAY_DEADLOCK_OFF,
    .initial = initial,
    .successors = successors,
};

const spillway_model *spillway_model_get(uint32_t abi) { return abi == SPILLWAY_MODEL_ABI ? &model : NULL; }
