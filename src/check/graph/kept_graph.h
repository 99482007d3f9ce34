// The graph of a complete search in the checkpoints of its check.
#pragma once

#include "check/graph/numbered_levels.h"
#include "check/session/checkpoints.h"
#include "passes/edges.h"

namespace spillway {

class KeptGraph {
 public:
  // What there is to keep.
  struct Parts {
    NumberedLevels& numbers;
    Edges& edges;
    bool& has_dead_ends;
  };
  // REQUIRES: all outlive it.
  KeptGraph(Session& session, NumberedLevels::Kept kept, const Parts& parts)
      : session_(session),
        name_(kept == NumberedLevels::Kept::all ? "steps" : "edges"),
        parts_(parts) {}
  void keep_in(Checkpoints& checkpoints) { checkpoints_ = &checkpoints; }

  // Takes the graph of so many levels, all there are.  False: it was not kept or cannot be read, so
  // it has to be made.  Throws Error(memory) and errors of the disk.  REQUIRES: there is nothing in
  // the parts yet.
  bool take(std::uint64_t levels);
  // Keeps it if a checkpoint is due.
  void save();

 private:
  void take(std::uint64_t levels, const GetBytes& get);

  Session& session_;
  Checkpoints* checkpoints_ = &Checkpoints::none();
  const std::string name_;
  const Parts parts_;
};

}  // namespace spillway
