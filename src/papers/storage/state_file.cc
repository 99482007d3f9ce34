#include "papers/storage/state_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/text/quantity.h"

namespace spillway {

StateFile::StateFile(Store& store, std::string_view purpose)
    : store_(store),
      words_(store.shape().words()),
      bytes_(store.shape().bytes()),
      file_(store.disk(), store.new_name(purpose), store.new_format()) {}

// Takes a block that release() has not filled into memory again.
void StateFile::open() {
  if (partial_ == 0) {
    writer_.emplace(file_, store_.budget(), store_.options().behind);
    return;
  }
  BlockLookup lookup(file_, store_.budget());
  const Block block = lookup.read(file_.blocks() - 1);
  if (block.records != partial_)
    throw Error(Fault::integrity,
                fmt::format("{}: block {} at offset {} has {} states, but {} were written: the "
                            "disk or its driver is failing",
                            file_.name(), block.number,
                            with_commas(block.number * file_.format().block_bytes), block.records,
                            partial_));
  file_.forget_last();
  writer_.emplace(file_, store_.budget(), store_.options().behind);
  for (std::size_t i = 0; i < partial_; ++i)
    writer_->append(block.payload.subspan(i * bytes_, bytes_));
  summed_ = partial_;
  partial_ = 0;
}

// Rows are summed up together, which is faster than one by one, before they leave memory.
void StateFile::sum_up() {
  const States rows = unwritten();
  written_.add(States(rows.data() + summed_ * words_, rows.size() - summed_, words_), words_);
  summed_ = rows.size();
}

void StateFile::make_room() {
  if (!writer_) open();
  sum_up();
  writer_->place(bytes_);
  summed_ = unwritten().size();
}

void StateFile::append(States rows) {
  SPILLWAY_CHECK(scans_ == 0);
  const auto* from = reinterpret_cast<const std::byte*>(rows.data());
  for (std::size_t left = rows.size(); left > 0;) {
    if (!writer_ || writer_->left() < bytes_) make_room();
    const std::size_t count = std::min(left, writer_->left() / bytes_);
    std::memcpy(writer_->place(bytes_), from, count * bytes_);
    writer_->added(count * bytes_, count);
    from += count * bytes_;
    left -= count;
  }
}

States StateFile::unwritten() const {
  if (!writer_) return {};
  const std::span<const std::byte> rows = writer_->unwritten();
  return {reinterpret_cast<const Word*>(rows.data()), rows.size() / bytes_, words_};
}

Scan StateFile::scan(std::uint64_t first, std::uint64_t last) {
  if (writer_) {
    sum_up();
    writer_->settle();
  }
  last = std::min(last, size());
  first = std::min(first, last);
  return {store_, file_, file_.name(), unwritten(), written_, scans_, first, last};
}

void StateFile::release() {
  SPILLWAY_CHECK(scans_ == 0);
  if (!writer_) return;
  sum_up();
  summed_ = 0;
  partial_ = unwritten().size();
  writer_->finish();
  writer_.reset();
}

void StateFile::clear() {
  SPILLWAY_CHECK(scans_ == 0);
  writer_.reset();
  file_.clear(store_.new_file_id());
  partial_ = summed_ = 0;
  written_ = {};
}

}  // namespace spillway
