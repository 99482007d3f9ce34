#include "storage/table/row_pool.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/text/quantity.h"

namespace spillway {
namespace {
constexpr std::size_t kPageBytes = 4096;
// recycled chunks kept at hand, so that small levels cost no system call
constexpr std::size_t kKeptPaid = 16;
}  // namespace

RowPool::RowPool(Budget& budget, std::size_t words, std::size_t chunk_rows)
    : budget_(budget), words_(words), chunk_rows_(chunk_rows) {
  reserve();
}

RowPool::RowPool(const RowPool& other, std::size_t words)
    : budget_(other.budget_),
      words_(words),
      chunk_rows_(other.chunk_rows_),
      fresh_(other.fresh_),
      unpaid_(other.unpaid_) {
  unpaid_.insert(unpaid_.end(), other.paid_.begin(), other.paid_.end());
  reserve();
}

void RowPool::reserve() {
  reserved_bytes_ = (budget_.limit() / chunk_bytes() + 1 + fresh_) * chunk_bytes();
  void* p = mmap(nullptr, reserved_bytes_, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    throw Error(Fault::system,
                fmt::format("cannot reserve {} of address space ({}): use a smaller --memory",
                            bytes_text(reserved_bytes_), std::strerror(errno)));
  base_ = static_cast<Word*>(p);
}

RowPool::~RowPool() {
  munmap(base_, reserved_bytes_);
  budget_.give_back(drawn_ * chunk_bytes());
}

bool RowPool::take_chunk(std::uint64_t& first_row) {
  const std::lock_guard lock(mutex_);
  std::uint64_t chunk = 0;
  if (!paid_.empty()) {
    chunk = paid_.back();
    paid_.pop_back();
  } else {
    if (!budget_.draw(chunk_bytes())) return false;
    ++drawn_;
    if (!unpaid_.empty()) {
      chunk = unpaid_.back();
      unpaid_.pop_back();
    } else {
      chunk = fresh_++;
    }
  }
  first_row = chunk * chunk_rows_;
  return true;
}

bool RowPool::draw_chunk() {
  const std::lock_guard lock(mutex_);
  if (!budget_.draw(chunk_bytes())) return false;
  ++drawn_;
  return true;
}

bool RowPool::returns_chunks() const {
  return chunk_bytes() % kPageBytes == 0;  // neighbours may share a page otherwise
}

void RowPool::recycle(Segment segment) {
  const std::uint64_t chunk = chunk_of(segment);
  const std::lock_guard lock(mutex_);
  if (paid_.size() < kKeptPaid || !returns_chunks()) {
    paid_.push_back(chunk);
    return;
  }
  madvise(base_ + chunk * chunk_rows_ * words_, chunk_bytes(), MADV_DONTNEED);
  budget_.give_back(chunk_bytes());
  --drawn_;
  unpaid_.push_back(chunk);
}

bool RowPool::Writer::open_chunk() {
  std::uint64_t first = 0;
  if (!pool_->take_chunk(first)) return false;
  end_segment();
  open_ = started_ = first;
  end_ = first + pool_->chunk_rows_;
  return true;
}

std::uint64_t RowPool::Writer::append(const Word* row) {
  const std::uint64_t number = open_++;
  std::memcpy(pool_->base_ + number * pool_->words_, row, pool_->words_ * sizeof(Word));
  return number;
}

void RowPool::Writer::end_segment() {
  if (open_ > started_) segments_.push_back({started_, open_ - started_});
  started_ = open_;
}

void RowPool::Writer::peek(std::vector<Segment>& all) const {
  all.insert(all.end(), segments_.begin(), segments_.end());
  if (open_ > started_) all.push_back({started_, open_ - started_});
}

std::vector<RowPool::Segment> RowPool::Writer::take(bool close) {
  end_segment();
  // A closed chunk belongs to its last segment, and whoever recycles that recycles the chunk.  One
  // without rows stays open.
  const std::uint64_t chunk_start = end_ - (end_ != 0 ? pool_->chunk_rows_ : 0);
  if (close && open_ > chunk_start) open_ = started_ = end_ = 0;
  return std::exchange(segments_, {});
}

}  // namespace spillway
