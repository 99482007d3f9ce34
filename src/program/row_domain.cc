#include "program/row_domain.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/printable.h"

namespace spillway::program {
namespace {

std::uint64_t all_bits(unsigned width) {
  return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

std::uint64_t greatest_code(const Layout::Cell& cell) {
  return cell.domain->size() - (cell.total ? 1 : 0);
}

// The bits of a slot of a bag from one on, at most a word of them.
std::uint64_t slot_part(const PackedBag& bag, std::uint64_t slot, std::uint64_t from, State row) {
  const auto width = static_cast<unsigned>(std::min<std::uint64_t>(64, bag.slot_bits - from));
  return read_bits(row.data(), bag.bit + slot * bag.slot_bits + from, width);
}

bool is_empty_slot(const PackedBag& bag, std::uint64_t slot, State row) {
  for (std::uint64_t from = 0; from < bag.slot_bits; from += 64)
    if (slot_part(bag, slot, from, row) != 0) return false;
  return true;
}

// In the order of sort_bags().
bool is_before_or_same(const PackedBag& bag, std::uint64_t slot, std::uint64_t next, State row) {
  for (std::uint64_t from = 0; from < bag.slot_bits; from += 64) {
    const std::uint64_t a = slot_part(bag, slot, from, row);
    const std::uint64_t b = slot_part(bag, next, from, row);
    if (a != b) return a > b;
  }
  return true;
}

}  // namespace

RowDomain::RowDomain(const Program& program, const Layout& layout)
    : program_(program), layout_(layout), tests_(layout.words()), bags_(packed_bags(program)) {
  for (const Layout::Cell& cell : layout.cells()) add(cell);
  std::size_t cell = 0;
  for (const Variable& variable : program.variables) {
    if (variable.type->is_queue) add_queue(*variable.type, cell);
    cell += cells(*variable.type);
  }
}

void RowDomain::add(const Layout::Cell& cell) {
  const std::uint64_t missing = all_bits(cell.width) - greatest_code(cell);
  for (unsigned i = 0; i < cell.width; ++i) {
    Test& test = tests_[(cell.bit + i) / 64];
    const unsigned bit = (cell.bit + i) % 64;
    test.unused &= ~(Word{1} << bit);
    test.missing |= (missing >> i & 1) << bit;
  }
  const std::uint64_t after = cell.bit + cell.width;
  // Behind the last word, every carry is one of these.
  if (missing != 0 && after / 64 < tests_.size()) tests_[after / 64].after |= Word{1} << after % 64;
}

void RowDomain::add_queue(const Type& type, std::size_t cell) {
  const std::size_t first = cell + field_cell(type, 1);
  const Type& messages = *type.fields[1].type;
  SPILLWAY_CHECK(type.fields.size() == 2 && messages.kind == Kind::array);
  Queue& queue = queues_.emplace_back();
  queue.count = layout_.cells()[cell + field_cell(type, 0)];
  queue.empty.resize(messages.index->domain.size());
  for (std::size_t i = 0; i < queue.empty.size(); ++i)
    for (std::size_t k = 0; k < cells(*messages.element); ++k) {
      const Layout::Cell& part = layout_.cells()[first + element_cell(messages, i) + k];
      queue.empty[i].push_back({part.bit, part.width, part.domain->code(0) - (part.total ? 1 : 0)});
    }
}

bool RowDomain::are_scalars(State row) const {
  Word wrong = 0;
  Word carry = 0;
  for (std::size_t i = 0; i < tests_.size(); ++i) {
    const Test& test = tests_[i];
    const Word some = row[i] + test.missing;
    const Word sum = some + carry;
    const Word carries = row[i] ^ test.missing ^ sum;  // into each bit
    wrong |= (row[i] & test.unused) | (carries & test.after);
    carry = (some < row[i] ? 1 : 0) | (sum < some ? 1 : 0);
  }
  return (wrong | carry) == 0;
}

bool RowDomain::is_sorted(const PackedBag& bag, State row) {
  for (std::uint64_t slot = 0; slot < bag.capacity; ++slot) {
    const bool is_marked = read_bits(row.data(), bag.bit + slot * bag.slot_bits, 1) != 0;
    if (!is_marked && !is_empty_slot(bag, slot, row)) return false;
    if (slot != 0 && !is_before_or_same(bag, slot - 1, slot, row)) return false;
  }
  return true;
}

bool RowDomain::are_bags(State row) const {
  return std::ranges::all_of(bags_, [&](const PackedBag& bag) { return is_sorted(bag, row); });
}

bool RowDomain::has_no_more(const Queue& queue, State row) {
  const Layout::Cell& cell = queue.count;
  const std::uint64_t code = read_bits(row.data(), cell.bit, cell.width) + (cell.total ? 1 : 0);
  const auto count = static_cast<std::size_t>(cell.domain->value(code));
  for (std::size_t i = count; i < queue.empty.size(); ++i)
    for (const Bits& bits : queue.empty[i])
      if (read_bits(row.data(), bits.first, bits.width) != bits.code) return false;
  return true;
}

bool RowDomain::are_queues(State row) const {
  return std::ranges::all_of(queues_, [&](const Queue& queue) { return has_no_more(queue, row); });
}

std::string RowDomain::why_not(State row) const {
  const Layout::Cell* cell = layout_.cells().data();
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const Variable& variable = program_.variables[i];
    const std::string name = printable(variable.name);
    for (const Layout::Cell* const end = cell + cells(*variable.type); cell != end; ++cell)
      if (read_bits(row.data(), cell->bit, cell->width) > greatest_code(*cell))
        return fmt::format("{} has no value of its type", name);
    const std::uint64_t first = layout_.variable_bit(i);
    const auto is_inside = [&](std::uint64_t bit) {
      return bit >= first && bit - first < bits_of(*variable.type);
    };
    for (const PackedBag& bag : bags_)
      if (is_inside(bag.bit) && !is_sorted(bag, row))
        return fmt::format("the elements of {} are not in order", name);
    for (const Queue& queue : queues_)
      if (is_inside(queue.count.bit) && !has_no_more(queue, row))
        return fmt::format("{} has something behind its messages", name);
  }
  return "bits are set that belong to no variable";
}

}  // namespace spillway::program
