#include "check/graph/levels_of_all_ranks.h"

#include <vector>

#include "check/ranks/row_post.h"

namespace spillway {
namespace {

constexpr std::size_t kShareForRowsSent = 32;  // of the budget

class LevelsAlone final : public LevelReader {
 public:
  explicit LevelsAlone(LevelReader& own) : own_(own) {}
  void each_at_depth(std::uint64_t depth,
                     const std::function<void(unsigned, State)>& visit) override {
    own_.each_at_depth(depth, visit);
  }

 private:
  LevelReader& own_;
};

template <std::size_t W>
class LevelsOfAllRanks final : public LevelReader {
  using Visit = std::function<void(unsigned, State)>;

 public:
  LevelsOfAllRanks(Session& session, LevelReader& own, Budget& budget, Crew& crew,
                   const LevelsOfAllRanksSettings& settings)
      : own_(own),
        crew_(crew),
        post_(session.cluster, [&session](unsigned thread) { session.lookout.look_up(thread); },
              budget, session.model, crew, {true, settings.rows, kShareForRowsSent}) {}

  void each_at_depth(std::uint64_t depth, const Visit& visit) override {
    std::vector<typename RowPost<W>::Receive> receivers;
    for (unsigned thread = 0; thread < crew_.size(); ++thread)
      receivers.emplace_back([&visit, thread](States rows) {
        for (const State row : rows) visit(thread, row);
      });
    post_.begin(crew_.size());
    own_.each_at_depth(depth, [&](unsigned thread, State state) {
      visit(thread, state);
      post_.put(thread, 0, state.data(), receivers[thread]);
    });
    crew_.each([&](unsigned thread) { post_.finish(thread, receivers[thread]); });
  }

 private:
  LevelReader& own_;
  Crew& crew_;
  RowPost<W> post_;
};

}  // namespace

std::unique_ptr<LevelReader> levels_of_all_ranks(Session& session, Search& search, Budget& budget,
                                                 Crew& crew,
                                                 const LevelsOfAllRanksSettings& settings) {
  LevelReader& own = *search.level_reader();
  if (session.cluster.ranks() == 1) return std::make_unique<LevelsAlone>(own);
  return with_width(session.model.words(), [&](auto width) -> std::unique_ptr<LevelReader> {
    return std::make_unique<LevelsOfAllRanks<width()>>(session, own, budget, crew, settings);
  });
}

}  // namespace spillway
