#include "io/io_error.h"

#include <fmt/format.h>

#include <cstring>

#include "base/text/printable.h"
#include "base/text/quantity.h"

namespace spillway {
namespace {

std::string_view remedy(int number) {
  switch (number) {
    case ENOSPC:
    case EDQUOT: return "; free space there or use another scratch directory";
    case kOverLimit: return "; raise --disk-limit";
    case EFBIG:
      return "; the file system or a limit of this process (ulimit -f) allows no larger file";
    case EMFILE:
    case ENFILE: return "; raise the limit of open files (ulimit -n)";
    case EACCES:
    case EPERM:
    case EROFS: return "; use a scratch directory that you may write to";
    case EIO: return "; the disk is failing, see the kernel log";
    default: return "";
  }
}

std::string description(int number) {
  if (number == kOverLimit) return "the files of the search would exceed --disk-limit";
  const char* name = strerrorname_np(number);
  return fmt::format("{} ({})",
                     strerrordesc_np(number) != nullptr ? strerrordesc_np(number) : "unknown error",
                     name != nullptr ? name : std::to_string(number));
}

std::string told(int number) { return fmt::format("{}{}", description(number), remedy(number)); }

Fault fault_of(int number) {
  return number == ENOSPC || number == EDQUOT || number == kOverLimit ? Fault::disk : Fault::system;
}

// More may be needed later: nobody knows how many states there are.
std::string missing(std::uint64_t bytes, std::optional<std::uint64_t> room_left) {
  if (!room_left || *room_left >= bytes) return "";
  return fmt::format(", {} free, at least {} more needed", bytes_text(*room_left),
                     bytes_text(bytes - *room_left));
}

}  // namespace

Error transfer_error(std::string_view file, std::string_view verb, std::uint64_t bytes,
                     std::uint64_t offset, int number, std::optional<std::uint64_t> room_left) {
  return {fault_of(number),
          fmt::format("{}: cannot {} {} bytes at offset {}: {}{}{}", printable(file), verb,
                      with_commas(bytes), with_commas(offset), description(number),
                      missing(bytes, room_left), remedy(number))};
}

Error operation_error(std::string_view file, std::string_view verb, int number) {
  return {fault_of(number), fmt::format("{}: cannot {}: {}", printable(file), verb, told(number))};
}

Error text_error(std::string_view file, std::string_view verb, int number) {
  return {fault_of(number),
          fmt::format("{}: cannot {}: {}", printable(file), verb, std::strerror(number))};
}

Error not_of_a_run(std::string_view file, std::string_view why) {
  return {Fault::integrity, fmt::format("{}: not a file of a run: {}", printable(file), why)};
}

}  // namespace spillway
