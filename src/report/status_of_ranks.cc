#include "report/status_of_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text/printable.h"
#include "base/text/quantity.h"
#include "report/words/words.h"

namespace spillway {
namespace {

constexpr std::int64_t kOldSeconds = 30;  // several times as long as between two texts

void add(std::optional<Manifest>& all, const Manifest& one) {
  if (!all) {
    all = one;
    return;
  }
  all->levels.resize(std::max(all->levels.size(), one.levels.size()));
  for (std::size_t i = 0; i < one.levels.size(); ++i) all->levels[i] += one.levels[i];
  all->level_states += one.level_states;
  all->seconds = std::max(all->seconds, one.seconds);
}

// States and levels are those of all ranks in each of them.
void add(std::optional<LiveStatus>& all, const LiveStatus& one) {
  if (!all) {
    all = one;
    return;
  }
  all->memory_bytes += one.memory_bytes;
  all->memory_limit_bytes += one.memory_limit_bytes;
  all->disk_bytes += one.disk_bytes;
}

std::string line_of(const RankPartStatus& part, bool running) {
  std::string text = fmt::format("  rank {}: ", part.rank);
  auto out = std::back_inserter(text);
  const RankFigures figures = part.figures();
  fmt::format_to(out, "{}", plural(figures.states, "state"));
  if (const std::optional<LiveStatus>& now = part.status.live)
    fmt::format_to(out, ", memory {}, sent {}, received {}, waited {}",
                   bytes_text(figures.memory_bytes), bytes_text(figures.bytes_sent),
                   bytes_text(figures.bytes_received),
                   seconds_text(static_cast<double>(now->waited_milliseconds) / 1000));
  fmt::format_to(out, ", {} on disk", bytes_text(part.status.bytes));
  if (!running) return text + "\n";
  if (!part.status.user)
    text += ", no process works on it here";
  else if (part.age_seconds() > kOldSeconds)
    fmt::format_to(out, ", last seen {} ago",
                   seconds_text(static_cast<double>(part.age_seconds())));
  return text + "\n";
}

// Those of which all parts have the same checkpoint.
std::vector<RunStatus::Product> products_of_all(const std::vector<RankPartStatus>& parts) {
  std::vector<RunStatus::Product> all;
  for (const RunStatus::Product& product : parts.front().status.products) {
    const auto is_it = [&](const RunStatus::Product& other) {
      return other.number == product.number &&
             other.checkpoint.generation == product.checkpoint.generation;
    };
    std::optional<Manifest> sum;
    bool is_everywhere = true;
    for (const RankPartStatus& part : parts) {
      const auto found = std::ranges::find_if(part.status.products, is_it);
      if (found == part.status.products.end())
        is_everywhere = false;
      else
        add(sum, found->checkpoint);
    }
    if (is_everywhere) all.push_back({product.number, *std::move(sum)});
  }
  return all;
}

}  // namespace

RankFigures RankPartStatus::figures() const {
  RankFigures figures;
  figures.disk_bytes = status.bytes;
  if (status.checkpoint)
    figures.states = status.checkpoint->states() + status.checkpoint->level_states;
  if (!status.live) return figures;
  figures.states = std::max(figures.states, status.live->own_states);
  figures.memory_bytes = status.live->memory_bytes;
  figures.memory_limit_bytes = status.live->memory_limit_bytes;
  figures.bytes_sent = status.live->bytes_sent;
  figures.bytes_received = status.live->bytes_received;
  figures.waited_milliseconds = status.live->waited_milliseconds;
  return figures;
}

std::int64_t RankPartStatus::age_seconds() const {
  return status.live ? std::max<std::int64_t>(0, status.read - status.live->written) : 0;
}

RunStatus status_of_ranks(const std::string& directory, std::vector<RankPartStatus> parts) {
  RunStatus all = parts.front().status;  // the first one speaks for all
  all.directory = directory;
  all.checkpoint.reset();
  all.live.reset();
  all.faults.clear();
  all.bytes = 0;
  for (const RankPartStatus& part : parts) {
    all.ranks = std::max(all.ranks, part.rank + 1);
    if (part.status.checkpoint) {
      all.ranks = std::max(all.ranks, part.status.checkpoint->ranks);
      add(all.checkpoint, *part.status.checkpoint);
    }
    if (part.status.live) add(all.live, *part.status.live);
    if (!all.user) all.user = part.status.user;
    all.bytes += part.status.bytes;
    for (const std::string& fault : part.status.faults)
      all.faults.push_back(fmt::format("rank {}: {}", part.rank, fault));
  }
  // What only some of them have, nobody can resume from.
  for (const RankPartStatus& part : parts)
    if (!part.status.checkpoint) all.checkpoint.reset();
  all.products = products_of_all(parts);
  all.parts = std::move(parts);
  return all;
}

std::string ranks_text(const RunStatus& status) {
  std::string text;
  std::vector<RankFigures> figures;
  for (const RankPartStatus& part : status.parts) {
    text += line_of(part, status.user.has_value());
    figures.push_back(part.figures());
  }
  const std::size_t elsewhere = status.ranks - status.parts.size();
  std::string missing;
  if (elsewhere == 1) missing = "; 1 of them has its part on another machine";
  if (elsewhere > 1)
    missing = fmt::format("; {} of them have their parts on other machines", elsewhere);
  return fmt::format("  {}, skew {:.2f} (the most states of a rank, to the mean){}\n{}",
                     plural(status.ranks, "rank"), skew(figures), missing, text);
}

}  // namespace spillway
