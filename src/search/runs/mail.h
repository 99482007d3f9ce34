// Successors that belong to other ranks: each thread collects those for a rank, sorts and packs
// them, and sends them off; what arrives is unpacked and handed to the thread that takes it.  Where
// there is one rank, all successors stay.
//
// Rows are sent whole, because ranks may have squeezed theirs differently.  A row that was sent
// recently is not sent again.  A thread that may not send takes what has arrived instead of waiting
// (net/exchange.h), so nothing has to be kept for long on either side.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/memory/budget.h"
#include "base/process/crew.h"
#include "base/state.h"
#include "check/ranks/cluster.h"
#include "check/session/lookout.h"

namespace spillway {

struct MailSettings {
  std::size_t rows = 0;         // of a thread for a rank, sent together; 0: as the budget allows
  std::size_t recent_rows = 0;  // of a thread, that are not sent again; likewise
};

class Mail {
 public:
  // Gets whole rows that have arrived.
  using Receive = std::function<void(States)>;

  virtual ~Mail() = default;

  // All of these throw what Lookout and Cluster throw.

  // By one thread, on all ranks, before the states of a level are expanded by so many threads.
  virtual void begin(unsigned threads) = 0;
  // Takes the successors that belong to other ranks, and returns the others, which are valid until
  // the next call.  One call per thread at a time.
  virtual States sort_out(unsigned thread, States successors, const Receive& receive) = 0;
  // By one thread, once all states are expanded: all of those threads send what they have left.
  // Returns when all ranks have sent what they had, and this one has received it.
  virtual void finish(const std::vector<Receive>& receivers) = 0;
};

// For threads of the crew and states of the model; others are refused when they arrive.  Throws
// Error(memory) if the budget has no room for it.
std::unique_ptr<Mail> make_mail(Cluster& cluster, Lookout& lookout, Budget& budget,
                                const Model& model, Crew& crew, const MailSettings& settings);

}  // namespace spillway
