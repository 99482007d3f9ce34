#include "papers/storage/scan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/quantity.h"

namespace spillway {
namespace {

std::uint64_t rows_in_block(const Store& store, const BlockFile& file) {
  return file.format().capacity() / store.shape().bytes();
}

}  // namespace

Scan::Scan(Store& store, const BlockFile& file, const std::string& name, States unwritten,
           RowSum written, int& scans, std::uint64_t first, std::uint64_t last)
    : words_(store.shape().words()),
      name_(name),
      unwritten_(unwritten),
      written_(written),
      whole_(first == 0 && last == written.rows),
      scans_(scans),
      skip_(first % rows_in_block(store, file)),
      left_(last - first),
      reader_(file, store.budget(), store.options().ahead, first / rows_in_block(store, file),
              (last + rows_in_block(store, file) - 1) / rows_in_block(store, file)) {
  ++scans_;
}

// Shows those of `count` rows that belong to the scan.
void Scan::show(const Word* rows, std::uint64_t count) {
  const std::uint64_t skipped = std::min(skip_, count);
  skip_ -= skipped;
  const std::uint64_t shown = std::min(left_, count - skipped);
  left_ -= shown;
  row_ = rows + skipped * words_;
  end_ = row_ + shown * words_;
  read_.add(States(row_, shown, words_), words_);
}

bool Scan::refill() {
  while (row_ == end_ && left_ > 0) {
    if (const std::optional<Block> block = on_disk_ ? reader_.next() : std::nullopt) {
      show(reinterpret_cast<const Word*>(block->payload.data()),
           block->payload.size() / sizeof(Word) / words_);
    } else if (on_disk_) {
      on_disk_ = false;
      if (skip_ > 0 && unwritten_.size() < skip_) break;
      show(unwritten_.data(), unwritten_.size());
    } else {
      break;
    }
  }
  if (row_ != end_) return true;
  check_whole();
  return false;
}

void Scan::check_whole() const {
  if (left_ == 0 && (!whole_ || read_ == written_)) return;
  throw Error(Fault::integrity,
              fmt::format("{}: {} states were written, {} were read, and they are not the same: "
                          "the file is damaged",
                          name_, with_commas(written_.rows), with_commas(read_.rows)));
}

}  // namespace spillway
