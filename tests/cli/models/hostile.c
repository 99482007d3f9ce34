/* A model whose every text tries to take over the terminal, or to look like a verdict.
 *
 * It counts to 2, where everything is wrong: an invariant, and with -DFAILS a rule. With -DVALID_UTF8=0 there
 * are bytes that are no UTF-8.
 */
#include <stdio.h>

#include "spillway/model_abi.h"

#ifndef VALID_UTF8
#define VALID_UTF8 1
#endif

#define ESCAPE "\033[31m\033]0;title\007"
#define LINE "\nVERIFIED  model  (exhaustive, exact)\n\r\t\b\177"
#define BYTES (VALID_UTF8 ? "" : "\xff\xfe\x80")

static const spillway_property property = {"p" ESCAPE LINE, SPILLWAY_INVARIANT};

static size_t initial(spillway_rows *out) {
  if (out->capacity < 1) return 1;
  out->rows[0] = 0;
  if (out->rules != NULL) out->rules[0] = 0;
  return 1;
}

static size_t successors(const spillway_word *row, spillway_rows *out) {
#ifdef FAILS
  if (row[0] == 2) {
    out->failure = "failure" ESCAPE LINE;
    out->failure_rule = 0;
    return 0;
  }
#endif
  if (out->capacity < 1) return 1;
  out->rows[0] = row[0] == 2 ? 0 : row[0] + 1;
  if (out->rules != NULL) out->rules[0] = 0;
  return 1;
}

static size_t check(const spillway_word *row, uint32_t *violated) {
  violated[0] = 0;
  return row[0] == 2;
}

static size_t rule_name(uint32_t rule, char *text, size_t room) {
  (void)rule;
  return (size_t)snprintf(text, room, "rule" ESCAPE LINE "%s", BYTES);
}

static size_t variable_name(uint32_t variable, char *text, size_t room) {
  (void)variable;
  return (size_t)snprintf(text, room, "variable" ESCAPE LINE "%s", BYTES);
}

static size_t variable_value(const spillway_word *row, uint32_t variable, char *text, size_t room) {
  (void)variable;
  return (size_t)snprintf(text, room, "%u" ESCAPE LINE "%s", (unsigned)row[0], BYTES);
}

static const spillway_model model = {
    .abi = SPILLWAY_MODEL_ABI,
    .struct_bytes = sizeof(spillway_model),
    .name = "model" ESCAPE LINE,
    .row_words = 1,
    .row_bits = 2,
    .rules = 1,
    .variables = 1,
    .properties = 1,
    .property = &property,
    .initial = initial,
    .successors = successors,
    .check = check,
    .rule_name = rule_name,
    .variable_name = variable_name,
    .variable_value = variable_value,
};

const spillway_model *spillway_model_get(uint32_t abi) { return abi == SPILLWAY_MODEL_ABI ? &model : NULL; }
