#include "base/process/identity.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <cerrno>
#include <charconv>

#include "base/error.h"

namespace spillway {
namespace {

constexpr std::size_t kDigits = 16;  // of each half

std::optional<std::uint64_t> half_in(std::string_view digits) {
  if (digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return number;
}

}  // namespace

std::uint64_t drawn_number() {
  std::uint64_t number = 0;
  ssize_t got = getrandom(&number, sizeof number, 0);
  while (got < 0 && errno == EINTR) got = getrandom(&number, sizeof number, 0);
  if (got != sizeof number)
    throw Error(Fault::system, "the system provides no random numbers (getrandom)");
  return number;
}

Identity Identity::drawn() {
  Identity identity;
  identity.high_ = drawn_number();
  identity.low_ = drawn_number();
  return identity;
}

std::string Identity::hex() const { return fmt::format("{:016x}{:016x}", high_, low_); }

std::optional<Identity> Identity::from_hex(std::string_view digits) {
  if (digits.size() != 2 * kDigits) return std::nullopt;
  const std::optional<std::uint64_t> high = half_in(digits.substr(0, kDigits));
  const std::optional<std::uint64_t> low = half_in(digits.substr(kDigits));
  if (!high || !low) return std::nullopt;
  Identity identity;
  identity.high_ = *high;
  identity.low_ = *low;
  return identity;
}

}  // namespace spillway
