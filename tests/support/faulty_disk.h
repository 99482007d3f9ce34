// Wraps any disk and makes the n-th operation fail, for tests.
//
// An operation is one attempt at a transfer, or one create, open, remove, rename, sync or truncate.
// Transfers complete synchronously.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/data/disk.h"
#include "support/faults.h"

namespace spillway {

class FaultyDisk final : public Disk {
 public:
  explicit FaultyDisk(Disk& disk) : disk_(disk), faults_(own_) {}
  // Operations of this disk count together with those of others.
  FaultyDisk(Disk& disk, Faults& faults) : disk_(disk), faults_(faults) {}

  void set(FaultPlan plan) { faults_.set(plan); }
  std::uint64_t operations() const { return faults_.operations(); }
  bool struck() const { return faults_.struck(); }

  std::vector<std::string> list() override { return disk_.list(); }
  std::string describe() const override { return "faulty " + disk_.describe(); }

 protected:
  int try_create(const std::string& name, std::unique_ptr<File>& file) override;
  int try_open(const std::string& name, std::unique_ptr<File>& file) override;
  int try_remove(const std::string& name) override;
  int try_rename(const std::string& from, const std::string& to) override;
  int try_sync_directory() override;
  std::string full_name(const std::string& name) const override { return disk_.full_name(name); }

 private:
  friend class FaultyFile;

  Disk& disk_;
  Faults own_;
  Faults& faults_;
};

}  // namespace spillway
