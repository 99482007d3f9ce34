#include "language/compiled/compiled.h"

#include "model/compiled_model.h"

namespace spillway {

ReadModel read_compiled_file(const std::string& path, const ReadingOptions& options) {
  auto model = std::make_unique<CompiledModel>(path);
  model->choose(options.propositions);
  return {std::move(model)};
}

}  // namespace spillway
