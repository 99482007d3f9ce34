// What is noted about the loops over identities of one rule or property, whose turns must not depend
// on each other: who reads what a turn has left in a local variable.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "program/symmetry/dependence.h"
#include "program/symmetry/locals.h"

namespace spillway::program {

// A loop, quantifier or count.  Exactly one of range and bag is not nullptr.  If both are nullptr,
// the program is too large to be analysed, and nothing is known.
struct Loop {
  const Range* range;
  const Type* bag;
  Position position;
};

// Reads what a turn may have left in a cell.
struct Reader {
  Path cell;
  std::string name;
  Position position;
};

class LoopRecords {
 public:
  LoopNumber begin(const Loop& loop);
  const Loop& loop(LoopNumber number) const { return records_[number].loop; }
  // Both return why the order of the turns may be observed, once.
  std::optional<std::string> read(LoopNumber number, Reader reader);
  std::optional<std::string> end(LoopNumber number, std::vector<Conflict> conflicts);
  void refuse(LoopNumber number) { records_[number].refused = true; }
  // The cells of local variables that turns write, and others write or read.
  const std::vector<Conflict>& conflicts(LoopNumber number) const {
    return records_[number].conflicts;
  }

 private:
  struct Record {
    Loop loop;
    bool over = false, refused = false;
    std::vector<Conflict> conflicts;
    std::vector<Reader> turns;  // that read what another may have left
  };

  std::deque<Record> records_;
};

}  // namespace spillway::program
