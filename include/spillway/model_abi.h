/* The C interface of a compiled model: everything Spillway needs to know about it, and nothing else.
 *
 * A model is a shared object that exports one function, spillway_model_get(). It returns a table of
 * plain C functions. Any language that can produce such an object can write models: C, C++, Rust, Zig,
 * or a generator. examples/tiles is one in C, examples/peterson one in C++.
 *
 *     cc -O3 -march=native -shared -fPIC -Iinclude my_model.c -o my_model.so
 *     spillway check ./my_model.so
 *
 * Rows.  A state is a row of `row_words` 64-bit words, and two rows are the same state exactly when all
 * their words are equal. So a state must have one encoding only: bits that mean nothing must be zero.
 * Put slowly changing variables into the most significant bits of the last words; searches that sort
 * states on disk compress such rows best. Any value is allowed, also all zeros.
 *
 * Promises a model makes.
 *   Pure:          every function depends on its arguments alone, has no side effect, and may be called
 *                  from many threads at once.
 *   Deterministic: the same row has the same successors, in the same order, on every call. Spillway
 *                  finds counterexamples by executing the model again, and says so if it misbehaves.
 *   In bounds:     a function writes no more than the room it is given.
 *
 * Texts are written as snprintf() writes them: at most `room` bytes with the closing zero, and the
 * length that was wanted is returned, so that the caller can come back with more room.
 *
 * This header may grow, never change. New members go to the end of struct spillway_model, are pointers, and
 * may be NULL. The size of the struct as the model was compiled is in `struct_bytes`: Spillway takes what lies
 * behind it for NULL, so a model need not be compiled again. The other structs stay as they are.
 */
#ifndef SPILLWAY_MODEL_ABI_H
#define SPILLWAY_MODEL_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPILLWAY_MODEL_ABI 1 /* version of this interface */

/* Limits that Spillway enforces when it loads a model. */
#define SPILLWAY_MAX_ROW_WORDS 8192 /* 64 KiB a row */

typedef uint64_t spillway_word;

/* What "deadlock" means in the language the model was written in (--deadlock=auto). */
#define SPILLWAY_DEADLOCK_OFF UINT32_C(0)        /* a state without successors is a proper end */
#define SPILLWAY_DEADLOCK_STUCK UINT32_C(1)      /* no successor at all */
#define SPILLWAY_DEADLOCK_STUTTERING UINT32_C(2) /* no successor but the state itself */

/* Kinds of properties. */
#define SPILLWAY_INVARIANT UINT32_C(0) /* must hold in every reachable state; check() tells */
#define SPILLWAY_ASSERTION UINT32_C(1) /* must hold while a rule runs; successors() tells by a failure */
#define SPILLWAY_COVER UINT32_C(2)     /* must hold in some reachable state; check() tells */
#define SPILLWAY_REACHABLE UINT32_C(3) /* from every reachable state, a state where it holds must be reachable */

typedef struct spillway_property {
  const char *name;
  uint32_t kind;
} spillway_property;

#define SPILLWAY_NO_PROPERTY UINT32_MAX
#define SPILLWAY_NO_RULE UINT32_MAX /* of an initial state that no rule with a name has made */

/* Where rows go. The caller owns all of it; it does not overlap the row that is being expanded. Behind the
 * rows whose number is returned, up to the capacity, the model may leave anything. */
typedef struct spillway_rows {
  spillway_word *rows; /* room for `capacity` rows, one after the other; NULL if that is 0 */
  uint32_t *rules;     /* room for `capacity` rule indices, or NULL: then nobody wants them */
  size_t capacity;     /* in rows */

  /* Set by the model when a rule cannot be carried out. It leaves that successor out, and may go on with
   * the other rules, but reports the first failure only. Cleared by the caller before every call. */
  const char *failure;       /* NULL, or what went wrong, as a text that lives as long as the model */
  uint32_t failure_rule;     /* the rule that failed */
  uint32_t failure_property; /* the assertion that is violated, or SPILLWAY_NO_PROPERTY for a run-time
                                error such as a division by zero */

  /* Set by the model if it has left out successors because they are assumed not to happen: such a state is no
   * deadlock. Cleared by the caller before every call. */
  uint32_t left_out;
} spillway_rows;

typedef struct spillway_model {
  uint32_t abi;          /* SPILLWAY_MODEL_ABI, as compiled into the model */
  uint32_t struct_bytes; /* sizeof(spillway_model), as compiled into the model */
  const char *name;      /* for people: "tiles 3x4" */
  uint32_t row_words;    /* 1 .. SPILLWAY_MAX_ROW_WORDS */
  uint32_t row_bits;     /* bits of a row that carry information, at most 64 * row_words */
  uint32_t rules;        /* rule indices are 0 .. rules-1; if there are none, any index may be written */
  uint32_t variables;    /* for printing: variable indices are 0 .. variables-1 */
  uint32_t properties;   /* number of entries of `property` */
  uint32_t deadlock;     /* SPILLWAY_DEADLOCK_... */
  const spillway_property *property;

  /* All initial states, and all successors of `row`. Both return how many there are and write the first
   * `out->capacity` of them: when the return value is larger, the caller enlarges the room and calls
   * again. Successors may repeat; each counts as a transition. Initial states name the start rule that
   * made them, or SPILLWAY_NO_RULE; a model without initial states is an error. */
  size_t (*initial)(spillway_rows *out);
  size_t (*successors)(const spillway_word *row, spillway_rows *out);

  /* Writes the indices of the invariants that are false in `row`, and of the cover and reachable properties
   * that are true in it, to `noted` (room for `properties` entries), in increasing order, and returns how
   * many. May be NULL: a model with none of these. */
  size_t (*check)(const spillway_word *row, uint32_t *noted);

  /* Whether `row` is accepting, for searches of accepting cycles. May be NULL: no row is. */
  int (*accepting)(const spillway_word *row);

  /* Texts. Each may be NULL: then indices and hexadecimal words are shown. */
  size_t (*rule_name)(uint32_t rule, char *text, size_t room);
  size_t (*variable_name)(uint32_t variable, char *text, size_t room);
  size_t (*variable_value)(const spillway_word *row, uint32_t variable, char *text, size_t room);
} spillway_model;

/* The one exported function. `abi` is the version the caller speaks; a model that cannot serve it
 * returns NULL. The result lives until the object is unloaded. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const spillway_model *spillway_model_get(uint32_t abi);

#ifdef __cplusplus
}
#endif

#endif /* SPILLWAY_MODEL_ABI_H */
