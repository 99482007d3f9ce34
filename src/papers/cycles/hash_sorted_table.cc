#include "papers/cycles/hash_sorted_table.h"

#include <algorithm>

#include "base/error.h"

namespace spillway {
namespace {

constexpr std::size_t kClaimedHashes = 64;

}  // namespace

HashSortedTable::HashSortedTable(Store& store)
    : store_(store),
      words_(store.shape().words()),
      format_(store.new_format()),
      block_records_(format_.capacity() / store.shape().bytes()),
      name_(store.new_name("table")),
      file_(store.disk().create(name_)),
      read_(Buffer::need(store.budget(), format_.block_bytes, "a sorted table")),
      written_(Buffer::need(store.budget(), format_.block_bytes, "a sorted table")) {}

HashSortedTable::~HashSortedTable() {
  file_.reset();
  try {
    store_.disk().remove(name_);
  } catch (const Error&) {
    // What cannot be removed now goes with the disk.
  }
}

void HashSortedTable::read(std::uint64_t block) {
  if (block == block_) return;
  block_ = kNoBlock;
  file_->read(block * format_.block_bytes, read_.first(format_.block_bytes)).wait();
  open_block(read_.first(format_.block_bytes), format_, block, file_->name());
  block_ = block;
}

void HashSortedTable::write(std::uint64_t block, std::uint64_t records) {
  const std::size_t bytes = records * words_ * sizeof(Word);
  const std::span<std::byte> all = written_.first(format_.block_bytes);
  first_hashes_[block] = *place(written_, 0);
  seal_block(all, format_, {block, records, bytes});
  file_->write(block * format_.block_bytes, all).wait();
  ++written_blocks_;
  if (block == block_) block_ = kNoBlock;
}

void HashSortedTable::reserve(std::uint64_t records) {
  const std::uint64_t blocks = (records + block_records_ - 1) / block_records_;
  while (claims_.size() * kClaimedHashes < blocks)
    claims_.emplace_back(store_.budget(), 2 * kClaimedHashes * sizeof(Word));  // it may double
  first_hashes_.resize(blocks);
}

bool HashSortedTable::contains(const Word* record) {
  if (size_ == 0) return false;
  // The block before the first that begins with this hash or a greater one may end with it.
  const auto from = std::ranges::lower_bound(first_hashes_, record[0]) - first_hashes_.begin();
  for (auto block = static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(0, from - 1));
       block < first_hashes_.size() && first_hashes_[block] <= record[0]; ++block) {
    if (block != block_) ++looked_up_blocks_;
    read(block);
    const std::uint64_t end = std::min(size_, (block + 1) * block_records_);
    for (std::uint64_t i = block * block_records_; i < end; ++i)
      if (std::equal(record, record + words_, place(read_, i))) return true;
  }
  return false;
}

void HashSortedTable::insert(const Word* records, std::uint64_t count) {
  std::uint64_t r = size_, w = size_ + count;
  if (count == 0) return;
  size_ = w;
  reserve(w);
  file_->truncate(first_hashes_.size() * format_.block_bytes);
  for (std::uint64_t in_block = (w - 1) % block_records_ + 1;
       w > 0 && (count > 0 || w % block_records_ != 0);) {
    const Word* taken = nullptr;
    if (r > 0) {
      const std::uint64_t block = (r - 1) / block_records_;
      if (block != block_) ++read_blocks_;
      read(block);
      taken = place(read_, r - 1);
    }
    if (count > 0 && (taken == nullptr || records[(count - 1) * words_] >= *taken))
      taken = records + --count * words_;
    else
      --r;
    --w;
    std::copy_n(taken, words_, place(written_, w));
    if (w % block_records_ != 0) continue;
    write(w / block_records_, in_block);
    in_block = block_records_;
  }
  SPILLWAY_CHECK(w == r);
}

const Word* HashSortedTable::record(std::uint64_t i) {
  if (i / block_records_ != block_) ++read_blocks_;
  read(i / block_records_);
  return place(read_, i);
}

}  // namespace spillway
