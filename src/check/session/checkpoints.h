// Where a search keeps what a later process needs to go on with it: nowhere, unless it is durable.
//
// A search calls all of this without asking whether it is.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "base/process/crew.h"
#include "check/facts/earlier_work.h"
#include "model/model.h"
#include "storage/levels/level_keeper.h"
#include "storage/runs/packing/run_block.h"

namespace spillway {

class Session;

// The consumer of the rows of earlier levels.
struct LevelTaker {
  // Announces that the rows offered next are of this level; levels come in order.  Called before
  // every batch, and again if some of its rows were not taken, while no thread is in take().  False
  // to end the reading.
  std::function<bool(std::uint64_t level)> prepare;
  // Consumes a prefix of `rows` and returns its length.  A short count means prepare() must run
  // before the rest is offered again.  Called concurrently for different workers, never for the
  // same one.
  std::function<std::size_t(unsigned worker, States rows)> take;
};

using PutBytes = std::function<void(std::span<const std::uint8_t>)>;
// Throws Error(integrity) if there are not so many left.
using GetBytes = std::function<void(std::span<std::uint8_t>)>;

void put_word(const PutBytes& put, std::uint64_t word);
std::uint64_t get_word(const GetBytes& get);

// As it is here, nothing is kept, and no checkpoint is ever due.
class Checkpoints {
 public:
  Checkpoints() = default;
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;
  static Checkpoints& none();

  // What earlier processes have done; nullptr: the search begins.
  virtual const EarlierWork* resumed() const { return nullptr; }
  // Passes all its states to the taker.  Those that are none of the model are refused; nullptr if
  // no model is to see them.  Throws Error(integrity) if they are not those that were expanded,
  // which is known only at the end.  Returns early, unchecked, if the taker wants no more.
  virtual void load(Crew& /*crew*/, const Model* /*model*/, const LevelTaker& /*taker*/) {}

  // Rows kept from now on belong to the next level.
  virtual void begin_level() {}
  virtual void keep_rows(States /*rows*/) {}  // any thread
  // What keeps the levels of the search, in blocks; `own` is what the search has for that.
  virtual LevelKeeper& keeper(LevelKeeper& own) { return own; }
  // The blocks in which all levels are kept here; nothing: they are not.
  virtual std::optional<BlockShape> blocks() const { return std::nullopt; }

  // Those that keep what is decided of a complete search.  Several ranks decide it again.
  virtual Checkpoints& of_decisions() { return *this; }

  // True if it is time for a checkpoint.  By all ranks, and then it is time for all.
  virtual bool due(const Session& /*session*/) { return false; }
  // Makes one, on all ranks.  REQUIRES: all states of the levels up to the current one were kept.
  virtual void commit(const Session& /*session*/) {}

  // Of the newest checkpoint; 0: there is none.
  virtual std::uint64_t generation() const { return 0; }

  // What is expensive to make again of a complete search.  It replaces what was kept of that name,
  // as soon as the next commit() refers to it.  Throws errors of the disk, and what fill() throws.
  virtual void keep_extra(const std::string& /*what*/,
                          const std::function<void(const PutBytes&)>& /*fill*/) {}
  // False if there is none.  Throws Error(integrity), errors of the disk, and what use() throws.
  virtual bool read_extra(const std::string& /*what*/,
                          const std::function<void(const GetBytes&)>& /*use*/) {
    return false;
  }

 protected:
  ~Checkpoints() = default;
};

// Keeps this and makes a checkpoint, if it is time for one.  That it cannot be kept is no reason to
// end the check.
void keep_when_due(Session& session, Checkpoints& checkpoints, const std::string& what,
                   const std::function<void(const PutBytes&)>& fill);
// Takes what was kept of that name.  False if there is nothing, or if it cannot be read: then it is
// made again, and the user is told.
bool take_what_was_kept(Session& session, Checkpoints& checkpoints, const std::string& what,
                        const std::function<void(const GetBytes&)>& use,
                        const std::string& otherwise);

}  // namespace spillway
