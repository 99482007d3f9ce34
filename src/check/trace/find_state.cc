#include "check/trace/find_state.h"

#include <algorithm>

#include "base/process/stop_request.h"

namespace spillway {
namespace {

// What one thread has found in the present level.
struct alignas(128) Finder {
  std::vector<Word> least;  // empty: none
  std::uint64_t count = 0;
  std::uint64_t read = 0, unknown = 0;
};

void look_at(const Conditions& conditions, States rows, Finder& finder) {
  for (const State row : rows) {
    std::optional<Failure> failure;
    const Letter letter = conditions.evaluate(row, failure);
    ++finder.read;
    if (failure) {
      ++finder.unknown;
    } else if ((letter & 1) != 0) {
      ++finder.count;
      if (finder.least.empty() || less(row, finder.least))
        finder.least.assign(row.begin(), row.end());
    }
  }
}

// The levels of a log, for make_trace().
class LogLevels final : public LevelReader {
 public:
  LogLevels(LevelLog& log, Crew& crew) : log_(log), crew_(crew) {}

  void each_at_depth(std::uint64_t depth,
                     const std::function<void(unsigned, State)>& visit) override {
    log_.each_row(depth, log_.form().shape, crew_, visit);
  }

 private:
  LevelLog& log_;
  Crew& crew_;
};

}  // namespace

StateSearch find_state(Journal& journal, Crew& crew, const Model& asked) {
  std::vector<Finder> finders(crew.size());
  const auto has_found = [&] {
    return std::ranges::any_of(finders, [](const Finder& f) { return f.count != 0; });
  };
  std::uint64_t now = 0;
  LevelTaker taker;
  taker.prepare = [&](std::uint64_t level) {
    stop_request::obey();
    if (level != now && has_found()) return false;
    now = level;
    return true;
  };
  taker.take = [&](unsigned worker, States rows) {
    look_at(asked.conditions(), rows, finders[worker]);
    return rows.size();
  };
  journal.load(crew, &asked, taker);
  StateSearch result;
  for (const Finder& finder : finders) {
    result.read += finder.read;
    result.unknown += finder.unknown;
    if (finder.count == 0) continue;
    if (!result.found) result.found = FoundState{now, finder.least, 0};
    result.found->of_level += finder.count;
    if (less(finder.least, result.found->row)) result.found->row = finder.least;
  }
  return result;
}

PackedSteps shortest_way(Journal& journal, Crew& crew, const Model& model,
                         const FoundState& found) {
  LogLevels levels(journal.levels(), crew);
  return way_to(model, levels, crew, found.level, found.row);
}

}  // namespace spillway
