#include "check/session/checkpoints.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text/printable.h"
#include "check/session/session.h"

namespace spillway {

Checkpoints& Checkpoints::none() {
  static Checkpoints none;
  return none;
}

void keep_when_due(Session& session, Checkpoints& checkpoints, const std::string& what,
                   const std::function<void(const PutBytes&)>& fill) {
  if (!checkpoints.due(session)) return;
  const InPhase saving(session.lookout, Phase::saving);
  try {
    checkpoints.keep_extra(what, fill);
    checkpoints.commit(session);
  } catch (const Error& error) {
    session.lookout.announce(
        fmt::format("the {} could not be saved: {}", what, printable(error.what())));
  }
}

}  // namespace spillway
