#include "papers/storage/state_queue.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "base/process/activity.h"
#include "base/text/quantity.h"

namespace spillway {
namespace {

constexpr std::uint64_t kBlocksInFile = 4096;  // so much space is freed at a time

}  // namespace

StateQueue::StateQueue(Store& store, std::string_view purpose)
    : store_(store),
      purpose_(purpose),
      words_(store.shape().words()),
      writer_(new_file(), store.budget(), store.options().behind),
      reader_(files_.back()->format(), store.budget(), store.options().ahead) {
  front_ = Buffer::need(store.budget(), files_.back()->format().capacity(), "the front of a queue");
}

BlockFile& StateQueue::new_file() {
  files_.push_back(
      std::make_unique<BlockFile>(store_.disk(), store_.new_name(purpose_), store_.new_format()));
  return *files_.back();
}

void StateQueue::push(State row) {
  const Doing doing(Activity::queues);
  writer_.append(std::as_bytes(row));
  pushed_.add(row.data(), words_);
  if (writer_.block() < kBlocksInFile) return;
  writer_.finish();
  writer_.go_on(new_file());
}

std::optional<State> StateQueue::pop() {
  const Doing doing(Activity::queues);
  if (row_ == end_ && !refill()) return std::nullopt;
  const State row(row_, words_);
  row_ += words_;
  popped_.add(row.data(), words_);
  return row;
}

bool StateQueue::refill() {
  if (look_at_next_block() || take_unwritten()) return true;
  check_all();
  return false;
}

bool StateQueue::look_at_next_block() {
  for (;;) {
    if (const std::optional<Block> block = reader_.next()) {
      row_ = reinterpret_cast<const Word*>(block->payload.data());
      end_ = row_ + block->payload.size() / sizeof(Word);
      return true;
    }
    BlockFile& file = *files_.front();
    const bool last = files_.size() == 1;
    if (last && writer_.block() > file.blocks()) writer_.settle();
    if (read_ < file.blocks()) {
      reader_.read(file, read_);
      read_ = file.blocks();
    } else if (last) {
      return false;
    } else {
      files_.pop_front();
      read_ = 0;
    }
  }
}

bool StateQueue::take_unwritten() {
  const std::span<const std::byte> rows = writer_.unwritten();
  if (rows.empty()) return false;
  std::memcpy(front_.data(), rows.data(), rows.size());
  row_ = reinterpret_cast<const Word*>(front_.data());
  end_ = row_ + rows.size() / sizeof(Word);
  writer_.drop_unwritten();
  return true;
}

void StateQueue::check_all() const {
  if (pushed_ == popped_) return;
  throw Error(Fault::integrity, fmt::format("{}: {} states went into the queue, {} came out, and "
                                            "they are not the same: the file is damaged",
                                            files_.back()->name(), with_commas(pushed_.rows),
                                            with_commas(popped_.rows)));
}

void StateQueue::clear() {
  reader_.stop();
  row_ = end_ = nullptr;
  writer_.drop_unwritten();
  writer_.finish();
  writer_.go_on(new_file());
  while (files_.size() > 1) files_.pop_front();
  read_ = 0;
  pushed_ = popped_ = {};
}

}  // namespace spillway
