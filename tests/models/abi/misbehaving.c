/* A model that breaks one rule of the interface, or comes close to one: -DMISBEHAVE=WRONG_ABI and so on.
 *
 * For tests: a tool must refuse such a model with a sentence, never crash, hang or give a wrong verdict.
 *
 * The model counts from 0, and its invariant fails at 20. So a run that gets there prints a trace, and
 * calls every function of the table for it.
 *
 * expect: violated "below twenty", depth 20
 *
 * Refused when the object is loaded:
 *   expect(-DMISBEHAVE=WRONG_ABI): error               compiled for another version
 *   expect(-DMISBEHAVE=SHORT_TABLE): error             a table that ends before what every model needs
 *   expect(-DMISBEHAVE=NO_TABLE): error                spillway_model_get() returns NULL
 *   expect(-DMISBEHAVE=NO_WORDS): error                rows of no words
 *   expect(-DMISBEHAVE=TOO_MANY_WORDS): error          rows of one word more than allowed
 *   expect(-DMISBEHAVE=TOO_MANY_BITS): error           more bits than the row has
 *   expect(-DMISBEHAVE=NO_SUCCESSORS): error           successors is NULL
 *   expect(-DMISBEHAVE=NO_INITIAL): error              initial is NULL
 *   expect(-DMISBEHAVE=NO_CHECK): error                an invariant, but check is NULL
 *   expect(-DMISBEHAVE=NO_PROPERTY_TABLE): error       properties, but property is NULL
 *   expect(-DMISBEHAVE=UNKNOWN_DEADLOCK): error        a deadlock convention that does not exist
 *
 * Found out while the model runs:
 *   expect(-DMISBEHAVE=UNKNOWN_RULE): error            a successor of a rule that does not exist
 *   expect(-DMISBEHAVE=UNKNOWN_INVARIANT): error       check() reports a property that does not exist
 *   expect(-DMISBEHAVE=UNKNOWN_ASSERTION): error       a failure names a property that does not exist
 *   expect(-DMISBEHAVE=CHANGING_CONTENT): error        other successors on every call: no trace can be found
 *   expect(-DMISBEHAVE=RUN_TIME_FAILURE): runtime-error  a rule that cannot be carried out, at depth 7
 *   expect(-DMISBEHAVE=NO_START): error                no initial states
 *
 * Allowed, or harmless, but easily got wrong by a tool:
 *   expect(-DMISBEHAVE=CHANGING_ORDER): violated "below twenty", depth 20     or error: the order is promised
 *   expect(-DMISBEHAVE=FAILING_ASSERTION): violated "never seven", depth 7
 *   expect(-DMISBEHAVE=MANY_SUCCESSORS): violated "below twenty", depth 20    5000 successors of state 0
 *   expect(-DMISBEHAVE=LONG_TEXTS): violated "below twenty", depth 20         names and values of 10000 characters
 */
#include <stdatomic.h>
#include <stdio.h>

#include "spillway/model_abi.h"

enum {
  NOTHING, WRONG_ABI, SHORT_TABLE, NO_TABLE, NO_WORDS, TOO_MANY_WORDS, TOO_MANY_BITS, NO_SUCCESSORS,
  NO_INITIAL, NO_CHECK, NO_PROPERTY_TABLE, UNKNOWN_DEADLOCK, UNKNOWN_RULE, UNKNOWN_INVARIANT,
  UNKNOWN_ASSERTION, CHANGING_CONTENT, RUN_TIME_FAILURE, NO_START, CHANGING_ORDER, FAILING_ASSERTION,
  MANY_SUCCESSORS, LONG_TEXTS
};

#ifndef MISBEHAVE
#define MISBEHAVE NOTHING
#endif

enum { LIMIT = 20, FAILING_AT = 7, MANY = 5000, LONG = 10000 };
enum { RULE_COUNTS, RULE_STUTTERS, RULES };
enum { BELOW_TWENTY, NEVER_SEVEN, PROPERTIES };

static const spillway_property properties[PROPERTIES] = {
    {"below twenty", SPILLWAY_INVARIANT},
    {"never seven", SPILLWAY_ASSERTION},
};

/* The count is in the lower half of the row. The upper half is 0, but for CHANGING_CONTENT. */
static uint32_t count_in(const spillway_word *row) { return (uint32_t)row[0]; }

/* What no model may have: a state of its own. Atomic, for the tool may call from many threads. */
static uint32_t calls_so_far(void) {
  static atomic_uint calls;
  return atomic_fetch_add(&calls, 1);
}

static void put(spillway_rows *out, size_t index, spillway_word row, uint32_t rule) {
  if (index >= out->capacity) return;
  out->rows[index] = row;
  if (out->rules != NULL) out->rules[index] = MISBEHAVE == UNKNOWN_RULE ? RULES + 5 : rule;
}

static size_t initial(spillway_rows *out) {
  if (MISBEHAVE == NO_START) return 0;
  put(out, 0, 0, SPILLWAY_NO_RULE);
  return 1;
}

/* True: the rule failed, and its successor is left out. */
static int fails(uint32_t count, spillway_rows *out) {
  if (count != FAILING_AT) return 0;
  if (MISBEHAVE != RUN_TIME_FAILURE && MISBEHAVE != FAILING_ASSERTION && MISBEHAVE != UNKNOWN_ASSERTION) return 0;
  out->failure = MISBEHAVE == RUN_TIME_FAILURE ? "division by zero" : "the count is seven";
  out->failure_rule = RULE_COUNTS;
  out->failure_property = MISBEHAVE == RUN_TIME_FAILURE    ? SPILLWAY_NO_PROPERTY
                          : MISBEHAVE == FAILING_ASSERTION ? NEVER_SEVEN
                                                           : PROPERTIES + 5;
  return 1;
}

/* State 0 goes to some copies of state 1, and to states above LIMIT. */
static size_t many_successors(spillway_rows *out) {
  for (uint32_t i = 0; i < MANY; ++i) put(out, i, i > LIMIT ? i : 1, RULE_COUNTS);
  return MANY;
}

/* Counts, or stutters. States above LIMIT only stutter, so that the model is finite. */
static size_t successors(const spillway_word *row, spillway_rows *out) {
  const uint32_t count = count_in(row);
  const uint32_t calls = MISBEHAVE == CHANGING_CONTENT || MISBEHAVE == CHANGING_ORDER ? calls_so_far() : 0;
  const spillway_word changing = MISBEHAVE == CHANGING_CONTENT ? (spillway_word)calls << 32 : 0;
  const size_t place = MISBEHAVE == CHANGING_ORDER ? calls % 2 : 0;
  if (MISBEHAVE == MANY_SUCCESSORS && count == 0) return many_successors(out);
  if (count > LIMIT || fails(count, out)) {
    put(out, 0, row[0], RULE_STUTTERS);
    return 1;
  }
  put(out, place, changing | (count + 1), RULE_COUNTS);
  put(out, 1 - place, row[0], RULE_STUTTERS);
  return 2;
}

static size_t check(const spillway_word *row, uint32_t *violated) {
  if (count_in(row) != LIMIT) return 0;
  violated[0] = MISBEHAVE == UNKNOWN_INVARIANT ? PROPERTIES + 5 : BELOW_TWENTY;
  return 1;
}

static size_t print(char *text, size_t room, const char *word) {
  if (MISBEHAVE == LONG_TEXTS) return (size_t)snprintf(text, room, "%*s", LONG, word);
  return (size_t)snprintf(text, room, "%s", word);
}

static size_t rule_name(uint32_t rule, char *text, size_t room) {
  return print(text, room, rule == RULE_COUNTS ? "counts" : "stutters");
}

static size_t variable_name(uint32_t variable, char *text, size_t room) {
  (void)variable;
  return print(text, room, "count");
}

static size_t variable_value(const spillway_word *row, uint32_t variable, char *text, size_t room) {
  char digits[16];
  (void)variable;
  snprintf(digits, sizeof digits, "%u", (unsigned)count_in(row));
  return print(text, room, digits);
}

static const spillway_model model = {
    .abi = MISBEHAVE == WRONG_ABI ? SPILLWAY_MODEL_ABI + 1 : SPILLWAY_MODEL_ABI,
    .struct_bytes = MISBEHAVE == SHORT_TABLE ? offsetof(spillway_model, successors) : sizeof(spillway_model),
    .name = "misbehaving",
    .row_words = MISBEHAVE == NO_WORDS ? 0 : MISBEHAVE == TOO_MANY_WORDS ? SPILLWAY_MAX_ROW_WORDS + 1 : 1,
    .row_bits = MISBEHAVE == TOO_MANY_BITS ? 65 : 64,
    .rules = RULES,
    .variables = 1,
    .properties = PROPERTIES,
    .deadlock = MISBEHAVE == UNKNOWN_DEADLOCK ? 3 : SPILLWAY_DEADLOCK_STUCK,
    .property = MISBEHAVE == NO_PROPERTY_TABLE ? NULL : properties,
    .initial = MISBEHAVE == NO_INITIAL ? NULL : initial,
    .successors = MISBEHAVE == NO_SUCCESSORS ? NULL : successors,
    .check = MISBEHAVE == NO_CHECK ? NULL : check,
    .rule_name = rule_name,
    .variable_name = variable_name,
    .variable_value = variable_value,
};

const spillway_model *spillway_model_get(uint32_t abi) {
  return MISBEHAVE != NO_TABLE && (MISBEHAVE == WRONG_ABI || abi == SPILLWAY_MODEL_ABI) ? &model : NULL;
}
