#include "check/graph/acceptance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text/quantity.h"
#include "check/graph/levels_of_all_ranks.h"
#include "check/graph/shared_passes.h"

namespace spillway {
namespace {

constexpr std::uint64_t kBitsOfWord = 64;

}  // namespace

Finding AcceptingPrefix::finding_of(const AcceptingCycle& cycle, LevelReader& levels) {
  std::vector<Node> nodes = cycle.nodes;
  nodes.push_back(cycle.first);
  std::vector<std::vector<Word>> rows = states_.states(levels, nodes);
  Finding finding{PropertyKind::acceptance, 0, states_.level(cycle.first), std::move(rows.back())};
  rows.pop_back();
  finding.loop = std::move(rows);
  finding.minimal = is_shortest_;
  return finding;
}

// Where the passes of an earlier process were.
void AcceptingPrefix::begin_with_kept(BitVector& set) {
  const auto take = [&](const GetBytes& get) {
    if (get_word(get) != set.size())
      throw Error(Fault::integrity, "the bits that were kept are of other states");
    for (std::uint64_t i = 0; i < set.size(); i += kBitsOfWord) {
      const std::uint64_t kept = get_word(get);
      for (std::uint64_t k = i; k < std::min(i + kBitsOfWord, set.size()); ++k)
        if ((kept >> (k - i) & 1) == 0) set.reset(k);
    }
  };
  if (take_what_was_kept(session_, *checkpoints_, "passes", take, "passes begin again"))
    session_.lookout.announce(fmt::format("passes go on with {} of {} states",
                                          with_commas(set.count()), with_commas(set.size())));
  else
    set.fill(states_.size());
}

void AcceptingPrefix::keep(const BitVector& set) {
  keep_when_due(session_, *checkpoints_, "passes", [&](const PutBytes& put) {
    put_word(put, set.size());
    for (std::uint64_t i = 0; i < set.size(); i += kBitsOfWord) {
      std::uint64_t word = 0;
      for (std::uint64_t k = i; k < std::min(i + kBitsOfWord, set.size()); ++k)
        word |= std::uint64_t{set.get(k)} << (k - i);
      put_word(put, word);
    }
  });
}

std::optional<Finding> AcceptingPrefix::extend(LevelReader& levels, std::uint64_t end, bool is_all,
                                               Budget& budget) {
  states_.extend(levels, end, is_all);
  if (states_.size() == 0) return std::nullopt;  // no accepting cycle can begin
  const std::optional<AcceptingCycle> cycle = agreed(find(is_all, budget));
  checked_ = end;
  if (!cycle) return std::nullopt;
  return finding_of(*cycle, levels);
}

// Where memory is short, ranks may find cycles that are shorter or longer: the best one is taken.
std::optional<AcceptingCycle> AcceptingPrefix::agreed(std::optional<AcceptingCycle> own) {
  Cluster& cluster = session_.cluster;
  Packet figures;
  figures.put(own ? 1 : 0);
  figures.put(is_shortest_ ? 0 : 1);
  figures.put(own ? own->nodes.size() : 0);
  std::vector<std::array<std::uint64_t, 3>> all;
  for (const std::vector<std::byte>& part : cluster.gather(figures)) {
    PacketReader reader(part);
    const std::uint64_t found = reader.number();
    const std::uint64_t is_longer = reader.number();
    all.push_back({found, is_longer, reader.number()});
    if (found != all.front()[0])
      throw Error(Fault::integrity, "the ranks have found accepting cycles and none");
  }
  if (!own) return own;
  const auto best = static_cast<unsigned>(std::ranges::min_element(all) - all.begin());
  is_shortest_ = all[best][1] == 0;
  Packet cycle;
  if (cluster.rank() == best) {
    cycle.put(own->levels);
    cycle.put(own->first);
    cycle.put(own->nodes);
  }
  const std::vector<std::vector<std::byte>> cycles = cluster.gather(cycle);
  PacketReader reader(cycles[best]);
  own->levels = reader.number();
  own->first = reader.number();
  own->nodes = reader.numbers();
  return own;
}

std::optional<AcceptingCycle> AcceptingPrefix::find(bool is_all, Budget& budget) {
  LeastPrefixSettings settings;
  settings.poll = [this] { session_.lookout.look_up(); };
  settings.targets = states_.targets();
  if (states_.is_apart()) return find_apart(settings, is_all, budget);
  if (!minimal_ && is_all) {  // passes for a shortest one are not kept
    settings.begin = [this](BitVector& set) { begin_with_kept(set); };
    settings.between = [this](const BitVector& set) { keep(set); };
  }
  return find_in(states_.edges(), settings, is_all, budget);
}

// All accepting cycles are in what remains of the passes that the ranks make together.
std::optional<AcceptingCycle> AcceptingPrefix::find_apart(LeastPrefixSettings passes, bool is_all,
                                                          Budget& budget) {
  SharedPasses shared(states_, session_.cluster, budget, crew_);
  BitVector set = states_.edges().make_bits(budget, std::max(states_.size(), states_.targets()));
  set.fill(states_.size());
  shared.trim(set, passes.most_passes, passes.poll);
  if (set.next(0) == set.size()) return std::nullopt;
  const Edges within = shared.edges_within(set, passes.poll);
  passes.begin = [&set](BitVector& all) { all.keep(set); };
  return find_in(within, passes, is_all, budget);
}

std::optional<AcceptingCycle> AcceptingPrefix::find_in(const Edges& edges,
                                                       const LeastPrefixSettings& passes,
                                                       bool is_all, Budget& budget) {
  if (minimal_) return find_shortest(edges, passes, is_all, budget);
  return LeastPrefix(edges, all_sets(session_.model.acceptance().sets()), states_.ends(), budget,
                     crew_, passes)
      .find(checked_);
}

std::optional<AcceptingCycle> AcceptingPrefix::find_shortest(const Edges& edges,
                                                             const LeastPrefixSettings& passes,
                                                             bool is_all, Budget& budget) {
  ShortestLassoSettings settings{passes, {disk_, budget.left() / 2}};
  settings.tell = [this](const std::string& text) { session_.lookout.announce(text); };
  std::optional<LassoInLevels::Found> found =
      lasso_.find({edges, all_sets(session_.model.acceptance().sets()), states_.ends()}, checked_,
                  is_all, budget, crew_, settings);
  if (!found) return std::nullopt;
  is_shortest_ = found->why_not.empty();
  if (!is_shortest_) announce_not_shortest(session_.lookout, found->why_not);
  return std::move(found->cycle);
}

void announce_not_shortest(const Lookout& lookout, const std::string& why) {
  lookout.announce("this run may not be a shortest one: " + why);
}

void decide_acceptance(Session& session, Search& search, Budget& budget, Crew& crew, Disk* disk,
                       bool minimal, Checkpoints& checkpoints) {
  search.free_visited();
  const std::unique_ptr<LevelReader> levels = levels_of_all_ranks(session, search, budget, crew);
  AcceptingPrefix prefix(session, budget, crew, disk, minimal);
  prefix.keep_in(checkpoints);
  std::optional<Finding> found =
      prefix.extend(*levels, session.levels.counts().levels.size(), true, budget);
  if (found) session.findings.add(std::move(*found));
}

}  // namespace spillway
