// Messages between the ranks of a check, which arrive once, in any order.
//
// A transport only moves bytes.  What they mean, that they are intact and that none is missing is
// for Peers (peers.h) to say, in the same way for all transports.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace spillway {

class Transport {
 public:
  struct Message {
    unsigned from = 0;
    std::vector<std::byte> bytes;
  };

  virtual ~Transport() = default;
  virtual unsigned rank() const = 0;
  virtual unsigned ranks() const = 0;

  // Both from one thread at a time.  They do not wait, and throw Error(lost) once it is known
  // that a rank is lost.

  // Takes the message; those who send bound how many are on their way.  REQUIRES: `to` is another
  // rank.
  virtual void send(unsigned to, std::vector<std::byte> bytes) = 0;
  // std::nullopt: none has arrived.
  virtual std::optional<Message> receive() = 0;

  // All ranks call this when each has received what it needs, and nothing else afterwards.  Ranks
  // that are processes wait for each other here.  One of them that is destroyed without this call
  // is lost, and the others know it.
  virtual void end() {}
};

}  // namespace spillway
