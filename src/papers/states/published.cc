#include "papers/states/published.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash/row_hash.h"
#include "base/process/activity.h"

namespace spillway {
namespace {

Shape row_shape(const Model& model, const Signatures& signatures) {
  return signatures.bits == 0 ? Shape{model.words(), 0} : Shape{1, model.words()};
}

Store::Options options(const Budget& budget, const Sizes& sizes, std::string_view label) {
  Store::Options chosen;
  chosen.label = label;
  chosen.block_bytes =
      std::clamp<std::size_t>(budget.limit() / 8 / sizes.open_blocks, 4 << 10, 256 << 10);
  if (sizes.block_bytes != 0) chosen.block_bytes = sizes.block_bytes;
  chosen.rows_per_block = sizes.block_rows;
  chosen.partitions = std::max<std::size_t>(1, sizes.partitions);
  return chosen;
}

class PublishedSearch final : public LevelSearch {
 public:
  PublishedSearch(const SearchContext& context, const Sizes& sizes, Revisits revisits,
                  MakePublished make)
      : LevelSearch(context), workbench_(context, sizes, revisits), make_(std::move(make)) {}

  // What is not said to be something else is the insertion of successors.
  void search() override {
    ActivityWatch watch;
    const Doing doing(Activity::insertion);
    const std::unique_ptr<Published> algorithm = make_(workbench_);
    const auto note = [&] {
      activities_ = watch.stop();
      counters_ = algorithm->counters();
    };
    try {
      algorithm->search();
    } catch (const Finished&) {
      note();
      throw;
    }
    note();
  }
  std::uint64_t stored() const override { return workbench_.stored(); }
  std::optional<std::vector<Level>> levels_once() override { return workbench_.levels_once(); }
  Statistics statistics() const override {
    Statistics all = LevelSearch::statistics();
    all.activities = activities_;
    all.counters = counters_;
    return all;
  }

 private:
  Workbench workbench_;
  const MakePublished make_;
  std::optional<ActivitySeconds> activities_;
  Counters counters_;
};

}  // namespace

Workbench::Workbench(const SearchContext& context, const Sizes& sizes, Revisits revisits)
    : session_(context.session),
      budget_(context.budget),
      sizes_(sizes),
      signatures_(context.signatures),
      rows(context.disk, context.budget, row_shape(context.session.model, context.signatures),
           options(context.budget, sizes, "rows-")),
      keys(context.disk, context.budget, {rows.shape().key, 0},
           options(context.budget, sizes, "keys-")) {
  if (revisits == Revisits::possible && sizes.counting) expanded_.emplace(keys, "expanded");
}

States Workbench::as_rows(States states) {
  if (signatures_.bits == 0) return states;
  const std::size_t words = session_.model.words();
  made_.clear();
  for (const State s : states) {
    made_.push_back(row_hash(s, HashUse::signature, signatures_.seed) >> (64 - signatures_.bits));
    made_.insert(made_.end(), s.begin(), s.end());
  }
  return {made_.data(), states.size(), 1 + words};
}

States Workbench::initial() { return as_rows(session_.expanders.initial()); }

States Workbench::expand(State row) {
  if (expanded_) expanded_->append(key(row));
  const Doing doing(Activity::generation);
  Expander& expander = session_.expanders[0];
  expander.clear();
  const States made = expander.expand(signatures_.bits == 0 ? row : row.subspan(1));
  return session_.levels.discarding() ? States() : as_rows(made);
}

void Workbench::begin(std::uint64_t count) {
  stored_ += count;
  session_.levels.begin(count);
  session_.levels.start_level();
}

void Workbench::end_level(std::uint64_t next_rows) {
  if (expanded_) ends_.push_back(expanded_->size());
  if (!session_.levels.discarding()) stored_ += next_rows;
  session_.levels.end_level(next_rows);
  session_.levels.start_level();
}

// Counts the keys of one of several parts, for which the table may be large enough; false: it is
// not.
bool Workbench::count_part(StateTable& seen, std::size_t part, std::size_t parts,
                           std::vector<Level>& levels) {
  std::size_t level = 0;
  std::uint64_t position = 0;
  for (const State k : expanded_->scan(0, ends_.back())) {
    while (position == ends_[level]) ++level;
    ++position;
    if (row_hash(k, HashUse::count) % parts != part) continue;
    if (seen.full() && !seen.contains(k)) return false;
    if (!seen.insert(k)) continue;
    ++levels[level].states;
    if (signatures_.bits == 0) levels[level].digest.add(k);
  }
  return true;
}

std::optional<std::vector<Level>> Workbench::levels_once() {
  if (!expanded_) return std::nullopt;
  std::vector<Level> levels(ends_.size());
  if (ends_.empty()) return levels;
  expanded_->release();
  StateTable seen(keys, sizes_.count_bytes != 0 ? sizes_.count_bytes : budget_.left() / 4 * 3);
  for (std::size_t part = 0, parts = ends_.back() / seen.capacity() + 1; part < parts;) {
    if (count_part(seen, part, parts, levels)) {
      ++part;
    } else {
      levels.assign(ends_.size(), {});
      part = 0;
      parts *= 2;
    }
    seen.clear();
  }
  return levels;
}

std::uint64_t Published::bytes(std::uint64_t wanted, double part) const {
  return wanted != 0
             ? wanted
             : static_cast<std::uint64_t>(static_cast<double>(workbench_.budget().limit()) * part);
}

std::unique_ptr<Search> make_published(const SearchContext& context, const Sizes& sizes,
                                       Revisits revisits, MakePublished make) {
  return std::make_unique<PublishedSearch>(context, sizes, revisits, std::move(make));
}

}  // namespace spillway
