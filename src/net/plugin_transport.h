// A transport in a shared object (transport_plugin.h).
#pragma once

#include <string>

#include "net/transport.h"
#include "net/transport_plugin.h"

namespace spillway {

class PluginTransport final : public Transport {
 public:
  // Loads the object, which stays loaded, and joins the other ranks.  Throws Error(system) if this
  // is no such object, if it is incomplete, if it was not built with the program (`build`), or if
  // it does not find as many ranks as there are.
  PluginTransport(const std::string& path, const std::string& build, unsigned ranks);
  ~PluginTransport() override;
  PluginTransport(const PluginTransport&) = delete;
  PluginTransport& operator=(const PluginTransport&) = delete;

  unsigned rank() const override { return rank_; }
  unsigned ranks() const override { return ranks_; }
  void send(unsigned to, std::vector<std::byte> bytes) override;
  std::optional<Message> receive() override;
  void end() override;

  // Which MPI it is: "Open MPI 4.1.4".
  std::string library() const { return table_->library; }

 private:
  [[noreturn]] void fail() const;

  std::string path_;
  const SpillwayTransport* table_ = nullptr;
  unsigned rank_ = 0;
  unsigned ranks_ = 0;
  bool is_over_ = false;
};

}  // namespace spillway
