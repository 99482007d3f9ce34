#include "check/common_end.h"

#include <utility>

#include "check/facts/expect_state.h"

namespace spillway {
namespace {

// False: a rank has left the meeting.
bool try_to_meet(Session& session, Ending& ending) {
  ending.findings = session.findings.all();
  try {
    ending = agree_on(session.cluster, ending);
  } catch (const Cluster::Left&) {
    return false;
  }
  for (Finding& finding : std::exchange(ending.findings, {})) {
    expect_states(session.model, finding);
    session.findings.add(std::move(finding));
  }
  return true;
}

}  // namespace

void meet(Session& session, Ending& ending) {
  while (!try_to_meet(session, ending)) session.cluster.leave();
}

void leave_and_meet(Session& session, Ending& ending) {
  session.cluster.leave();
  meet(session, ending);
}

std::optional<Stop> agree_on_stop(Cluster& cluster, std::optional<Stop> own) {
  Packet packet;
  packet.put(number_of(own));
  std::optional<Stop> least;
  for (const std::vector<std::byte>& part : cluster.gather(packet)) {
    const std::optional<Stop> stop = stop_of(PacketReader(part).number());
    if (stop && (!least || *stop < *least)) least = stop;
  }
  return least;
}

}  // namespace spillway
