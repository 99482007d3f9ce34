// How the ranks of a check end what they do: together, and for the same reason.
//
// A rank that cannot go on leaves (net/peers.h), the others follow, and then all of them meet and
// tell each other how it has ended.
#pragma once

#include <optional>

#include "check/session/session.h"

namespace spillway {

// Tells the others how it has ended here, and learns how it has ended for all: the least stop and
// fault of any, damage, and the findings of all.  If a rank leaves meanwhile, all of them meet
// again. By all ranks.  Throws what Cluster throws, except Left.
void meet(Session& session, Ending& ending);
// The same after this rank has left, or has heard that another one has.
void leave_and_meet(Session& session, Ending& ending);

// The least reason to stop that some rank has; nothing if none has one.  By all ranks.
std::optional<Stop> agree_on_stop(Cluster& cluster, std::optional<Stop> own);

}  // namespace spillway
