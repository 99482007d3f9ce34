#include "mpi/mpi_messages.h"

#include <array>
#include <climits>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace spillway {
namespace {

enum Tag : int { kMessage = 1, kLost = 2 };

constexpr std::size_t kMostReceiving = 64;          // messages
constexpr std::chrono::seconds kPatienceAtEnd{60};  // with ranks that have more to do
constexpr std::chrono::seconds kPatienceIfLost{1};
constexpr std::chrono::microseconds kPause{50};

void check(int result, const char* call) {
  if (result == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(result, text.data(), &length);
  throw std::runtime_error(std::string(call) +
                           " has failed: " + std::string(text.data(), std::size_t(length)));
}

}  // namespace

void MpiMessages::OnTheWay::add(MPI_Request request, const Arrived& message) {
  requests.push_back(request);
  messages.push_back(message);
}

void MpiMessages::OnTheWay::find_completed() {
  completed.clear();
  if (requests.empty()) return;
  completed.resize(requests.size());
  int count = 0;
  check(MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &count, completed.data(),
                     MPI_STATUSES_IGNORE),
        "MPI_Testsome");
  completed.resize(count == MPI_UNDEFINED ? 0 : static_cast<std::size_t>(count));
}

// A completed request is MPI_REQUEST_NULL.
void MpiMessages::OnTheWay::drop_completed() {
  if (completed.empty()) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    requests[kept] = requests[i];
    messages[kept] = messages[i];
    ++kept;
  }
  requests.resize(kept);
  messages.resize(kept);
}

MpiMessages::MpiMessages(const SpillwayMessages& messages) : messages_(messages) {
  // Where there are more ranks than processors, Open MPI gives way in each call that finds nothing.
  // Whoever calls it here sleeps then (net/peers.h), and giving way costs much more.  A user who
  // has set this knows why.
  setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0);
  int threads = 0;
  check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads), "MPI_Init_thread");
  if (threads < MPI_THREAD_SERIALIZED)
    throw std::runtime_error("this MPI can be used by one thread only, and Spillway has several");
  check(MPI_Comm_dup(MPI_COMM_WORLD, &ranks_of_check_), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(ranks_of_check_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(ranks_of_check_, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(ranks_of_check_, &ranks_), "MPI_Comm_size");
}

void MpiMessages::stop_if_lost() {
  if (lost_) throw std::runtime_error("rank " + std::to_string(*lost_) + " is lost");
  int is_there = 0;
  MPI_Status status;
  check(MPI_Iprobe(MPI_ANY_SOURCE, kLost, ranks_of_check_, &is_there, &status), "MPI_Iprobe");
  if (!is_there) return;
  lost_ = status.MPI_SOURCE;
  stop_if_lost();
}

void MpiMessages::send(unsigned to, const void* bytes, std::size_t length, void* message) {
  try {
    if (lost_) stop_if_lost();
    if (length > INT_MAX)
      throw std::runtime_error("a message of " + std::to_string(length) +
                               " bytes is too long for MPI");
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Isend(bytes, static_cast<int>(length), MPI_BYTE, static_cast<int>(to), kMessage,
                    ranks_of_check_, &request),
          "MPI_Isend");
    sending_.add(request, {to, message});
  } catch (...) {
    messages_.release(message);
    throw;
  }
  finish_sends();
}

void MpiMessages::finish_sends() {
  sending_.find_completed();
  for (const int i : sending_.completed)
    messages_.release(sending_.messages[static_cast<std::size_t>(i)].message);
  sending_.drop_completed();
}

void MpiMessages::begin_receiving() {
  while (receiving_.requests.size() < kMostReceiving) {
    int is_there = 0;
    MPI_Message found = MPI_MESSAGE_NULL;
    MPI_Status status;
    check(MPI_Improbe(MPI_ANY_SOURCE, kMessage, ranks_of_check_, &is_there, &found, &status),
          "MPI_Improbe");
    if (!is_there) return;
    int length = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &length), "MPI_Get_count");
    void* bytes = nullptr;
    void* message = messages_.make(static_cast<std::size_t>(length), &bytes);
    if (message == nullptr)
      throw std::runtime_error("there is no memory for a message of " + std::to_string(length) +
                               " bytes");
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Imrecv(bytes, length, MPI_BYTE, &found, &request), "MPI_Imrecv");
    receiving_.add(request, {static_cast<unsigned>(status.MPI_SOURCE), message});
  }
}

void MpiMessages::finish_receiving() {
  receiving_.find_completed();
  for (const int i : receiving_.completed)
    arrived_.push_back(receiving_.messages[static_cast<std::size_t>(i)]);
  receiving_.drop_completed();
}

std::optional<MpiMessages::Arrived> MpiMessages::receive() {
  if (lost_) stop_if_lost();
  if (arrived_.empty()) {
    begin_receiving();
    finish_receiving();
    finish_sends();
  }
  if (arrived_.empty()) {
    stop_if_lost();
    return std::nullopt;
  }
  const Arrived first = arrived_.front();
  arrived_.pop_front();
  return first;
}

template <class Done>
bool MpiMessages::drain_until(const Done& is_done, std::chrono::seconds most) {
  const auto begun = std::chrono::steady_clock::now();
  while (!is_done()) {
    while (const std::optional<Arrived> arrived = receive()) messages_.release(arrived->message);
    if (std::chrono::steady_clock::now() - begun > most) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

void MpiMessages::end() {
  MPI_Request all_are_here = MPI_REQUEST_NULL;
  bool is_sent = false;
  const auto is_over = [&] {
    if (!is_sent && !(is_sent = sending_.requests.empty())) return false;
    if (is_sent && all_are_here == MPI_REQUEST_NULL)
      check(MPI_Ibarrier(ranks_of_check_, &all_are_here), "MPI_Ibarrier");
    int is_complete = 0;
    check(MPI_Test(&all_are_here, &is_complete, MPI_STATUS_IGNORE), "MPI_Test");
    return is_complete != 0;
  };
  if (!drain_until(is_over, kPatienceAtEnd))
    throw std::runtime_error("the other ranks have not ended within " +
                             std::to_string(kPatienceAtEnd.count()) + " seconds");
  check(MPI_Finalize(), "MPI_Finalize");
}

// Without MPI_Finalize, which would wait for ranks that do not come.
void MpiMessages::tell_lost() {
  if (lost_) return;
  for (int to = 0; to < ranks_; ++to) {
    if (to == rank_) continue;
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Isend(nullptr, 0, MPI_BYTE, to, kLost, ranks_of_check_, &request), "MPI_Isend");
    void* nothing = nullptr;
    sending_.add(request, {static_cast<unsigned>(to), messages_.make(0, &nothing)});
  }
  drain_until([this] { return sending_.requests.empty(); }, kPatienceIfLost);
}

}  // namespace spillway
