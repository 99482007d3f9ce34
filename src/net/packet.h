// Small things that ranks tell each other, one after the other in a sequence of bytes.
//
// All ranks of a check run the same program on the same kind of processor, so numbers are sent as
// they are in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace spillway {

class Packet {
 public:
  void put(std::uint64_t number) { append(std::as_bytes(std::span(&number, 1))); }
  void put(std::span<const std::uint64_t> numbers) {
    put(numbers.size());
    append(std::as_bytes(numbers));
  }
  void put(const std::string& text) {
    put(text.size());
    append(std::as_bytes(std::span(text)));
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  void append(std::span<const std::byte> some) {
    const std::size_t before = bytes_.size();
    bytes_.resize(before + some.size());
    if (!some.empty()) std::memcpy(bytes_.data() + before, some.data(), some.size());
  }
  std::vector<std::byte> bytes_;
};

// Reads what was put, in the same order.  Throws Error(integrity) where there is less.
class PacketReader {
 public:
  // REQUIRES: the bytes outlive it.
  explicit PacketReader(std::span<const std::byte> bytes) : left_(bytes) {}

  std::uint64_t number() {
    std::uint64_t number = 0;
    std::memcpy(&number, next(sizeof number).data(), sizeof number);
    return number;
  }
  std::vector<std::uint64_t> numbers() {
    const std::uint64_t count = number();
    if (count > left_.size() / sizeof count) refuse();
    std::vector<std::uint64_t> numbers(count);
    const std::span<const std::byte> from = next(count * sizeof count);
    if (count != 0) std::memcpy(numbers.data(), from.data(), from.size());
    return numbers;
  }
  std::string text() {
    const std::span<const std::byte> from = next(number());
    return {reinterpret_cast<const char*>(from.data()), from.size()};
  }

 private:
  std::span<const std::byte> next(std::uint64_t bytes) {
    if (bytes > left_.size()) refuse();
    const std::span<const std::byte> some = left_.first(bytes);
    left_ = left_.subspan(bytes);
    return some;
  }
  [[noreturn]] static void refuse() {
    throw Error(Fault::integrity, "a rank has sent less than it has announced");
  }

  std::span<const std::byte> left_;
};

}  // namespace spillway
