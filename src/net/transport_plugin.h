// The C interface of a shared object that moves messages between processes.
//
// Program and plug-in share no library of C++, no exceptions and no memory: the program is linked
// with its own libraries, and the plug-in with those that the MPI of a cluster needs.  Messages
// belong to the program, which makes and releases them; the plug-in only passes them on.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// Of the program.
struct SpillwayMessages {
  // A message with room for so many bytes, and where they are.  Null: there is no memory.
  void* (*make)(std::size_t length, void** bytes);
  void (*release)(void* message);
};

// Of the plug-in.  All functions from one thread at a time, and join() first.  Those that return a
// number return less than 0 if they fail; error() says why, in words that follow the name of the
// plug-in, or a whole sentence about a lost rank.  None of them waits, except join() and leave().
struct SpillwayTransport {
  std::uint32_t abi;           // kTransportAbi
  std::uint32_t struct_bytes;  // sizeof(SpillwayTransport)
  const char* build;           // transport_build() of the plug-in: that of the program
  const char* library;         // which MPI it was made for: "Open MPI 4.1.4"

  int (*join)(const SpillwayMessages* messages);
  unsigned (*rank)();
  unsigned (*ranks)();
  // The bytes are those of the message.  It is released when they are not needed any more, and also
  // if this fails.
  int (*send)(unsigned to, const void* bytes, std::size_t length, void* message);
  // 1: `message` has arrived, and belongs to the program.  0: none has.
  int (*receive)(unsigned* from, void** message);
  // Nothing else is called afterwards.  If this rank ends as it should, it waits for the others to
  // end too; if not, it tells them that it is lost.
  int (*leave)(int ends_as_it_should);
  const char* (*error)();
};

// The one function that is exported.
typedef const SpillwayTransport* SpillwayTransportGet();
}

namespace spillway {

inline constexpr std::uint32_t kTransportAbi = 1;
inline constexpr const char* kTransportSymbol = "spillway_transport";

}  // namespace spillway
