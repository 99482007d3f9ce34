// Messages between the ranks that an MPI has started.
//
// MPI is used for point-to-point messages only, and no call waits, except joining and leaving.
// Several messages are on their way in both directions at the same time.  They complete in any
// order.
//
// A rank that ends with an error says so to the others in a message of its own.  A rank that is
// killed says nothing: mpirun and srun then end the others.
#pragma once

#include <mpi.h>

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "net/transport_plugin.h"

namespace spillway {

// All functions throw std::runtime_error with a sentence, and belong to one thread at a time.
class MpiMessages {
 public:
  struct Arrived {
    unsigned from = 0;
    void* message = nullptr;
  };

  // Once in a process.
  explicit MpiMessages(const SpillwayMessages& messages);

  unsigned rank() const { return static_cast<unsigned>(rank_); }
  unsigned ranks() const { return static_cast<unsigned>(ranks_); }
  void send(unsigned to, const void* bytes, std::size_t length, void* message);
  std::optional<Arrived> receive();

  // These are the last calls.
  void end();
  void tell_lost();

 private:
  // What is on its way: requests, and as many messages.  For MPI, requests must be in a row.
  struct OnTheWay {
    std::vector<MPI_Request> requests;
    std::vector<Arrived> messages;
    std::vector<int> completed;  // places of both

    void add(MPI_Request request, const Arrived& message);
    void find_completed();
    void drop_completed();
  };

  void finish_sends();
  void begin_receiving();
  void finish_receiving();
  void stop_if_lost();
  // Takes and drops what arrives, until is_done().  False if that lasts too long.
  template <class Done>
  bool drain_until(const Done& is_done, std::chrono::seconds most);

  const SpillwayMessages messages_;
  MPI_Comm ranks_of_check_ = MPI_COMM_NULL;
  int rank_ = 0;
  int ranks_ = 0;
  OnTheWay sending_;
  OnTheWay receiving_;
  std::deque<Arrived> arrived_;
  std::optional<int> lost_;
};

}  // namespace spillway
