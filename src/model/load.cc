#include "model/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/hash/sha256.h"
#include "base/text/printable.h"
#include "base/text/suggest.h"
#include "model/compiled_model.h"
#include "model/graph_model.h"

namespace spillway {

namespace {

// The file that was probably meant.
std::string suggestion(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path folder = path.parent_path();
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator file(folder.empty() ? "." : folder, error), end;
       !error && file != end; file.increment(error))
    names.push_back(file->path().filename().string());
  std::sort(names.begin(), names.end());
  const std::optional<std::string_view> near =
      nearest(path.filename().string(), std::vector<std::string_view>(names.begin(), names.end()));
  return near ? fmt::format("; did you mean {}?", printable((folder / *near).string())) : "";
}

template <class Kind>
std::unique_ptr<Model> opened(std::unique_ptr<Kind> model,
                              const std::vector<PropositionText>& propositions) {
  model->choose(propositions);
  return model;
}

}  // namespace

void require_model_file(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none))
    throw Error(Fault::model, fmt::format("{}: no such file{}", printable(path), suggestion(path)));
  if (std::filesystem::is_directory(path, none))
    throw Error(Fault::model, fmt::format("{}: this is a directory, not a model", printable(path)));
}

LoadedModel load_model(const std::string& path, const std::vector<PropositionText>& propositions) {
  namespace fs = std::filesystem;
  const std::string shown = printable(path);
  require_model_file(path);
  LoadedModel loaded{nullptr, path, sha256_of(path)};
  if (loaded.sha256.empty())
    throw Error(Fault::model, fmt::format("{}: {}", shown, std::strerror(errno)));
  const std::string ending = fs::path(path).extension().string();
  if (ending == ".so")
    loaded.model = opened(std::make_unique<CompiledModel>(path), propositions);
  else if (ending == ".graph")
    loaded.model = opened(GraphModel::from_file(path), propositions);
  else
    throw Error(
        Fault::model,
        fmt::format("{}: '{}' is not a known kind of model; the name of a model ends in .m or "
                    ".murphi (Murphi), .dve (DVE), .so (compiled) or .graph (explicit graph)",
                    shown, printable(ending)));
  return loaded;
}

}  // namespace spillway
