// Entries of tables of states.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory/pages.h"
#include "base/state.h"
#include "storage/table/bucket.h"

namespace spillway {

// A row in a table: key and note words. for (auto [state, tag] : table)
struct TableEntry {
  State state;
  Tag tag;
};

// The result of a lookup.  Note and tag may be changed.  Valid until the table changes.
struct TableFound {
  State state;
  std::span<Word> note;
  Tag* tag = nullptr;

  explicit operator bool() const { return tag != nullptr; }
};

// Memory for a table; `purpose` is the subject of the message.  Throws Error(usage) if the budget
// refuses.
Pages table_pages(Budget& budget, std::size_t bytes, std::string_view purpose);

// Iterates over the filled slots of a Table.  REQUIRES: entry(i), filled(i), slots().
template <class Table>
class TableIterator {
 public:
  TableIterator(const Table& table, std::size_t slot) : table_(table), slot_(slot) { to_filled(); }
  TableEntry operator*() const { return table_.entry(slot_); }
  TableIterator& operator++() {
    ++slot_;
    to_filled();
    return *this;
  }
  bool operator!=(const TableIterator& other) const { return slot_ != other.slot_; }

 private:
  void to_filled() {
    while (slot_ < table_.slots() && !table_.filled(slot_)) ++slot_;
  }

  const Table& table_;
  std::size_t slot_;
};

}  // namespace spillway
