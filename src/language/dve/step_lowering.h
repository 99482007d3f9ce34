// What happens in a step: the effects of its moves, and what they send and receive.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "language/dve/process_lowering.h"

namespace spillway::dve {

class StepLowering : protected ProcessLowering {
 protected:
  using ProcessLowering::ProcessLowering;

  // Moves that happen in one step: one, a sender and a receiver, or one of each process.
  struct JointMove {
    std::vector<const Move*> moves;
    bool pair = false;
  };

  void lower_body(const JointMove& step, const Move* property, program::Rule& rule);
  void add_effects(const Move& move, Body& out);
  ExprPtr has_room(const Move& move);

 private:
  // lower_steps.cc
  using Copies = std::map<std::uint32_t, program::SlotIndex>;  // of variables, in slots
  void lower_pair(const Move& sender, const Move& receiver, Frame& frame, Body& out);
  void lower_single(const Move& move, Frame& frame, Body& out);
  void lower_simultaneous(const JointMove& step, Frame& frame, Body& out);
  void read_copies(Expr& expr, const std::set<std::uint32_t>& changed, Copies& copies, Frame& frame,
                   Body& out);
  static const Symbol* written_twice(const JointMove& step);

  // lower_channels.cc
  ExprPtr bind(ExprPtr value, std::string name, const Type* type, Frame& frame, Body& out);
  void bind_indices(Place& place, Frame& frame, Body& out);
  void store(std::vector<Place> targets, std::vector<ExprPtr> values, Frame& frame, Body& out);
  void exchange(const Move& sender, const Move& receiver, Frame& frame, Body& out);
  void operate(const Move& move, std::vector<Place> targets, Frame& frame, Body& out);
  void send(const Move& move, Body& out);
  void receive(const Move& move, std::vector<Place> targets, Frame& frame, Body& out);
  Place message(const Channel& channel, ExprPtr number, std::size_t value, Position position) const;
};

}  // namespace spillway::dve
