// The memory of messages that are done with, for those that come next.
//
// A message has hundreds of kilobytes.  To get so much from the system, page by page, and to give
// it back again takes longer than to send it.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace spillway {

class MessageBuffers {
 public:
  // So many bytes, with anything in them.  Any thread.
  std::vector<std::byte> take(std::size_t bytes);
  // Any thread.  Keeps few of them, and none that are small.
  void give(std::vector<std::byte> buffer);
  std::size_t kept() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::vector<std::byte>> free_;
};

// Those of this process.
MessageBuffers& message_buffers();

}  // namespace spillway
