// Figures of a rank, which all ranks tell each other at the end of each level.
//
// It is news, for people: nothing is decided by it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "net/packet.h"

namespace spillway {

struct RankFigures {
  std::uint64_t states = 0;  // that belong to it, with those of the next level
  std::uint64_t memory_bytes = 0, peak_memory_bytes = 0, memory_limit_bytes = 0;
  std::uint64_t disk_bytes = 0;                      // of its files
  std::uint64_t bytes_sent = 0, bytes_received = 0;  // as batches of states
  std::uint64_t waited_milliseconds = 0;             // for other ranks, by all its threads

  bool operator==(const RankFigures&) const = default;
  RankFigures& operator+=(const RankFigures& other);
};

void put(Packet& packet, const RankFigures& figures);
RankFigures read_figures(PacketReader& reader);

RankFigures sum(std::span<const RankFigures> ranks);
// The states of the rank with the most, beside the mean: 1 if all have as many, or none.
double skew(std::span<const RankFigures> ranks);

}  // namespace spillway
