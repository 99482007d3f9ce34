#include "program/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace spillway::program {
namespace {

const Domain& mark_domain() {
  static const Domain domain({{1, 1}});
  return domain;
}

// Elements of arrays of records are records of their own.
void add_records(const Type& type, std::uint64_t bit, std::vector<BitRange>& out) {
  const bool has_elements = type.kind == Kind::array && !type.element->is_scalar();
  if (!has_elements) return out.push_back({bit, bits_of(type)});
  for (std::uint64_t i = 0; i < type.index->domain.size(); ++i)
    add_records(*type.element, bit + element_bit(type, i), out);
}

}  // namespace

std::uint64_t bits_of(const Type& type) {
  switch (type.kind) {
    case Kind::scalar: {
      std::uint64_t bits = 0;
      for (std::uint64_t last = stored_code(type, type.domain.size()); last != 0; last >>= 1)
        ++bits;
      return std::max<std::uint64_t>(bits, 1);
    }
    case Kind::record: return field_bit(type, type.fields.size());
    case Kind::array: return type.index->domain.size() * bits_of(*type.element);
    case Kind::bag: return type.capacity * (1 + bits_of(*type.element));
  }
  return 0;
}

std::uint64_t field_bit(const Type& record, std::size_t field) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < field; ++i) sum += bits_of(*record.fields[i].type);
  return sum;
}

std::uint64_t element_bit(const Type& array_or_bag, std::uint64_t number) {
  const std::uint64_t size = bits_of(*array_or_bag.element);
  return array_or_bag.kind == Kind::array ? number * size : number * (1 + size) + 1;
}

std::uint64_t read_bits(const Word* row, std::uint64_t bit, unsigned width) {
  const std::size_t word = bit / 64;
  const unsigned shift = bit % 64;
  std::uint64_t code = row[word] >> shift;
  if (shift + width > 64) code |= row[word + 1] << (64 - shift);
  return width == 64 ? code : code & ((std::uint64_t{1} << width) - 1);
}

void write_bits(Word* row, std::uint64_t bit, unsigned width, std::uint64_t code) {
  const std::size_t word = bit / 64;
  const unsigned shift = bit % 64;
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  row[word] = (row[word] & ~(mask << shift)) | code << shift;
  if (shift + width > 64)
    row[word + 1] = (row[word + 1] & ~(mask >> (64 - shift))) | code >> (64 - shift);
}

// Sorted runs treat a row as one number.  They compress best if the most significant bits change
// rarely, and people tend to declare such variables first.  The first variable therefore has the
// most significant bits.  docs/design/sorted-runs.md compares other orders.  Spare bits of
// the row keep variables from straddling two words, because an array that straddles takes two loads
// and a branch for every element.
Layout::Layout(const Program& program) {
  std::uint64_t total = 0;
  for (const Variable& variable : program.variables) total += bits_of(*variable.type);
  std::uint64_t spare = (total + 63) / 64 * 64 - total;
  std::uint64_t next = 0;
  variable_bits_.resize(program.variables.size());
  for (std::size_t i = program.variables.size(); i-- > 0;) {
    const std::uint64_t size = bits_of(*program.variables[i].type);
    const std::uint64_t pad = 64 - next % 64;
    if (size <= 64 && size > pad && pad <= spare) {
      next += pad;
      spare -= pad;
    }
    variable_bits_[i] = next;
    next += size;
  }
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    bits_ = variable_bits_[i];
    add(*program.variables[i].type);
  }
  bits_ = total;
  free_bits_ = 64 * words() - next;
}

void Layout::add(const Type& type) {
  switch (type.kind) {
    case Kind::scalar: {
      const auto width = static_cast<unsigned>(bits_of(type));
      cells_.push_back({bits_, width, &type.domain, type.total});
      bits_ += width;
      break;
    }
    case Kind::record:
      for (const Field& field : type.fields) add(*field.type);
      break;
    case Kind::array:
      for (std::uint64_t i = 0; i < type.index->domain.size(); ++i) add(*type.element);
      break;
    case Kind::bag:
      for (std::uint64_t i = 0; i < type.capacity; ++i) {
        cells_.push_back({bits_++, 1, &mark_domain(), false});
        add(*type.element);
      }
      break;
  }
}

std::vector<BitRange> Layout::records(const Program& program) const {
  std::vector<BitRange> all;
  for (std::size_t v = 0; v < program.variables.size(); ++v)
    add_records(*program.variables[v].type, variable_bits_[v], all);
  return all;
}

std::string Layout::text() const {
  std::string text = fmt::format("{} bits\n", bits_);
  auto out = std::back_inserter(text);
  for (const Cell& cell : cells_) {
    fmt::format_to(out, "{} {} {}", cell.bit, cell.width, cell.total ? "total" : "partial");
    for (const Interval& interval : cell.domain->intervals())
      fmt::format_to(out, " {}..{}", interval.low, interval.high);
    text += '\n';
  }
  return text;
}

void Layout::unpack(State row, Value* values) const {
  for (const Cell& cell : cells_) {
    const std::uint64_t code = read_bits(row.data(), cell.bit, cell.width) + (cell.total ? 1 : 0);
    *values++ = code == 0 ? kUndefined : cell.domain->value(code);
  }
}

void Layout::pack(const Value* values, Word* row) const {
  std::fill_n(row, words(), 0);
  for (const Cell& cell : cells_) {
    const Value value = *values++;
    if (value != kUndefined)
      write_bits(row, cell.bit, cell.width, cell.domain->code(value) - (cell.total ? 1 : 0));
  }
}

}  // namespace spillway::program
