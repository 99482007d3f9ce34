#include "io/io_error.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "base/printable.h"
#include "base/quantity.h"

namespace spillway {
namespace {

static_assert(EINTR == 4);

std::string_view remedy(int number) {
  switch (number) {
    case ENOSPC:
    case EDQUOT: return "; free space there or use another scratch directory";
    case EFBIG: return "; the file system or a limit of this process (ulimit -f) allows no larger file";
    case EMFILE:
    case ENFILE: return "; raise the limit of open files (ulimit -n)";
    case EACCES:
    case EPERM:
    case EROFS: return "; use a scratch directory that you may write to";
    case EIO: return "; the disk is failing, see the log of the kernel";
    default: return "";
  }
}

std::string told(int number) {
  const char* name = strerrorname_np(number);
  return fmt::format("{} ({}){}", strerrordesc_np(number) != nullptr ? strerrordesc_np(number) : "unknown error",
                     name != nullptr ? name : std::to_string(number), remedy(number));
}

}  // namespace

namespace {
Fault fault_of(int number) { return number == ENOSPC || number == EDQUOT ? Fault::disk : Fault::system; }
}  // namespace

Error transfer_error(std::string_view file, std::string_view verb, std::uint64_t bytes, std::uint64_t offset,
                     int number) {
  return {fault_of(number), fmt::format("{}: cannot {} {} bytes at offset {}: {}", printable(file), verb,
                                        with_commas(bytes), with_commas(offset), told(number))};
}

Error operation_error(std::string_view file, std::string_view verb, int number) {
  return {fault_of(number), fmt::format("{}: cannot {}: {}", printable(file), verb, told(number))};
}

}  // namespace spillway
