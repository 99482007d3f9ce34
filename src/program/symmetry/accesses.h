// The variables that a piece of program may read and write, in any state.
//
// A place is known by its path: the variable, then fields and indices.  Of an index it is known
// whether it is a literal, or which symbol it is: something that has one value while it is bound (a
// counter, a parameter, a named value).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "program/program.h"

namespace spillway::program {

using Symbol = std::uint32_t;

// What is known about a value statically.
struct Meaning {
  enum class Is { literal, symbol, undefined } is;
  std::uint64_t number = 0;  // the value, or the symbol that it is
  bool operator==(const Meaning&) const = default;
};

// One step on the path to a place.
struct PathPart {
  enum class By { field, symbol, literal, unknown } by;
  std::uint64_t number = 0;
  auto operator<=>(const PathPart&) const = default;
};

struct Path {
  bool in_state;
  std::uint32_t call;  // the frame that a slot belongs to
  std::uint32_t root;
  std::vector<PathPart> parts;
  auto operator<=>(const Path&) const = default;
};

inline constexpr Symbol kNoSymbol = UINT32_MAX;

// Whether two iterations of the loop with this counter may meet at one place by these paths.  With
// kNoSymbol: whether the places, or parts of them, may be the same at one time.
bool overlap(const Path& a, const Path& b, Symbol counter);

// Whether the path leads to one place only: the values of all indices are known.
bool is_exact(const Path& path);
// Whether the part lies at the place, or within it, for sure.
bool covers(const Path& place, const Path& part);

enum class Does { reads, writes, sets, undefines, clears, adds, subtracts, joins, meets, puts };

struct Access {
  Path path;
  Does does;
  Meaning to{Meaning::Is::literal};  // sets
  Position position{};

  auto key() const { return std::tie(path, does, to.is, to.number); }
  bool operator<(const Access& other) const { return key() < other.key(); }
};

struct Accesses {
  std::set<Access> all;
  std::optional<Position> leaves, discards, recurs;

  void add(Accesses other);
};

}  // namespace spillway::program
