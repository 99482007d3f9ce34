#include "io/data/transfer.h"

#include "base/process/activity.h"

#include <fmt/format.h>

#include <cerrno>

#include "base/text/quantity.h"
#include "io/data/buffer.h"
#include "io/data/file.h"
#include "io/io_error.h"

namespace spillway {
namespace {

constexpr int kMostStalls = 100;
constexpr int kEndOfFile = -1;  // instead of an error number

// ECANCELED: the thread that submitted the transfer to io_uring has ended.
bool worth_repeating(int number) {
  return number == EINTR || number == EAGAIN || number == ECANCELED;
}

}  // namespace

bool Transfer::stalls(int reason) {
  IoCounters::add(file_.counters().retries, 1);
  if (++stalled_ < kMostStalls) return false;
  error_ = reason;
  return true;
}

bool Transfer::absorb(std::int64_t result) {
  if (result < 0) {
    const int number = static_cast<int>(-result);
    if (worth_repeating(number)) return stalls(number);
    error_ = number;
    return true;
  }
  IoCounters& counters = file_.counters();
  const auto moved = static_cast<std::size_t>(result);
  IoCounters::add(direction_ == Direction::read ? counters.read_bytes : counters.written_bytes,
                  moved);
  if (moved == size()) {
    done_ = size_;
    return true;
  }
  if (moved == 0 && direction_ == Direction::read) {
    error_ = kEndOfFile;
    return true;
  }
  // The next attempt must begin at a sector, so a part of a sector is moved again.
  const std::size_t sectors = moved / kSector * kSector;
  if (sectors == 0) return stalls(EIO);
  done_ += sectors;
  stalled_ = 0;
  IoCounters::add(counters.retries, 1);
  return false;
}

void Transfer::go() {
  for (;;) {
    const std::optional<std::int64_t> result = file_.attempt(*this);
    if (!result) return;
    if (absorb(*result)) {
      finish();
      return;
    }
  }
}

void Transfer::throw_error() const {
  if (error_ == 0) return;
  const bool reading = direction_ == Direction::read;
  if (error_ != kEndOfFile)
    throw transfer_error(file_.name(), reading ? "read" : "write", size_, offset_, error_,
                         file_.room_left(error_));
  throw Error(Fault::integrity,
              fmt::format("{}: truncated: the file ends within the {} bytes at offset {}",
                          file_.name(), with_commas(size_), with_commas(offset_)));
}

void Request::wait() {
  if (!transfer_) return;
  if (!transfer_->finished()) {
    const Doing doing(Activity::waiting);
    transfer_->file().await(*transfer_);
  }
  const std::unique_ptr<Transfer> ended = std::move(transfer_);
  ended->throw_error();
}

void Request::end() noexcept {
  if (transfer_ && !transfer_->finished()) transfer_->file().await(*transfer_);
  transfer_.reset();
}

Request& Request::operator=(Request&& other) noexcept {
  if (this == &other) return *this;
  end();
  transfer_ = std::move(other.transfer_);
  return *this;
}

}  // namespace spillway
