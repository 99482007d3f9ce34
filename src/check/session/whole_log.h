// The checkpoints of a search that has short rows: kept are states.
//
// So a log does not depend on how states are cut.  It is read by whoever reads logs, and continued
// with short rows or without.  Numbers need not be kept: they follow from the states of each level
// (storage/parts/column.h), and are given again while levels are loaded.
#pragma once

#include <memory>

#include "check/session/checkpoints.h"
#include "storage/parts/parted_rows.h"

namespace spillway {

class WholeLog final : public Checkpoints {
 public:
  // REQUIRES: the checkpoints outlive it.
  WholeLog(Checkpoints& checkpoints, std::shared_ptr<PartedRows> rows);
  ~WholeLog();

  const EarlierWork* resumed() const override { return checkpoints_.resumed(); }
  void load(Crew& crew, const Model* model, const LevelTaker& taker) override;

  void begin_level() override { checkpoints_.begin_level(); }
  void keep_rows(States rows) override;
  LevelKeeper& keeper(LevelKeeper& own) override;
  std::optional<BlockShape> blocks() const override;

  Checkpoints& of_decisions() override { return checkpoints_.of_decisions(); }
  bool due(const Session& session) override { return checkpoints_.due(session); }
  void commit(const Session& session) override { checkpoints_.commit(session); }
  std::uint64_t generation() const override { return checkpoints_.generation(); }
  void keep_extra(const std::string& what,
                  const std::function<void(const PutBytes&)>& fill) override {
    checkpoints_.keep_extra(what, fill);
  }
  bool read_extra(const std::string& what,
                  const std::function<void(const GetBytes&)>& use) override {
    return checkpoints_.read_extra(what, use);
  }

 private:
  class Keeper;

  Checkpoints& checkpoints_;
  const std::shared_ptr<PartedRows> rows_;
  std::unique_ptr<Keeper> keeper_;
};

}  // namespace spillway
