#include "storage/bits/paged_bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/process/identity.h"

namespace spillway {
namespace {

constexpr std::uint64_t kFewestPages = 2;

BlockFormat page_format() {
  BlockFormat format;
  format.run_id = drawn_number();
  format.block_bytes = PagedBits::kPageBytes;
  return format;
}

}  // namespace

PagedBits::PagedBits(Budget& budget, Disk& disk, std::uint64_t words, std::uint64_t bytes)
    : claim_(budget, (words / kPageWords + 1) * sizeof(Page)),
      pages_(words / kPageWords + 1),
      slots_(std::clamp<std::uint64_t>(bytes / kPageBytes, kFewestPages,
                                       std::max<std::uint64_t>(kFewestPages, pages_.size()))),
      memory_(Pages::need(budget, slots_.size() * kPageBytes)),
      file_(disk, fmt::format("bits-{:016x}", drawn_number()), page_format()) {}

std::uint64_t PagedBits::load(std::uint64_t word) {
  const std::lock_guard lock(mutex_);
  const Page& page = pages_[word / kPageWords];
  if (page.slot == kNone && page.is_zero) return 0;
  return *at(word, false);
}

void PagedBits::store(std::uint64_t word, std::uint64_t value) {
  const std::lock_guard lock(mutex_);
  *at(word, true) = value;
}

std::uint64_t PagedBits::fetch_or(std::uint64_t word, std::uint64_t bits) {
  const std::lock_guard lock(mutex_);
  std::uint64_t* const here = at(word, true);
  const std::uint64_t before = *here;
  *here |= bits;
  return before;
}

std::uint64_t PagedBits::fetch_and(std::uint64_t word, std::uint64_t bits) {
  const std::lock_guard lock(mutex_);
  std::uint64_t* const here = at(word, true);
  const std::uint64_t before = *here;
  *here &= bits;
  return before;
}

void PagedBits::clear() {
  const std::lock_guard lock(mutex_);
  for (Page& page : pages_) {
    page.slot = kNone;
    page.is_zero = true;
  }
  std::ranges::fill(slots_, Slot{});
}

std::uint64_t* PagedBits::at(std::uint64_t word, bool changes) {
  Page& page = pages_[word / kPageWords];
  if (page.slot == kNone) {
    const std::uint32_t slot = free_slot();
    read(page, slot);
    slots_[slot] = {static_cast<std::uint32_t>(word / kPageWords), true, false};
    page.slot = slot;
  }
  slots_[page.slot].used = true;
  slots_[page.slot].changed = slots_[page.slot].changed || changes;
  return reinterpret_cast<std::uint64_t*>(bytes_of(page.slot) + kBlockHeaderBytes) +
         word % kPageWords;
}

// The hand goes round and takes the first page that was not used since it came by.
std::uint32_t PagedBits::free_slot() {
  for (;;) {
    const std::uint32_t number = hand_;
    hand_ = hand_ + 1 == slots_.size() ? 0 : hand_ + 1;
    Slot& slot = slots_[number];
    if (slot.page == kNone) return number;
    if (std::exchange(slot.used, false)) continue;
    Page& page = pages_[slot.page];
    if (slot.changed) write(page);
    page.slot = kNone;
    slot = {};
    return number;
  }
}

void PagedBits::write(Page& page) {
  if (page.block == kNone) {
    SPILLWAY_CHECK(file_.blocks() < kNone);
    const auto block = static_cast<std::uint32_t>(file_.blocks());
    file_.write(block, {bytes_of(page.slot), kPageBytes}, kPageWords * 8, 1);
    page.block = block;
    page.version = 1;
  } else {
    file_.write(page.block, {bytes_of(page.slot), kPageBytes}, kPageWords * 8, page.version + 1);
    ++page.version;
  }
  page.is_zero = false;
}

void PagedBits::read(const Page& page, std::uint32_t slot) {
  if (page.is_zero) {
    std::memset(bytes_of(slot), 0, kPageBytes);
    return;
  }
  const Block block = file_.read(page.block, {bytes_of(slot), kPageBytes});
  if (block.records != page.version || block.payload.size() != kPageWords * 8)
    throw Error(Fault::integrity,
                fmt::format("{}: a page is not what was written last", file_.name()));
}

}  // namespace spillway
