#include "io/data/engine.h"

#include "base/error.h"
#include "io/data/posix_engine.h"
#include "io/data/uring_engine.h"

namespace spillway {

std::unique_ptr<Engine> make_engine(EngineKind kind) {
  if (kind == EngineKind::posix) return make_posix_engine("pread and pwrite");
  std::string refusal;
  if (std::unique_ptr<Engine> engine = make_uring_engine(refusal)) return engine;
  if (kind == EngineKind::uring) throw Error(Fault::system, refusal);
  return make_posix_engine("pread and pwrite, because " + refusal);
}

}  // namespace spillway
