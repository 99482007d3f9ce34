#include "base/memory/pages.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdint>
#include <utility>

#include "base/error.h"
#include "base/text/quantity.h"

namespace spillway {
namespace {

std::byte* map_bytes(std::size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : static_cast<std::byte*>(p);
}

// A mapping that starts at a multiple of the huge page: maps more than that and cuts the ends off.
std::byte* map_aligned(std::size_t bytes) {
  std::byte* p = map_bytes(bytes + Pages::kPiece);
  if (p == nullptr) return nullptr;
  const std::size_t past = reinterpret_cast<std::uintptr_t>(p) % Pages::kPiece;
  const std::size_t head = past == 0 ? 0 : Pages::kPiece - past;
  if (head != 0) munmap(p, head);
  if (head != Pages::kPiece) munmap(p + head + bytes, Pages::kPiece - head);
  // The result does not matter: without huge pages, everything works more slowly.
  madvise(p + head, bytes, MADV_HUGEPAGE);
  return p + head;
}

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

std::optional<Pages> Pages::map(Budget& budget, std::size_t bytes) {
  const bool large = bytes >= kPiece;
  Pages pages;
  pages.size_ = round_up(bytes, 4096);
  pages.data_ = large ? map_aligned(pages.size_) : map_bytes(pages.size_);
  if (pages.data_ == nullptr) return std::nullopt;
  pages.budget_ = &budget;
  return pages;
}

std::optional<Pages> Pages::get(Budget& budget, std::size_t bytes) {
  const std::size_t size = round_up(bytes, 4096);
  if (!budget.draw(size)) return std::nullopt;
  std::optional<Pages> pages = map(budget, size);
  if (pages)
    pages->drawn_ = size;
  else
    budget.give_back(size);
  return pages;
}

Pages Pages::need(Budget& budget, std::size_t bytes) {
  if (std::optional<Pages> pages = get(budget, bytes)) return std::move(*pages);
  throw Error(Fault::usage,
              fmt::format("--memory: {} is too little to start", bytes_text(budget.limit())));
}

std::optional<Pages> Pages::replacing(Pages& old, std::size_t bytes, std::size_t slack_bytes) {
  const std::size_t size = round_up(bytes, 4096);
  SPILLWAY_CHECK(size >= old.drawn_);
  const std::size_t more = size - old.drawn_ + slack_bytes;
  if (!old.budget_->draw(more)) return std::nullopt;
  std::optional<Pages> pages = map(*old.budget_, size);
  if (!pages) {
    old.budget_->give_back(more);
    return std::nullopt;
  }
  pages->drawn_ = size;
  old.drawn_ = slack_bytes;
  return pages;
}

void Pages::release(std::size_t from, std::size_t to) {
  from = round_up(from, kPiece);
  to = to / kPiece * kPiece;
  if (from < to) madvise(data_ + from, to - from, MADV_DONTNEED);
}

Pages::~Pages() {
  if (data_ == nullptr) return;
  munmap(data_, size_);
  budget_->give_back(drawn_);
}

void Pages::swap(Pages& other) noexcept {
  std::swap(budget_, other.budget_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(drawn_, other.drawn_);
}

}  // namespace spillway
