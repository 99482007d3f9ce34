#include "check/ranks/rank_figures.h"

#include <algorithm>

namespace spillway {
namespace {

using Figure = std::uint64_t RankFigures::*;
constexpr Figure kFigures[] = {&RankFigures::states,
                               &RankFigures::memory_bytes,
                               &RankFigures::peak_memory_bytes,
                               &RankFigures::memory_limit_bytes,
                               &RankFigures::disk_bytes,
                               &RankFigures::bytes_sent,
                               &RankFigures::bytes_received,
                               &RankFigures::waited_milliseconds};

}  // namespace

RankFigures& RankFigures::operator+=(const RankFigures& other) {
  for (const Figure figure : kFigures) this->*figure += other.*figure;
  return *this;
}

void put(Packet& packet, const RankFigures& figures) {
  for (const Figure figure : kFigures) packet.put(figures.*figure);
}

RankFigures read_figures(PacketReader& reader) {
  RankFigures figures;
  for (const Figure figure : kFigures) figures.*figure = reader.number();
  return figures;
}

RankFigures sum(std::span<const RankFigures> ranks) {
  RankFigures all;
  for (const RankFigures& one : ranks) all += one;
  return all;
}

double skew(std::span<const RankFigures> ranks) {
  std::uint64_t most = 0;
  for (const RankFigures& one : ranks) most = std::max(most, one.states);
  if (most == 0) return 1;
  return static_cast<double>(most) * static_cast<double>(ranks.size()) /
         static_cast<double>(sum(ranks).states);
}

}  // namespace spillway
