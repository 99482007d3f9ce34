#include "model/coverage.h"

#include <utility>

#include "base/error.h"

namespace spillway {

void Observed::take(Observed& other) {
  if (other.counters.empty() && other.marks.empty()) return;
  make_room(other.counters.size(), other.marks.size());
  if (counters.size() != other.counters.size() || marks.size() != other.marks.size())
    throw Error(Fault::integrity,
                "one part of the search has counted other rules or properties than another");
  for (std::size_t i = 0; i < counters.size(); ++i)
    counters[i] += std::exchange(other.counters[i], 0);
  for (std::size_t i = 0; i < marks.size(); ++i)
    marks[i] = static_cast<std::uint8_t>(marks[i] | std::exchange(other.marks[i], 0));
}

void Observed::resize(std::size_t counters_wanted, std::size_t marks_wanted) {
  counters.resize(counters_wanted);
  marks.resize(marks_wanted);
}

}  // namespace spillway
