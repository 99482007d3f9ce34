#include "check/graph/edge_post.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "passes/packed_numbers.h"

namespace spillway {
namespace {

constexpr std::size_t kMostBatchBytes = std::size_t{64} << 10;
constexpr std::size_t kLeastBatchBytes = 64;
constexpr std::size_t kShareForEdgesSent = 32;   // of the budget
constexpr std::size_t kEdgeBatchesOnTheWay = 4;  // to each rank

using EdgeBytes = std::vector<std::byte>;

void put_difference(EdgeBytes& bytes, std::uint64_t difference) {
  put_number(bytes, with_sign(difference));
}

void put_words(EdgeBytes& bytes, std::span<const Word> words) {
  const auto some = std::as_bytes(words);
  bytes.insert(bytes.end(), some.begin(), some.end());
}

// What put_number() has made, or somebody else.  False: there is none.
bool get_packed(std::span<const std::byte>& bytes, std::uint64_t& number) {
  number = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<std::uint8_t>(bytes.front());
    bytes = bytes.subspan(1);
    number |= std::uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80) == 0) return true;
  }
  return false;
}
bool get_difference(std::span<const std::byte>& bytes, std::uint64_t& number) {
  if (!get_packed(bytes, number)) return false;
  number = without_sign(number);
  return true;
}

}  // namespace

EdgePost::EdgePost(Session& session, Budget& budget, Crew& crew, std::uint64_t block_nodes)
    : cluster_(session.cluster),
      has_others_(cluster_.ranks() > 1),
      crew_(crew),
      words_(session.row_words()),
      block_nodes_(block_nodes),
      broadcast_(cluster_, [&session](unsigned thread) { session.lookout.look_up(thread); }),
      batch_bytes_(std::clamp<std::size_t>(
          budget.limit() / kShareForEdgesSent / std::max<std::size_t>(batches(), 1),
          kLeastBatchBytes, kMostBatchBytes)),
      claim_(budget, batches() * batch_bytes_),
      batches_(std::size_t{crew.size()} * cluster_.ranks()) {}

// At the same time: those that threads collect, and those on their way from here and to here.
std::size_t EdgePost::batches() const {
  if (!has_others_) return 0;
  return 2 * cluster_.ranks() * (crew_.size() + kEdgeBatchesOnTheWay);
}

void EdgePost::begin(Node most, Arrivals arrivals) {
  most_ = most;
  arrivals_ = std::move(arrivals);
  if (!has_others_) return;
  batches_.assign(batches_.size(), {});
  broadcast_.begin(crew_.size());
}

void EdgePost::begin_batch(Batch& batch, Kind kind) {
  if (!batch.empty()) return;
  batch.resize(Broadcast::kRoomBefore);
  batch.push_back(static_cast<std::byte>(kind));
}

void EdgePost::post(unsigned thread, unsigned to, Batch& batch) {
  if (batch.empty()) return;
  if (to == cluster_.rank())
    broadcast_.send(thread, std::exchange(batch, {}), receiver(thread));
  else
    broadcast_.send_to(thread, to, std::exchange(batch, {}), receiver(thread));
}

EdgeShare EdgePost::share(const bool& is_apart) {
  if (!has_others_) return {};
  EdgeShare share;
  share.is_here = [this](std::size_t block) { return is_here(block); };
  share.found = [this](unsigned thread, Node source, Node target, SetMask mark) {
    send_edge(thread, source, target, mark);
  };
  share.packed = [this, &is_apart](unsigned thread, std::size_t block, const PackedEdges& edges) {
    if (!is_apart) send_block(thread, block, edges);
  };
  return share;
}

void EdgePost::send_edge_to(unsigned to, unsigned thread, Node source, Node target, SetMask mark) {
  if (to == cluster_.rank()) return arrivals_.edge(thread, source, target, mark);
  RankBatches& at = batches(thread, to);
  if (at.numbers.empty()) at.source = at.target = 0;
  begin_batch(at.numbers, Kind::edges);
  put_difference(at.numbers, source - std::exchange(at.source, source));
  put_difference(at.numbers, target - std::exchange(at.target, target));
  put_number(at.numbers, mark);
  if (at.numbers.size() >= batch_bytes_) post(thread, to, at.numbers);
}

void EdgePost::send_step_to(unsigned to, unsigned thread, Node source, State target, SetMask mark) {
  if (to == cluster_.rank()) return arrivals_.step(thread, source, target, mark);
  Batch& steps = batches(thread, to).steps;
  begin_batch(steps, Kind::steps);
  put_words(steps, std::array{source, mark});
  put_words(steps, target);
  if (steps.size() >= batch_bytes_) post(thread, to, steps);
}

void EdgePost::send_block(unsigned thread, std::size_t block, const PackedEdges& edges) {
  Batch batch;
  begin_batch(batch, Kind::block);
  for (const std::uint64_t number : {std::uint64_t{block}, edges.edges, edges.common, edges.all})
    put_number(batch, number);
  const auto bytes = std::as_bytes(std::span(edges.bytes));
  batch.insert(batch.end(), bytes.begin(), bytes.end());
  broadcast_.send(thread, batch, receiver(thread));
}

void EdgePost::send_removed(unsigned thread, Node node) {
  RankBatches& to_all = batches(thread, cluster_.rank());
  if (to_all.numbers.empty()) to_all.source = 0;
  begin_batch(to_all.numbers, Kind::removed);
  put_difference(to_all.numbers, node - std::exchange(to_all.source, node));
  if (to_all.numbers.size() >= batch_bytes_) post(thread, cluster_.rank(), to_all.numbers);
}

void EdgePost::finish() {
  if (!has_others_) return;
  crew_.each([&](unsigned thread) {
    for (unsigned to = 0; to < cluster_.ranks(); ++to) {
      post(thread, to, batches(thread, to).numbers);
      post(thread, to, batches(thread, to).steps);
    }
    broadcast_.finish(thread, receiver(thread));
  });
}

Broadcast::Receive EdgePost::receiver(unsigned thread) {
  return [this, thread](unsigned from, std::span<const std::byte> batch) {
    take(thread, from, batch);
  };
}

void EdgePost::take(unsigned thread, unsigned from, std::span<const std::byte> batch) {
  if (batch.empty()) refuse(from);
  const std::span<const std::byte> bytes = batch.subspan(1);
  switch (static_cast<Kind>(batch.front())) {
    case Kind::edges: return take_edges(thread, from, bytes);
    case Kind::steps: return take_steps(thread, from, bytes);
    case Kind::block: return take_block(from, bytes);
    case Kind::removed: return take_removed(from, bytes);
  }
  refuse(from);
}

void EdgePost::take_edges(unsigned thread, unsigned from, std::span<const std::byte> bytes) {
  if (!arrivals_.edge) refuse(from);
  Node source = 0;
  Node target = 0;
  while (!bytes.empty()) {
    std::uint64_t further = 0, beyond = 0, mark = 0;
    if (!get_difference(bytes, further) || !get_difference(bytes, beyond) ||
        !get_packed(bytes, mark))
      refuse(from);
    source += further;
    target += beyond;
    if (source >= most_ || target >= most_ || !is_here(source / block_nodes_)) refuse(from);
    arrivals_.edge(thread, source, target, mark);
  }
}

void EdgePost::take_steps(unsigned thread, unsigned from, std::span<const std::byte> bytes) {
  if (!arrivals_.step) refuse(from);
  std::vector<Word> step(2 + words_);
  const std::span<std::byte> into = std::as_writable_bytes(std::span(step));
  for (; !bytes.empty(); bytes = bytes.subspan(into.size())) {
    if (bytes.size() < into.size()) refuse(from);
    std::memcpy(into.data(), bytes.data(), into.size());
    const State target{step.data() + 2, words_};
    if (step[0] >= most_ || !is_own(target)) refuse(from);
    arrivals_.step(thread, step[0], target, step[1]);
  }
}

void EdgePost::take_block(unsigned from, std::span<const std::byte> bytes) {
  if (!arrivals_.block) refuse(from);
  PackedEdges edges;
  std::uint64_t block = 0;
  for (std::uint64_t* number : {&block, &edges.edges, &edges.common, &edges.all})
    if (!get_packed(bytes, *number)) refuse(from);
  if (block >= (most_ + block_nodes_ - 1) / block_nodes_ || packs(block) != from) refuse(from);
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  edges.bytes.assign(begin, begin + bytes.size());
  arrivals_.block(block, edges);
}

void EdgePost::take_removed(unsigned from, std::span<const std::byte> bytes) {
  if (!arrivals_.removed) refuse(from);
  Node node = 0;
  while (!bytes.empty()) {
    std::uint64_t further = 0;
    if (!get_difference(bytes, further)) refuse(from);
    node += further;
    if (node >= most_ || packs(node / block_nodes_) != from) refuse(from);
    arrivals_.removed(node);
  }
}

void EdgePost::refuse(unsigned from) {
  throw Error(Fault::integrity,
              fmt::format("rank {} has sent edges that do not belong here", from));
}

}  // namespace spillway
