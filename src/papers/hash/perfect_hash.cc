#include "papers/hash/perfect_hash.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/quantity.h"
#include "storage/runs/external_sort.h"

namespace spillway {
namespace {

constexpr std::size_t kWords = 2;  // of a row that is a hashed key: the slot, then the place

std::size_t rows_at_once(const Budget& budget, std::uint64_t keys) {
  const std::uint64_t most = budget.left() / 4 / (kWords * sizeof(Word));
  return std::clamp<std::uint64_t>(keys, 1, std::max<std::uint64_t>(most, 64));
}

std::size_t chunk_bytes(const Budget& budget) {
  return std::clamp<std::size_t>(budget.left() / 512, 4 << 10, 64 << 10);
}

}  // namespace

PerfectHash::PerfectHash(Budget& budget, Disk& disk, std::uint64_t count, const EachKey& each,
                         const PerfectHashSettings& settings, const std::function<void()>& poll)
    : budget_(budget),
      disk_(disk),
      size_(count),
      settings_(settings),
      parts_(count / settings.part_keys + 1),
      claim_(budget, (parts_ + 1) * sizeof(Start) + (settings.check_values ? 2 * count : 0)) {
  constexpr int kSeeds = 8;
  for (int i = 0; i < kSeeds; ++i, ++settings_.seed)
    if (build(each, poll)) return;
  throw Error(Fault::integrity,
              fmt::format("no perfect hash was found for {} states: two of them are the same",
                          with_commas(count)));
}

bool PerfectHash::build(const EachKey& each, const std::function<void()>& poll) {
  BlockShape shape = BlockShape::of(kWords);
  shape.compressed = false;  // hashes have nothing in common
  const Claim claim(budget_, HashPartBuilder::most_bytes());
  HashPartBuilder builder;
  const std::uint64_t to_come = settings_.on_disk ? 0 : size_ * 3 / 8;
  ChunkStore store(budget_, disk_, chunk_bytes(budget_), shape.most_bytes(),
                   budget_.left() / 4 + to_come);
  const std::size_t rows =
      settings_.sort_rows != 0 ? settings_.sort_rows : rows_at_once(budget_, size_);
  ExternalSort<kWords> sort(budget_, store, shape, rows);
  std::uint64_t keys = 0;
  each([&](State key) {
    const HashKey hashed = settings_.hash(key, settings_.seed);
    Word* const row = sort.place(1);
    row[0] = hashed.slot;
    row[1] = hashed.place;
    sort.keep(1);
    if (++keys % 4096 == 0) poll();
  });
  if (keys != size_)
    throw Error(Fault::integrity, fmt::format("a perfect hash of {} states was given {}",
                                              with_commas(size_), with_commas(keys)));
  sort.settle();
  MergeSources<kWords> sources;
  sort.add_to(sources);

  starts_.clear();
  starts_.push_back({0, 0, 0});
  bytes_ = settings_.on_disk ? part_bytes_on_disk(budget_, disk_, settings_.disk_blocks)
                             : part_bytes_in_memory(budget_);
  values_.assign(settings_.check_values ? size_ : 0, 0);
  bool good = true;
  merge_all(sources, shape, store.buffers(), sort.sorter(),
            [&](const Word* sorted, std::size_t some) {
              poll();
              for (const State row : States(sorted, some, kWords)) {
                const PartPlace at = part_place({row[1], row[0]}, parts_);
                good = good && end_parts(at.part, builder);
                if (good) builder.add(at.within, row[0]);
              }
            });
  good = good && end_parts(parts_, builder) && starts_.back().key == size_;
  if (good) bytes_->finish();
  return good;
}

// Completes the parts before `part`, of which the first has the keys of the builder, the others
// none.  False if that cannot be done.
bool PerfectHash::end_parts(std::uint64_t part, HashPartBuilder& builder) {
  while (starts_.size() <= part) {
    if (!builder.build()) return false;
    const HashPart& done = builder.part();
    note_values(builder);
    starts_.back().attempt = done.attempt;
    starts_.push_back({starts_.back().key + done.keys, starts_.back().byte + done.bytes(), 0});
    std::vector<std::uint8_t> bytes(done.bytes());
    std::ranges::copy(builder.pilots(), bytes.begin());
    for (std::size_t i = 0; i < builder.sent().size(); ++i)
      std::copy_n(reinterpret_cast<const std::uint8_t*>(&builder.sent()[i]), 2,
                  bytes.begin() + static_cast<std::ptrdiff_t>(done.first_sent() + 2 * i));
    bytes_->add(bytes);
    builder.clear();
  }
  return builder.keys() < HashPart::kMostKeys;
}

void PerfectHash::note_values(const HashPartBuilder& builder) {
  if (values_.empty()) return;
  for (std::size_t i = 0; i < builder.keys(); ++i)
    values_[starts_.back().key + builder.number(i)] = builder.value(i);
}

std::uint64_t PerfectHash::operator()(State key) {
  const HashKey hashed = settings_.hash(key, settings_.seed);
  const PartPlace at = part_place(hashed, parts_);
  const Start& start = starts_[at.part];
  const HashPart part{static_cast<std::uint32_t>(starts_[at.part + 1].key - start.key),
                      start.attempt};
  const std::uint32_t slot =
      part.slot(hashed.slot, bytes_->byte(start.byte + part.bucket(at.within)));
  const std::uint64_t number =
      start.key + (slot < part.keys
                       ? slot
                       : bytes_->pair(start.byte + part.first_sent() + 2 * (slot - part.keys)));
  if (settings_.check_values)
    SPILLWAY_CHECK(number < size_ && values_[number] == HashPartBuilder::value_of(hashed.slot));
  return number;
}

std::uint64_t PerfectHash::memory_bytes() const {
  return starts_.size() * sizeof(Start) + bytes_->memory_bytes() + values_.size() * 2;
}

}  // namespace spillway
