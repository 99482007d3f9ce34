#include "model/load.h"

#include <fmt/format.h>
#include <sha256.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/printable.h"
#include "model/compiled_model.h"
#include "model/graph_model.h"

namespace spillway {

std::string sha256_of(const std::string& path) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> digits{};
  return SHA256File(path.c_str(), digits.data()) != nullptr ? digits.data() : "";
}

LoadedModel load_model(const std::string& path) {
  namespace fs = std::filesystem;
  const std::string shown = printable(path);
  std::error_code none;
  if (!fs::exists(path, none)) throw Error(Fault::model, fmt::format("{}: there is no such file", shown));
  if (fs::is_directory(path, none))
    throw Error(Fault::model, fmt::format("{}: this is a directory, not a model", shown));
  LoadedModel loaded{nullptr, path, sha256_of(path)};
  if (loaded.sha256.empty()) throw Error(Fault::model, fmt::format("{}: {}", shown, std::strerror(errno)));
  const std::string ending = fs::path(path).extension().string();
  if (ending == ".so")
    loaded.model = std::make_unique<CompiledModel>(path);
  else if (ending == ".graph")
    loaded.model = std::make_unique<GraphModel>(GraphModel::from_file(path));
  else
    throw Error(Fault::model,
                fmt::format("{}: '{}' is no kind of model; a model ends in .so (compiled) or .graph (explicit graph)",
                            shown, printable(ending)));
  return loaded;
}

}  // namespace spillway
