#include "check/common_end.h"

#include <utility>

#include "check/expect_state.h"

namespace spillway {
namespace {

// False: a rank has left the meeting.
bool try_to_meet(Session& session, const KnownEnding& ending) {
  Evidence& evidence = ending.evidence;
  Ending all;
  try {
    all = agree_on(*session.cluster, Ending{evidence.search_returned, evidence.goals_decided,
                                            evidence.stop, evidence.fault, evidence.fault_sentence,
                                            ending.no_room, session.findings.all(), ending.damage});
  } catch (const Cluster::Left&) {
    return false;
  }
  evidence.search_returned = all.search_returned;
  evidence.goals_decided = all.goals_decided;
  evidence.stop = all.stop;
  evidence.fault = all.fault;
  evidence.fault_sentence = all.fault_sentence;
  ending.no_room = all.no_room;
  ending.damage = all.damage;
  for (Finding& finding : all.findings) {
    expect_states(session.model, finding);
    session.findings.add(std::move(finding));
  }
  return true;
}

}  // namespace

void meet(Session& session, const KnownEnding& ending) {
  while (!try_to_meet(session, ending)) session.cluster->leave();
}

void leave_and_meet(Session& session, const KnownEnding& ending) {
  session.cluster->leave();
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
