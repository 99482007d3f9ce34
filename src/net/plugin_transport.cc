#include "net/plugin_transport.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <utility>

#include "base/error.h"
#include "net/message_buffers.h"

namespace spillway {
namespace {

using MessageBytes = std::vector<std::byte>;

void* make_message(std::size_t length, void** bytes) {
  try {
    auto message = std::make_unique<MessageBytes>(message_buffers().take(length));
    *bytes = message->data();
    return message.release();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void release_message(void* message) {
  const std::unique_ptr<MessageBytes> owner(static_cast<MessageBytes*>(message));
  message_buffers().give(std::move(*owner));
}

constexpr SpillwayMessages kMessages{make_message, release_message};

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(Fault::system, fmt::format("{}: {}", path, why));
}

// The table of sections is the last thing in a shared object.  The dynamic linker does not miss it,
// and is killed where it reads what is not there.
bool is_complete(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
  const std::uint64_t end = header.e_shoff + std::uint64_t{header.e_shentsize} * header.e_shnum;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return !error && header.e_shoff != 0 && end <= size;
}

const SpillwayTransport* load(const std::string& path, const std::string& build) {
  if (!is_complete(path)) refuse(path, "this is no shared object, or not all of it");
  // The parts of an MPI are loaded later, and look for symbols of its library.
  void* object = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (object == nullptr)
    refuse(path, fmt::format("cannot load this as a shared object ({})", dlerror()));
  const auto get = reinterpret_cast<SpillwayTransportGet*>(dlsym(object, kTransportSymbol));
  const SpillwayTransport* table = get == nullptr ? nullptr : get();
  if (table == nullptr) refuse(path, fmt::format("the object has no {}()", kTransportSymbol));
  if (table->abi != kTransportAbi || table->struct_bytes != sizeof(SpillwayTransport) ||
      table->build != build)
    refuse(path, fmt::format("this was not built with the program, which is {}: install the "
                             "spillway-mpi of the same version, or build it from the same sources",
                             build));
  return table;
}

}  // namespace

PluginTransport::PluginTransport(const std::string& path, const std::string& build, unsigned ranks)
    : path_(std::filesystem::absolute(path).string()), table_(load(path_, build)) {
  if (table_->join(&kMessages) < 0) refuse(path_, table_->error());
  rank_ = table_->rank();
  ranks_ = table_->ranks();
  if (ranks_ == ranks) return;
  table_->leave(0);
  refuse(path_, fmt::format("it was built for {}, and finds {} of {} ranks: start them with the "
                            "mpirun of that MPI",
                            library(), ranks_, ranks));
}

PluginTransport::~PluginTransport() {
  if (!std::exchange(is_over_, true)) table_->leave(0);
}

void PluginTransport::fail() const { throw Error(Fault::lost, table_->error()); }

void PluginTransport::send(unsigned to, std::vector<std::byte> bytes) {
  SPILLWAY_CHECK(to != rank_ && to < ranks_ && !is_over_);
  auto message = std::make_unique<MessageBytes>(std::move(bytes));
  const void* data = message->data();
  const std::size_t length = message->size();
  if (table_->send(to, data, length, message.release()) < 0) fail();
}

std::optional<Transport::Message> PluginTransport::receive() {
  SPILLWAY_CHECK(!is_over_);
  Message received;
  void* message = nullptr;
  const int arrived = table_->receive(&received.from, &message);
  if (arrived < 0) fail();
  if (arrived == 0) return std::nullopt;
  const std::unique_ptr<MessageBytes> owner(static_cast<MessageBytes*>(message));
  received.bytes = std::move(*owner);
  return received;
}

void PluginTransport::end() {
  if (std::exchange(is_over_, true)) return;
  if (table_->leave(1) < 0) fail();
}

}  // namespace spillway
