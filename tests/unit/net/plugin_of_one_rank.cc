// A plug-in (net/transport_plugin.h) that finds one rank, and to which nothing arrives.
#include "net/transport_plugin.h"

namespace {

const SpillwayMessages* messages = nullptr;

int join(const SpillwayMessages* given) {
  messages = given;
  return 0;
}
unsigned rank() { return 0; }
unsigned ranks() { return 1; }
int send(unsigned, const void*, std::size_t, void* message) {
  messages->release(message);
  return -1;
}
int receive(unsigned*, void**) { return 0; }
int leave(int) { return 0; }
const char* error() { return "nobody is there"; }

}  // namespace

extern "C" const SpillwayTransport* spillway_transport() {
  static const SpillwayTransport table{spillway::kTransportAbi,
                                       sizeof(SpillwayTransport),
                                       "1.0 of a test",
                                       "an MPI of a test",
                                       join,
                                       rank,
                                       ranks,
                                       send,
                                       receive,
                                       leave,
                                       error};
  return &table;
}
