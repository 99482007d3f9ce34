// libspillway_mpi.so: what net/transport_plugin.h asks for, made of MpiMessages.
#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

#include "commit.h"
#include "mpi/mpi_messages.h"

namespace spillway {
namespace {

std::unique_ptr<MpiMessages> joined;
std::string sentence;  // why a call has failed

// What `call` returns, or -1.
template <class Call>
int guarded(const Call& call) {
  try {
    return call();
  } catch (const std::exception& error) {
    sentence = error.what();
    return -1;
  }
}

int join(const SpillwayMessages* messages) {
  return guarded([&] {
    joined = std::make_unique<MpiMessages>(*messages);
    return 0;
  });
}

unsigned rank() { return joined->rank(); }
unsigned ranks() { return joined->ranks(); }

int send(unsigned to, const void* bytes, std::size_t length, void* message) {
  return guarded([&] {
    joined->send(to, bytes, length, message);
    return 0;
  });
}

int receive(unsigned* from, void** message) {
  return guarded([&] {
    const std::optional<MpiMessages::Arrived> arrived = joined->receive();
    if (!arrived) return 0;
    *from = arrived->from;
    *message = arrived->message;
    return 1;
  });
}

int leave(int ends_as_it_should) {
  return guarded([&] {
    ends_as_it_should != 0 ? joined->end() : joined->tell_lost();
    return 0;
  });
}

const char* error() { return sentence.c_str(); }

// As transport_build() has it.
const char* build() {
  static const std::string text =
      SPILLWAY_VERSION + std::string(*SPILLWAY_COMMIT == '\0' ? "" : " ") + SPILLWAY_COMMIT;
  return text.c_str();
}

// "Open MPI v4.1.4", "MPICH Version: 4.0.2": what it says of itself, up to the details.
const char* library() {
  static std::string text;
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> all{};
  int length = 0;
  MPI_Get_library_version(all.data(), &length);
  text.assign(all.data(), static_cast<std::size_t>(length));
  text.resize(std::min(text.size(), text.find_first_of(",\n")));
  std::ranges::replace(text, '\t', ' ');
  return text.c_str();
}

}  // namespace
}  // namespace spillway

extern "C" __attribute__((visibility("default"))) const SpillwayTransport* spillway_transport() {
  using namespace spillway;
  static const SpillwayTransport table{kTransportAbi, sizeof(SpillwayTransport),
                                       build(),       library(),
                                       join,          rank,
                                       ranks,         send,
                                       receive,       leave,
                                       error};
  return &table;
}
