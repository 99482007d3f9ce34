/* The C interface of a compiled model: everything Spillway needs to know about it, no more.
 *
 * A model is a shared object that exports one function, spillway_model_get(). It returns a table of
 * plain C functions. Models can be written in any language that can produce such an object: C, C++,
 * Rust, Zig, or by a generator. examples/tiles is a model in C, examples/peterson one in C++.
 *
 *     cc -O3 -march=native -shared -fPIC -Iinclude my_model.c -o my_model.so
 *     spillway check ./my_model.so
 *
 * Rows.  A state is a row of `row_words` 64-bit words. Two rows are the same state if and only if
 * all their words are equal. So a state must have exactly one encoding: unused bits must be zero.
 * All values are allowed, including all zeros. Searches that sort states on disk treat a row as one
 * number whose last word is the most significant. They compress rows best if variables that change
 * slowly are in the last words and, within a word, in the most significant bits.
 *
 * Promises a model makes.
 *   Pure:          every function depends on its arguments alone, has no side effects, and may be
 *                  called from many threads at once.
 *   Deterministic: the same row has the same successors, in the same order, on every call. Spillway
 *                  finds counterexamples by executing the model again, and reports a model that
 *                  misbehaves.
 *   In bounds:     a function never writes more than the room it is given.
 *
 * Texts are written as by snprintf(): at most `room` bytes including the terminating zero. The
 * return value is the full length without the zero, so the caller can try again with more room.
 *
 * This header may grow but never changes. New members are added at the end of spillway_model, are
 * pointers, and may be NULL. `struct_bytes` is the size of the struct that the model was compiled
 * with. Spillway treats members beyond it as NULL, so a model need not be recompiled. In the same
 * way spillway_rows may grow: a model that uses a member added later looks at `struct_bytes` of
 * spillway_rows first. spillway_property never changes.
 */
#ifndef SPILLWAY_MODEL_ABI_H
#define SPILLWAY_MODEL_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPILLWAY_MODEL_ABI 1 /* version of this interface */

/* Limits, enforced when a model is loaded. */
#define SPILLWAY_MAX_ROW_WORDS 8192 /* 64 KiB per row */

typedef uint64_t spillway_word;

/* What "deadlock" means in the language the model was written in (--deadlock=auto). */
#define SPILLWAY_DEADLOCK_OFF UINT32_C(0)        /* a state without successors is a valid end */
#define SPILLWAY_DEADLOCK_STUCK UINT32_C(1)      /* no successor at all */
#define SPILLWAY_DEADLOCK_STUTTERING UINT32_C(2) /* no successor but the state itself */

/* Kinds of properties. */
#define SPILLWAY_INVARIANT UINT32_C(0) /* must hold in every reachable state; see check() */
#define SPILLWAY_ASSERTION UINT32_C(1) /* must hold while a rule runs; see spillway_rows.failure */
#define SPILLWAY_COVER UINT32_C(2)     /* must hold in some reachable state; see check() */
#define SPILLWAY_REACHABLE UINT32_C(3) /* reachable from every reachable state; see check() */

typedef struct spillway_property {
  const char *name;
  uint32_t kind;
} spillway_property;

#define SPILLWAY_NO_PROPERTY UINT32_MAX
#define SPILLWAY_NO_RULE UINT32_MAX /* for an initial state that no named rule produced */

/* Output of rows. The caller owns all of it; it does not overlap the row that is being expanded.
 * The model may use the room after the rows it returns, up to the capacity, as scratch space. */
typedef struct spillway_rows {
  spillway_word *rows; /* room for `capacity` adjacent rows; NULL if that is 0 */
  uint32_t *rules;     /* room for `capacity` rule indices; NULL if not wanted */
  size_t capacity;     /* in rows */

  /* Set by the model if a rule cannot be carried out. The model leaves that successor out. It may
   * continue with the other rules, but reports only the first failure. Cleared by the caller before
   * every call. */
  const char *failure;       /* NULL, or a message that lives as long as the model */
  uint32_t failure_rule;     /* the rule that failed */
  uint32_t failure_property; /* the violated assertion, or SPILLWAY_NO_PROPERTY for a run-time error
                                such as a division by zero */

  /* Set to a nonzero value by the model if it left out successors because of an assumption: such a
   * state is not a deadlock. Cleared by the caller before every call. */
  uint32_t left_out;

  uint32_t struct_bytes; /* sizeof(spillway_rows), as compiled into Spillway */
} spillway_rows;

typedef struct spillway_model {
  uint32_t abi;          /* SPILLWAY_MODEL_ABI, as compiled into the model */
  uint32_t struct_bytes; /* sizeof(spillway_model), as compiled into the model */
  const char *name;      /* for display: "tiles 3x4"; NULL: the name of the file */
  uint32_t row_words;    /* 1 .. SPILLWAY_MAX_ROW_WORDS */
  uint32_t row_bits;     /* bits of a row that carry information, at most 64 * row_words */
  uint32_t rules;        /* rule indices are 0 .. rules-1; if 0, any index may be written */
  uint32_t variables;    /* for printing: variable indices are 0 .. variables-1 */
  uint32_t properties;   /* number of entries of `property` */
  uint32_t deadlock;     /* SPILLWAY_DEADLOCK_... */
  const spillway_property *property;

  /* The initial states, and the successors of `row`. Both return the number of rows and write the
   * first `out->capacity` of them. If the return value is larger, the caller enlarges the room and
   * calls again. Successors may repeat; each counts as a transition. The rule of an initial state
   * is the start rule that produced it, or SPILLWAY_NO_RULE. A model without initial states is an
   * error. */
  size_t (*initial)(spillway_rows *out);
  size_t (*successors)(const spillway_word *row, spillway_rows *out);

  /* Writes to `noted` the indices of the invariants that are false in `row` and of the cover and
   * reachable properties that are true in it, in increasing order, and returns how many. `noted`
   * has room for `properties` entries. May be NULL if the model has no such properties. */
  size_t (*check)(const spillway_word *row, uint32_t *noted);

  /* Nonzero if `row` is accepting, for searches of accepting cycles. May be NULL if no row is. */
  int (*accepting)(const spillway_word *row);

  /* Texts. Each may be NULL; indices and hexadecimal words are shown instead. */
  size_t (*rule_name)(uint32_t rule, char *text, size_t room);
  size_t (*variable_name)(uint32_t variable, char *text, size_t room);
  size_t (*variable_value)(const spillway_word *row, uint32_t variable, char *text, size_t room);

  /* Propositions that formulas can name: at most 64 names, ended by NULL. evaluate() sets bit i of
   * `letter` if proposition i holds in `row`, and clears it otherwise. It returns 0, or another
   * value if one of them cannot be evaluated. Both may be NULL if there are no propositions. */
  const char *const *proposition;
  int (*evaluate)(const spillway_word *row, uint64_t *letter);
} spillway_model;

/* The only exported function. `abi` is the version of the caller; a model that does not support it
 * returns NULL. The result stays valid until the object is unloaded. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const spillway_model *spillway_model_get(uint32_t abi);

#ifdef __cplusplus
}
#endif

#endif /* SPILLWAY_MODEL_ABI_H */
