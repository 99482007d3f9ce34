#include "language/graph/graph.h"

#include "language/graph/graph_model.h"

namespace spillway {

ReadModel read_graph_file(const std::string& path, const ReadingOptions& options) {
  std::unique_ptr<GraphModel> model = GraphModel::from_file(path);
  model->choose(options.propositions);
  return {std::move(model)};
}

}  // namespace spillway
