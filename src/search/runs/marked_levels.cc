#include "search/runs/marked_levels.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/process/stop_request.h"
#include "storage/levels/level_keeper.h"

namespace spillway {
namespace {

constexpr std::size_t kMostAtOnce = 16 << 10;  // rows that threads share

}  // namespace

MarkedLevels::MarkedLevels(std::unique_ptr<FormerRuns> runs, const MergeHistory& history,
                           Crew& crew, std::size_t words, Budget& budget)
    : runs_(std::move(runs)), history_(history), crew_(crew), words_(words), budget_(budget) {}

void MarkedLevels::each(std::uint64_t level, const std::function<void(unsigned, State)>& visit) {
  const std::size_t some =
      std::clamp<std::size_t>(budget_.limit() / 64 / (words_ * sizeof(Word)), 1, kMostAtOnce);
  const Claim claim(budget_, some * words_ * sizeof(Word));
  std::vector<Word> rows;
  rows.reserve(some * words_);
  const auto visit_rows = [&] {
    deal_out(crew_, {rows.data(), rows.size() / words_, words_}, visit);
    rows.clear();
  };
  for (std::size_t run = 0; run < runs_->runs(); ++run) {
    LevelFinder finder(history_, runs_->label(run), level);
    if (!finder.any()) continue;
    runs_->give(run, 0, 1, [&](States states) {
      stop_request::obey();
      for (const State state : states) {
        if (!finder.next()) continue;
        rows.insert(rows.end(), state.begin(), state.end());
        if (rows.size() == some * words_) visit_rows();
      }
    });
  }
  visit_rows();
}

}  // namespace spillway
