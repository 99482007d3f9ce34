#include "program/c/c_prelude.h"

namespace spillway::program {

const std::string_view kPrelude = R"c(
#include <setjmp.h>
#include <string.h>

typedef uint64_t W;
typedef int64_t V;
typedef uint32_t B;
#define U INT64_MIN
#define IN static inline __attribute__((always_inline, unused))
#define COLD static __attribute__((noreturn, noinline, cold, unused))
#define RARELY(c) __builtin_expect(!!(c), 0)

#if OBSERVES
/* What the caller hands over: room for what is observed lies behind the rows. */
typedef struct observed_rows {
  spillway_rows rows;
  uint64_t *counters;
  uint8_t *marks;
} observed_rows;
#define COUNT(number) (++x->counters[number])
#define MARK(number) (x->marks[number] = 1)
#else
#define COUNT(number) ((void)0)
#endif

typedef struct X {
  spillway_rows *out;
  size_t n;
  uint32_t left_out;
  uint32_t rule;
  uint32_t property;
  uint32_t depth;
  uint32_t stopped;
  const V *c;
#if OBSERVES
  uint64_t *counters;
  uint8_t *marks;
#endif
  jmp_buf failed;
#if DISCARDS
  jmp_buf discarded;
#endif
} X;

/* Not 0: the caller wants to have it back at once, and throws away what it gets. */
static volatile uint32_t stop_word;
__attribute__((visibility("default"))) volatile uint32_t *spillway_stop_word(void) { return &stop_word; }
COLD void stop(X *x) { x->stopped = 1; longjmp(x->failed, 1); }
#define LOOK if (RARELY(stop_word)) stop(x)

COLD void fail(X *x) { longjmp(x->failed, 1); }
COLD void violate(X *x, uint32_t property) { x->property = property; longjmp(x->failed, 1); }
#if DISCARDS
COLD void discard(X *x) { longjmp(x->discarded, 1); }
#endif

#ifdef __TINYC__ /* what tcc does not know, and what it would make a slow call of */
IN int add_overflows(V a, V b, V *r) { *r = (V)((W)a + (W)b); return ((a ^ *r) & (b ^ *r)) < 0; }
IN int sub_overflows(V a, V b, V *r) { *r = (V)((W)a - (W)b); return ((a ^ b) & (a ^ *r)) < 0; }
IN int mul_overflows(V a, V b, V *r) {
  *r = (V)((W)a * (W)b);
  return a == -1 ? b == U : a != 0 && *r / a != b;
}
#define GET(w, p) w = *(const W *)(p)
#define PUT(p, w) *(W *)(p) = w
#else
#define add_overflows __builtin_add_overflow
#define sub_overflows __builtin_sub_overflow
#define mul_overflows __builtin_mul_overflow
#define GET(w, p) memcpy(&w, p, 8)
#define PUT(p, w) memcpy(p, &w, 8)
#endif

IN V defined(X *x, V v) { if (RARELY(v == U)) fail(x); return v; }
IN W known(X *x, W code) { if (RARELY(code == 0)) fail(x); return code; }
IN V add(X *x, V a, V b) { V r; if (RARELY(add_overflows(a, b, &r) || r == U)) fail(x); return r; }
IN V sub(X *x, V a, V b) { V r; if (RARELY(sub_overflows(a, b, &r) || r == U)) fail(x); return r; }
IN V mul(X *x, V a, V b) { V r; if (RARELY(mul_overflows(a, b, &r) || r == U)) fail(x); return r; }
IN V quotient(X *x, V a, V b) { if (RARELY(b == 0)) fail(x); return a / b; }
IN V rest(X *x, V a, V b) { if (RARELY(b == 0)) fail(x); return b == -1 ? 0 : a % b; }
IN V number(X *x, V r) { if (RARELY(r == U)) fail(x); return r; }
IN V left(X *x, V a, V b) {
  if (b >= 64 || a == 0) return 0;
  if (b <= 0) return a >> (b < -63 ? 63 : -b);
  if (RARELY(b == 63)) fail(x);
  return mul(x, a, (V)1 << b);
}
IN V right(X *x, V a, V b) { return left(x, a, -b); }
IN V within(X *x, V v, V low, V high) { if (RARELY(v < low || v > high)) fail(x); return v; }

/* Fields of at most 57 bits anywhere in memory; of any width inside one word. */
IN W ld(const W *p, B bit, unsigned width) {
  W w;
  GET(w, (const char *)p + (bit >> 3));
  return w >> (bit & 7) & (~(W)0 >> (64 - width));
}
IN void st(W *p, B bit, unsigned width, W code) {
  W w;
  const W mask = ~(W)0 >> (64 - width);
  GET(w, (const char *)p + (bit >> 3));
  w = (w & ~(mask << (bit & 7))) | code << (bit & 7);
  PUT((char *)p + (bit >> 3), w);
}
IN W ldw(const W *p, B bit, unsigned width) { return p[bit >> 6] >> (bit & 63) & (~(W)0 >> (64 - width)); }
IN void stw(W *p, B bit, unsigned width, W code) {
  const W mask = ~(W)0 >> (64 - width);
  p[bit >> 6] = (p[bit >> 6] & ~(mask << (bit & 63))) | code << (bit & 63);
}
/* Of any width, anywhere. */
IN W ldx(const W *p, B bit, unsigned width) {
  if (width <= 57) return ld(p, bit, width);
  return ld(p, bit, 32) | ld(p, bit + 32, width - 32) << 32;
}
IN void stx(W *p, B bit, unsigned width, W code) {
  if (width <= 57) { st(p, bit, width, code); return; }
  st(p, bit, 32, code & 0xffffffff);
  st(p, bit + 32, width - 32, code >> 32);
}
IN void cp(W *to, B bit, const W *from, B from_bit, B bits) {
  for (; bits > 56; bits -= 56, bit += 56, from_bit += 56) st(to, bit, 56, ld(from, from_bit, 56));
  if (bits != 0) st(to, bit, bits, ld(from, from_bit, bits));
}
IN void zero(W *to, B bit, B bits) {
  for (; bits > 56; bits -= 56, bit += 56) st(to, bit, 56, 0);
  if (bits != 0) st(to, bit, bits, 0);
}

/* The slots of a bag in decreasing order. */
static __attribute__((unused)) int slot_less(const W *t, B a, B b, B bits) {
  for (B from = 0; from < bits; from += 64) {
    const unsigned width = bits - from < 64 ? bits - from : 64;
    const W p = ldx(t, a + from, width), q = ldx(t, b + from, width);
    if (p != q) return p < q;
  }
  return 0;
}
static __attribute__((unused)) void sort_bag(W *t, B bit, B slot_bits, B capacity) {
  for (B i = 1; i < capacity; ++i) {
    for (B j = i; j > 0; --j) {
      const B a = bit + (j - 1) * slot_bits, b = a + slot_bits;
      if (!slot_less(t, a, b, slot_bits)) break;
      for (B from = 0; from < slot_bits; from += 56) {
        const unsigned width = slot_bits - from < 56 ? slot_bits - from : 56;
        const W p = ld(t, a + from, width), q = ld(t, b + from, width);
        st(t, a + from, width, q);
        st(t, b + from, width, p);
      }
    }
  }
}

IN int changed(const W *t, const W *from, B word, B words) {
  return memcmp(t + word, from + word, words * sizeof(W)) != 0;
}
static int finish(X *x, W *t, const W *from);
)c";

}  // namespace spillway::program
