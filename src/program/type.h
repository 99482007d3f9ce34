// The types of a program: finite scalars, and records, arrays and bags of them.
//
// A scalar is an integer from a domain, or undefined.  Languages map their names (of enumerations
// and identities) to disjoint intervals of integers, so that a value means the same in every
// variable.  A domain may consist of several such intervals.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spillway::program {

using Value = std::int64_t;
inline constexpr Value kUndefined = INT64_MIN;

struct Interval {
  Value low, high;  // low <= high; both belong to it
  bool operator==(const Interval&) const = default;
};

// A finite set of integers, numbered from 1 in the order of its intervals.  Number 0 stands for
// undefined.
class Domain {
 public:
  Domain() = default;
  explicit Domain(std::vector<Interval> intervals) : intervals_(std::move(intervals)) {}

  const std::vector<Interval>& intervals() const { return intervals_; }
  std::uint64_t size() const;
  bool contains(Value value) const { return code(value) != 0; }
  std::uint64_t code(Value value) const;  // 0 if it is not in the domain
  Value value(std::uint64_t code) const;  // REQUIRES: 1 <= code <= size()
  Value lowest() const;
  Value highest() const;

 private:
  std::vector<Interval> intervals_;
};

enum class Kind {
  scalar,
  record,
  array,
  bag,  // a multiset with limited capacity
};

struct Type;

struct Field {
  std::string name;
  const Type* type;
};

// The names of the values of an interval.  Without names, values are shown as numbers.
struct Names {
  Interval interval;
  std::vector<std::string> names;  // as many as the interval has values
  // Of an enumeration whose values the author has listed: where each of them stands.
  std::vector<std::uint32_t> lines;
};

struct Type {
  Kind kind = Kind::scalar;
  std::string name;  // as its author calls it, or empty

  Domain domain;             // scalar
  std::vector<Names> names;  // scalar
  bool truth = false;        // scalar: 0 and 1 are false and true
  // Scalar: it is never undefined.  Before the first assignment, it has its first value.
  bool total = false;

  std::vector<Field> fields;  // record
  // Record: its fields are a number and an array, of whose elements so many are used.  All scalars
  // of the others are 0.  Such a record is a variable of its own.
  bool is_queue = false;
  const Type* index = nullptr;    // array: a scalar
  const Type* element = nullptr;  // array, bag
  std::uint64_t capacity = 0;     // bag

  bool is_scalar() const { return kind == Kind::scalar; }
  std::string text(Value value) const;  // scalar: what the value is called
};

// The number of scalars in a value of the type.  A bag consists of `capacity` pairs of a mark (1 if
// there is an element, otherwise undefined) and an element.
std::uint64_t cells(const Type& type);
// The first cell of a field, of the element with this number (from 0), or of a bag's element.
std::uint64_t field_cell(const Type& record, std::size_t field);
std::uint64_t element_cell(const Type& array_or_bag, std::uint64_t number);

}  // namespace spillway::program
