#include "base/text/read_file.h"

#include <fmt/format.h>

#include <array>
#include <fstream>

#include "base/error.h"
#include "base/text/printable.h"
#include "base/text/quantity.h"

namespace spillway {

std::string read_file(const std::string& path, std::size_t most_bytes) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  for (std::array<char, 65536> part; file.read(part.data(), part.size()) || file.gcount() > 0;)
    if (text.append(part.data(), static_cast<std::size_t>(file.gcount())).size() > most_bytes)
      throw Error(Fault::model, fmt::format("{}: the file has more than {} bytes", printable(path),
                                            with_commas(most_bytes)));
  if (!file.eof() || file.bad())
    throw Error(Fault::model, fmt::format("{}: the file cannot be read", printable(path)));
  return text;
}

}  // namespace spillway
