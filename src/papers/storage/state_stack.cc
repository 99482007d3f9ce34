#include "papers/storage/state_stack.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/text/quantity.h"

namespace spillway {

StateStack::StateStack(Store& store, std::string_view purpose)
    : store_(store),
      shape_(store.shape()),
      file_(store.disk(), store.new_name(purpose), store.new_format()),
      rows_(file_.format().capacity() / shape_.bytes()),
      lower_(Buffer::need(store.budget(), file_.format().block_bytes, "a stack")),
      upper_(Buffer::need(store.budget(), file_.format().block_bytes, "a stack")) {}

void StateStack::push(State row_to_push) {
  if (upper_rows_ == rows_) {
    if (lower_full_) spill();
    std::swap(lower_, upper_);
    lower_full_ = true;
    upper_rows_ = 0;
  }
  std::ranges::copy(row_to_push, row(upper_, upper_rows_++));
}

State StateStack::top() const {
  SPILLWAY_CHECK(upper_rows_ > 0);
  return {row(upper_, upper_rows_ - 1), shape_.words()};
}

std::span<Word> StateStack::top_note() {
  SPILLWAY_CHECK(upper_rows_ > 0);
  return {row(upper_, upper_rows_ - 1) + shape_.key, shape_.note};
}

void StateStack::pop() {
  SPILLWAY_CHECK(upper_rows_ > 0);
  if (--upper_rows_ > 0) return;
  if (lower_full_) {
    std::swap(lower_, upper_);
    lower_full_ = false;
    upper_rows_ = rows_;
  } else if (file_.blocks() > 0) {
    fetch();
  }
}

RowSum StateStack::sum_of(const Word* rows) const {
  RowSum sum;
  for (std::size_t i = 0; i < rows_; ++i) sum.add(rows + i * shape_.words(), shape_.words());
  return sum;
}

void StateStack::spill() {
  sums_.push_back(sum_of(row(lower_, 0)));
  file_.write(file_.blocks(), lower_.all(), rows_ * shape_.bytes(), rows_);
}

void StateStack::fetch() {
  const Block block = file_.read(file_.blocks() - 1, upper_.all());
  if (block.records != rows_ || sum_of(row(upper_, 0)) != sums_.back())
    throw Error(
        Fault::integrity,
        fmt::format("{}: block {} at offset {} is outdated; the disk or its driver is failing",
                    file_.name(), with_commas(block.number),
                    with_commas(block.number * file_.format().block_bytes)));
  sums_.pop_back();
  file_.forget_last();
  upper_rows_ = rows_;
}

void StateStack::clear() {
  file_.clear(store_.new_file_id());
  sums_.clear();
  lower_full_ = false;
  upper_rows_ = 0;
}

}  // namespace spillway
