#include "check/session/checkpoints.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text/printable.h"
#include "check/session/session.h"

namespace spillway {

void put_word(const PutBytes& put, std::uint64_t word) {
  put({reinterpret_cast<const std::uint8_t*>(&word), sizeof word});
}

std::uint64_t get_word(const GetBytes& get) {
  std::uint64_t word = 0;
  get({reinterpret_cast<std::uint8_t*>(&word), sizeof word});
  return word;
}

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

bool take_what_was_kept(Session& session, Checkpoints& checkpoints, const std::string& what,
                        const std::function<void(const GetBytes&)>& use,
                        const std::string& otherwise) {
  try {
    return checkpoints.read_extra(what, use);
  } catch (const Error& error) {
    if (error.fault() != Fault::integrity && error.fault() != Fault::system) throw;
    session.lookout.announce(fmt::format("{}: {}", otherwise, printable(error.what())));
    return false;
  }
}

}  // namespace spillway
