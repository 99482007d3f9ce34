// Peterson's mutual exclusion for N processes, the filter lock.
//
// expect: verified, states 1329, transitions 3168, depth 27
// expect(-DN=4): verified, states 76342, transitions 237254, depth 59
// expect(-DN=5): verified, states 5748420, transitions 22365538, depth 107
// expect(-DBUG): violated "mutual exclusion", depth 14
//
//   -DN=5     the number of processes, 2 to 8; 3 unless told
//   -DBUG     one filter too few: a filter holds back one process only, so two of them come through
//
// Process i executes for ever, with k[i] = 0 and level[i] = 0 at first:
//
//   idle:      level[i] := 1
//   claim:     last[level[i]] := i
//   wait:      while k[i] < N
//                await k[i] = i  or  level[k[i]] < level[i]  or  last[level[i]] != i
//                k[i] := k[i] + 1
//              k[i] := 0;  if level[i] < N-1 then level[i] := level[i] + 1, goto claim
//   critical:  level[i] := 0;  goto idle
//
// A step is one line of idle, claim or critical, one turn of the loop, or what follows the loop.
#include <cstdio>
#include <cstring>

#include "spillway/model_abi.h"

#ifndef N
#define N 3
#endif

namespace {

static_assert(N >= 2, "mutual exclusion needs two processes: N must be at least 2");
static_assert(N <= 8, "a row has room for 8 processes: N must be at most 8");

using Word = spillway_word;

#ifdef BUG
static_assert(
    N >= 3, "two processes have one filter, and the bug would take it away: N must be at least 3");
constexpr unsigned kFilters = N - 2;
#else
constexpr unsigned kFilters = N - 1;
#endif

enum Pc : unsigned { kIdle, kClaim, kWait, kCritical };
constexpr const char* kPcNames[] = {"idle", "claim", "wait", "critical"};

constexpr unsigned bits_for(unsigned largest) {
  return largest < 2 ? 1 : 1 + bits_for(largest / 2);
}

// An array of bit fields, `stride` bits apart, in one word of the row.
struct Fields {
  unsigned word, shift, bits, stride, first, count;  // the indices are first, first + 1, ...

  constexpr unsigned at(unsigned i) const { return shift + stride * (i - first); }
  constexpr unsigned end() const { return at(first + count); }
  constexpr Word ones() const { return (Word{1} << bits) - 1; }
  constexpr unsigned get(const Word* row, unsigned i) const {
    return static_cast<unsigned>(row[word] >> at(i) & ones());
  }
};

// The layout, from the bits that change most to those that change least: with k anywhere else,
// sorted states compress far worse. The pc and the level of a process are neighbours, so that they
// can be read at once, as its place. Six processes fit one word; more take a second one for k.
constexpr unsigned kProcessBits = bits_for(N - 1), kKBits = bits_for(N),
                   kPlaceBits = 2 + kProcessBits;
constexpr unsigned kRowBits = N * kKBits + N * kPlaceBits + (N - 1) * kProcessBits;
constexpr unsigned kWords = kRowBits <= 64 ? 1 : 2;
constexpr Fields kK{kWords - 1, 0, kKBits, kKBits, 0, N};
constexpr Fields kPlace{0, kWords == 1 ? kK.end() : 0, kPlaceBits, kPlaceBits, 0, N};
constexpr Fields kPc{0, kPlace.shift, 2, kPlaceBits, 0, N};
constexpr Fields kLevel{0, kPlace.shift + 2, kProcessBits, kPlaceBits, 0, N};
constexpr Fields kLast{0, kPlace.end(), kProcessBits, kProcessBits, 1, N - 1};
static_assert(kK.end() <= 64 && kLast.end() <= 64, "fields must fit their word");

constexpr unsigned place_of(unsigned pc, unsigned level) { return level << 2 | pc; }
constexpr unsigned level_of(unsigned place) { return place >> 2; }

enum Kind : unsigned { kStarts, kClaims, kPasses, kAdvances, kEnters, kLeaves, kKinds };
constexpr const char* kKindNames[] = {"starts",           "claims its level", "passes one process",
                                      "advances a level", "enters",           "leaves"};

// One step of one process: which rule it is, and the fields that it sets.
struct Step {
  Word kept[kWords], added[kWords];
  uint32_t rule;
  uint32_t free;  // 0: only when may_pass() says so

  constexpr Step() : kept{}, added{}, rule(0), free(0) {}
  constexpr Step(Kind kind, unsigned process) : kept{}, added{}, rule(kind * N + process), free(1) {
    for (Word& word : kept) word = ~Word{0};
  }
  constexpr Step& set(Fields fields, unsigned i, unsigned value) {
    kept[fields.word] &= ~(fields.ones() << fields.at(i));
    added[fields.word] |= Word{value} << fields.at(i);
    return *this;
  }
  constexpr Step& free_if(bool condition) {
    free = condition;
    return *this;
  }
};

// The algorithm, but for the shared variables that a waiting process reads: see may_pass().
constexpr Step step_of(unsigned i, unsigned pc, unsigned level, unsigned k) {
  switch (pc) {
    case kIdle: return Step(kStarts, i).set(kLevel, i, 1).set(kPc, i, kClaim);
    case kClaim: return Step(kClaims, i).set(kLast, level, i).set(kPc, i, kWait);
    case kWait:
      if (k < N) return Step(kPasses, i).set(kK, i, k + 1).free_if(k == i);
      if (level < kFilters)
        return Step(kAdvances, i).set(kLevel, i, level + 1).set(kK, i, 0).set(kPc, i, kClaim);
      return Step(kEnters, i).set(kK, i, 0).set(kPc, i, kCritical);
    default: return Step(kLeaves, i).set(kLevel, i, 0).set(kPc, i, kIdle);
  }
}

// Whether process `i` need not wait for process `k`: that one is behind, or another one came last.
unsigned may_pass(const Word* row, unsigned i, unsigned level, unsigned k) {
  const unsigned behind = kLevel.get(row, k) < level;
  const unsigned followed = kLast.get(row, level) != i;
  return behind | followed;
}

// What each process does, by its k and its place. Entries that cannot occur stay empty.
struct Steps {
  Step of[N][N + 1][1 << kPlaceBits];
};

constexpr Steps all_steps() {
  Steps steps{};
  for (unsigned i = 0; i < N; ++i) {
    auto& of = steps.of[i];
    of[0][place_of(kIdle, 0)] = step_of(i, kIdle, 0, 0);
    for (unsigned level = 1; level <= kFilters; ++level) {
      of[0][place_of(kClaim, level)] = step_of(i, kClaim, level, 0);
      for (unsigned k = 0; k <= N; ++k) of[k][place_of(kWait, level)] = step_of(i, kWait, level, k);
    }
    of[0][place_of(kCritical, kFilters)] = step_of(i, kCritical, kFilters, 0);
  }
  return steps;
}

constexpr Steps kSteps = all_steps();

// Needs room for N rows and rules. There are no branches, because what a process does next is as
// good as random and a wrong guess of the processor costs more than everything else here: a process
// that has to wait writes its successor as well, but does not count it.
size_t expand(const Word* state, Word* rows, uint32_t* rules) {
  Word row[kWords];  // a copy stays in registers: no successor can overwrite it
  std::memcpy(row, state, sizeof row);
  size_t count = 0;
  for (unsigned i = 0; i < N; ++i) {
    const unsigned place = kPlace.get(row, i), k = kK.get(row, i);
    const Step& step = kSteps.of[i][k][place];
    for (unsigned w = 0; w < kWords; ++w)
      rows[count * kWords + w] = (row[w] & step.kept[w]) | step.added[w];
    rules[count] = step.rule;
    count += step.free | may_pass(row, i, level_of(place), k);
  }
  return count;
}

// For callers with little room: makes all successors elsewhere, and hands over as many as fit.
size_t expand_few(const Word* row, spillway_rows* out) {
  Word rows[N * kWords];
  uint32_t rules[N];
  const size_t count = expand(row, rows, rules);
  const size_t fitting = out->capacity < count ? out->capacity : count;
  if (fitting == 0) return count;
  std::memcpy(out->rows, rows, fitting * kWords * sizeof(Word));
  if (out->rules != nullptr) std::memcpy(out->rules, rules, fitting * sizeof(uint32_t));
  return count;
}

size_t successors(const Word* row, spillway_rows* out) {
  uint32_t unwanted[N];
  if (out->capacity < N) return expand_few(row, out);
  return expand(row, out->rows, out->rules != nullptr ? out->rules : unwanted);
}

size_t initial(spillway_rows* out) {
  if (out->capacity < 1) return 1;
  std::memset(out->rows, 0, kWords * sizeof(Word));
  if (out->rules != nullptr) out->rules[0] = SPILLWAY_NO_RULE;
  return 1;
}

// A process is critical when both bits of its pc are set; more than one is when taking the lowest
// such process away leaves another.
size_t check(const Word* row, uint32_t* violated) {
  static_assert(kCritical == 3, "both bits of pc must be set");
  Word firsts = 0;
  for (unsigned i = 0; i < N; ++i) firsts |= Word{1} << kPc.at(i);
  const Word critical = row[kPc.word] & row[kPc.word] >> 1 & firsts;
  if ((critical & (critical - 1)) == 0) return 0;
  violated[0] = 0;
  return 1;
}

size_t rule_name(uint32_t rule, char* text, size_t room) {
  return static_cast<size_t>(
      std::snprintf(text, room, "process %u: %s", rule % N, kKindNames[rule / N]));
}

constexpr Fields kFields[] = {kPc, kLevel, kK, kLast};

// Variables are pc[0..N-1], level[0..N-1], k[0..N-1], last[1..N-1].
size_t variable_name(uint32_t variable, char* text, size_t room) {
  constexpr const char* kArrays[] = {"pc", "level", "k", "last"};
  const unsigned array = variable / N, index = kFields[array].first + variable % N;
  return static_cast<size_t>(std::snprintf(text, room, "%s[%u]", kArrays[array], index));
}

size_t variable_value(const Word* row, uint32_t variable, char* text, size_t room) {
  const Fields& fields = kFields[variable / N];
  const unsigned value = fields.get(row, fields.first + variable % N);
  const bool named = variable < N;  // a pc
  return static_cast<size_t>(named ? std::snprintf(text, room, "%s", kPcNames[value])
                                   : std::snprintf(text, room, "%u", value));
}

// Of the first two processes, for formulas.
constexpr const char* kPropositions[] = {"waiting_0", "waiting_1", "critical_0", "critical_1",
                                         nullptr};

int evaluate(const Word* row, uint64_t* letter) {
  *letter = 0;
  for (unsigned i = 0; i < 2; ++i) {
    const unsigned pc = kPc.get(row, i);
    if (pc == kCritical)
      *letter |= uint64_t{4} << i;
    else if (pc != 0)
      *letter |= uint64_t{1} << i;
  }
  return 0;
}

constexpr spillway_property kMutualExclusion = {"mutual exclusion", SPILLWAY_INVARIANT};

#define TEXT_OF(tokens) #tokens
#define TEXT(macro) TEXT_OF(macro)

constexpr spillway_model kModel = {
    SPILLWAY_MODEL_ABI,
    sizeof(spillway_model),
    "peterson " TEXT(N),
    kWords,
    kRowBits,
    kKinds* N,  // rules: kind * N + process
    4 * N - 1,  // variables
    1,          // property
    SPILLWAY_DEADLOCK_STUCK,
    &kMutualExclusion,
    initial,
    successors,
    check,
    nullptr,  // no accepting states
    rule_name,
    variable_name,
    variable_value,
    kPropositions,
    evaluate,
};

}  // namespace

const spillway_model* spillway_model_get(uint32_t abi) {
  return abi == SPILLWAY_MODEL_ABI ? &kModel : nullptr;
}
