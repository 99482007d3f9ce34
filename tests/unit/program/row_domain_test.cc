// Which rows are states of a program: compared with decoding and encoding them.
#include "program/row_domain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "cases.h"
#include "unit/program/random_values.h"

namespace spillway::program {
namespace {

class RandomTypes {
 public:
  explicit RandomTypes(std::mt19937_64& random) : random_(random) {
    for (std::uint64_t i = 0, count = 1 + below(4); i < count; ++i)
      program.variables.push_back({"v" + std::to_string(i), below(6) == 0 ? queue() : any(3), {}});
  }
  Program program;

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  Type& added(Kind kind) {
    Type& type = program.types.emplace_back();
    type.kind = kind;
    return type;
  }

  const Type* scalar(std::optional<bool> total = {}) {
    std::vector<Interval> intervals;
    Value next = -static_cast<Value>(below(5));
    for (std::uint64_t i = 0, count = 1 + below(3); i < count; ++i) {
      const Value high =
          next + static_cast<Value>(below(below(8) == 0 ? std::uint64_t{1} << 50 : 9));
      intervals.push_back({next, high});
      next = high + 2 + static_cast<Value>(below(4));
    }
    if (below(12) == 0) intervals = {{0, INT64_MAX}};
    Type& type = added(Kind::scalar);
    type.domain = Domain(intervals);
    type.total = total.value_or(below(3) == 0);
    return &type;
  }
  const Type* numbers(Value low, Value high) {
    Type& type = added(Kind::scalar);
    type.domain = Domain({{low, high}});
    type.total = true;
    return &type;
  }
  const Type* array(std::uint64_t size, const Type* element) {
    const Type* const index = numbers(0, static_cast<Value>(size) - 1);
    Type& type = added(Kind::array);
    type.index = index;
    type.element = element;
    return &type;
  }
  const Type* record(std::vector<Field> fields) {
    Type& type = added(Kind::record);
    type.fields = std::move(fields);
    return &type;
  }
  const Type* queue() {
    const std::uint64_t size = 1 + below(4);
    const Value low = -static_cast<Value>(below(3));
    const Type* message = numbers(low, static_cast<Value>(below(6)));
    if (below(2) == 0) message = record({{"a", message}, {"b", numbers(0, 4)}});
    const Type* const count = numbers(0, static_cast<Value>(size));
    const Type* const messages = array(size, message);
    record({{"count", count}, {"messages", messages}});
    program.types.back().is_queue = true;
    return &program.types.back();
  }
  const Type* any(unsigned depth) {
    switch (depth == 0 ? 0 : below(4)) {
      case 0: return scalar();
      case 1: {
        std::vector<Field> fields;
        for (std::uint64_t i = 0, count = 1 + below(3); i < count; ++i)
          fields.push_back({"f" + std::to_string(i), any(depth - 1)});
        return record(std::move(fields));
      }
      case 2: return array(1 + below(5), any(depth - 1));
      default: {
        const Type* const element = any(depth - 1);
        Type& type = added(Kind::bag);
        type.element = element;
        type.capacity = 1 + below(4);
        return &type;
      }
    }
  }

  std::mt19937_64& random_;
};

// Removes what is in no value: behind the messages of a queue, and in slots without an element.
void forget_rest(const Type& type, Value*& value) {
  Value* const first = value;
  switch (type.kind) {
    case Kind::scalar: ++value; break;
    case Kind::record:
      for (const Field& field : type.fields) forget_rest(*field.type, value);
      if (type.is_queue) {
        const std::uint64_t message = cells(*type.fields[1].type->element);
        const Value count = *first == kUndefined ? 0 : *first;
        std::fill(first + 1 + static_cast<std::uint64_t>(count) * message, value, 0);
      }
      break;
    case Kind::array:
      for (std::uint64_t i = 0; i < type.index->domain.size(); ++i)
        forget_rest(*type.element, value);
      break;
    case Kind::bag:
      for (std::uint64_t i = 0; i < type.capacity; ++i) {
        const bool is_there = *value++ == 1;
        Value* const element = value;
        forget_rest(*type.element, value);
        if (!is_there) std::fill(element, value, kUndefined);
      }
      break;
  }
}

std::vector<Word> encoded(const Program& program, std::vector<Value> values) {
  Value* value = values.data();
  for (const Variable& variable : program.variables) forget_rest(*variable.type, value);
  return row_of(program, values);
}

bool is_state(const Program& program, const Layout& layout, const std::vector<Word>& row) {
  for (const Layout::Cell& cell : layout.cells())
    if (read_bits(row.data(), cell.bit, cell.width) > cell.domain->size() - (cell.total ? 1 : 0))
      return false;
  return encoded(program, values_of(program, row)) == row;
}

class RowDomains : public testing::Test {
 protected:
  std::mt19937_64 random{7};

  void change(const Layout& layout, std::vector<Word>& row) {
    for (std::uint64_t i = random() % 3; i > 0; --i) {
      if (random() % 2 == 0) {
        row[random() % row.size()] ^= Word{1} << random() % 64;
      } else {
        const Layout::Cell& cell = layout.cells()[random() % layout.cells().size()];
        const Word all = cell.width == 64 ? ~Word{0} : (Word{1} << cell.width) - 1;
        write_bits(row.data(), cell.bit, cell.width,
                   random() % 2 == 0 ? all - random() % 2 : random() & all);
      }
    }
  }
};

TEST_F(RowDomains, HaveExactlyWhatDecodesAndEncodesToItself) {
  std::size_t accepted = 0;
  std::size_t refused = 0;
  const std::uint64_t programs = scaled(1500);
  for (std::uint64_t i = 0; i < programs; ++i) {
    const RandomTypes types(random);
    const Layout layout(types.program);
    const RowDomain domain(types.program, layout);
    for (int k = 0; k < 40; ++k) {
      std::vector<Word> row =
          encoded(types.program, RandomValues(types.program, random, 80).values);
      ASSERT_TRUE(domain.has(row)) << "a state, of program " << i;
      change(layout, row);
      const bool expected = is_state(types.program, layout, row);
      ASSERT_EQ(domain.has(row), expected)
          << "program " << i << (domain.has(row) ? "" : ": " + domain.why_not(row));
      ++(expected ? accepted : refused);
      if (!expected) {
        ASSERT_NE(domain.why_not(row), "");
      }
    }
  }
  EXPECT_GT(accepted, 6 * programs);
  EXPECT_GT(refused, 6 * programs);
}

// What is wrong is told of the first variable, in the order in which they are declared.
TEST_F(RowDomains, NameTheFirstVariable) {
  Program program;
  Type& type = program.types.emplace_back();
  type.domain = Domain({{0, 4}});
  program.variables = {{"first", &type, {}}, {"second", &type, {}}};
  const Layout layout(program);
  const RowDomain domain(program, layout);
  EXPECT_TRUE(domain.has(std::vector<Word>{0b101'101}));
  const auto why_not = [&](Word row) {
    const std::vector<Word> rows{row};
    EXPECT_FALSE(domain.has(rows));
    return domain.why_not(rows);
  };
  EXPECT_EQ(why_not(0b110'111), "first has no value of its type");
  EXPECT_EQ(why_not(0b101'111), "second has no value of its type");
  EXPECT_EQ(why_not(0b1'000'000), "bits are set that belong to no variable");
}

}  // namespace
}  // namespace spillway::program
