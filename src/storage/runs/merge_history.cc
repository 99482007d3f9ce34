#include "storage/runs/merge_history.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace spillway {
namespace {

std::vector<RunLabel> distinct(std::span<const MarkedMerge::Source> sources) {
  std::vector<RunLabel> labels;
  for (const MarkedMerge::Source& source : sources)
    if (std::find(labels.begin(), labels.end(), source.label) == labels.end())
      labels.push_back(source.label);
  return labels;
}

std::vector<std::uint8_t> marks_of(std::span<const MarkedMerge::Source> sources,
                                   const std::vector<RunLabel>& labels) {
  std::vector<std::uint8_t> marks;
  for (const MarkedMerge::Source& source : sources)
    marks.push_back(static_cast<std::uint8_t>(
        std::find(labels.begin(), labels.end(), source.label) - labels.begin()));
  return marks;
}

}  // namespace

MarkCode MarkedMerge::code_of(std::span<const Source> sources, std::span<const std::uint8_t> marks,
                              std::size_t labels) {
  std::vector<std::uint64_t> rows(labels);
  for (std::size_t i = 0; i < sources.size(); ++i) rows[marks[i]] += sources[i].rows;
  return MarkCode(rows);
}

MarkedMerge::MarkedMerge(MarkStore& store, std::span<const Source> sources)
    : store_(store),
      labels_(distinct(sources)),
      marks_(marks_of(sources, labels_)),
      bits_(static_cast<unsigned>(std::bit_width(labels_.size() - 1))),
      code_(code_of(sources, marks_, labels_.size())) {}

void MarkedMerge::begin(std::size_t parts) {
  for (std::size_t i = 0; i < parts; ++i) parts_.emplace_back(store_.budget());
}

RunLabel MergeHistory::begin_level(bool marked) {
  const std::uint64_t level = levels_++;
  if (!marked) return {};
  marked_levels_.push_back(level);
  return RunLabel::of_level(level);
}

bool MergeHistory::has(std::uint64_t level) const {
  return std::binary_search(marked_levels_.begin(), marked_levels_.end(), level);
}

std::unique_ptr<MarkedMerge> MergeHistory::begin(std::span<const MarkedMerge::Source> sources) {
  const auto differs = [&](const MarkedMerge::Source& source) {
    return source.label != sources[0].label;
  };
  if (std::none_of(sources.begin(), sources.end(), differs)) return nullptr;
  return std::make_unique<MarkedMerge>(store_, sources);
}

RunLabel MergeHistory::add(std::unique_ptr<MarkedMerge> merge) {
  merges_.push_back(std::move(merge));
  return RunLabel::of_merge(merges_.size() - 1);
}

LevelFinder::LevelFinder(const MergeHistory& history, RunLabel run, std::uint64_t level) {
  // for each merge, the mark of the source that leads to the level
  std::vector<std::optional<std::uint8_t>> leads(history.merges_.size());
  const auto on_the_way = [&](RunLabel label) {
    return label.is_merge() ? leads[label.merge()].has_value() : label == RunLabel::of_level(level);
  };
  for (std::size_t i = 0; i < history.merges_.size(); ++i) {
    const std::vector<RunLabel>& labels = history.merges_[i]->labels();
    for (std::size_t mark = 0; mark < labels.size(); ++mark)
      if (on_the_way(labels[mark])) leads[i] = static_cast<std::uint8_t>(mark);
  }
  found_ = on_the_way(run);
  if (!found_) return;
  while (run.is_merge()) {
    const MarkedMerge& merge = *history.merges_[run.merge()];
    const std::uint8_t mark = *leads[run.merge()];
    way_.push_back({merge.reader(), mark});
    run = merge.label(mark);
  }
}

}  // namespace spillway
