#include "model/symmetric_model.h"

#include <algorithm>

#include "base/stop_request.h"

namespace spillway {

void SymmetricModel::initial(Successors& out) const {
  const std::size_t before = out.size();
  model_->initial(out);
  for (std::size_t i = before; i < out.size(); ++i) {
    stop_request::obey();
    symmetries_.canonical(out.row(i));
  }
}

void SymmetricModel::successors(State state, Successors& out) const {
  const std::size_t before = out.size();
  model_->successors(state, out);
  bool moved = out.moved();
  for (std::size_t i = before; i < out.size(); ++i) {
    stop_request::obey();
    moved = moved || !equal(State(out.row(i), words()), state);
    symmetries_.canonical(out.row(i));
  }
  if (moved) out.set_moved();
}

}  // namespace spillway
