#include "passes/edge_join.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "base/error.h"
#include "storage/runs/crew_sort.h"

namespace spillway {
namespace {

constexpr Word kStep = Word{1} << 63;  // not a node
constexpr unsigned kMostBesideNode = 20;
constexpr std::size_t kLeastRows = 64;  // of a sort: fewer would make too many runs
constexpr std::size_t kPartsOfThread = 4;
constexpr std::size_t kNodesAtOnce = 256;  // that are written
// Of the rows of a thread that are sorted at once: longer, and nobody would be answered meanwhile.
constexpr std::uint64_t kMostSorted = std::uint64_t{128} << 20;

// A node and a mark, in the first words of a record.
struct Key {
  explicit Key(unsigned count) : sets(count) {}
  std::size_t words() const { return sets <= kMostBesideNode ? 1 : 2; }
  void put(Word* out, Node node, SetMask mark) const {
    if (words() == 1) {
      out[0] = node << sets | mark;
    } else {
      out[0] = mark;
      out[1] = node;
    }
  }
  Node node(const Word* in) const {
    return words() == 1 ? (in[0] & ~kStep) >> sets : in[1] & ~kStep;
  }
  SetMask mark(const Word* in) const {
    return words() == 1 ? in[0] & ((Word{1} << sets) - 1) : in[0];
  }
  bool is_step(const Word* in) const { return (in[words() - 1] & kStep) != 0; }
  void say_step(Word* out) const { out[words() - 1] |= kStep; }

  const unsigned sets;
};

BlockShape shape_of(std::size_t words, const EdgeJoinSettings& settings) {
  return BlockShape::of(words, settings.bytes / 256);
}

// The rows that one thread collects: three eighths of the memory are for those of one sort.
template <std::size_t W>
std::size_t sorted_rows(const EdgeJoinSettings& settings, unsigned threads,
                        const BlockShape& shape) {
  const std::uint64_t bytes = std::min(settings.bytes / 8 * 3 / threads, kMostSorted);
  return std::max<std::size_t>(kLeastRows, bytes / ExternalSort<W>::bytes(shape, 1));
}

// The nodes [first, end) with their edges, which come in order.
class BlockFiller {
 public:
  BlockFiller(Edges& edges, const EdgeShare& share, Node first)
      : edges_(edges), share_(share), number_(edges.block_of(first)) {
    if (first == edges.begin(number_)) block_.begin(first);
  }
  // The last block of before, which was not full.
  EdgeBlock& block() { return block_; }

  void add(unsigned thread, Node source, Node target, SetMask mark) {
    if (source != source_) {
      flush(thread);
      go_to(thread, source);
      source_ = source;
    }
    targets_.push_back(target);
    marks_.push_back(mark);
  }
  void end(unsigned thread, Node end) {
    flush(thread);
    go_to(thread, end);
    if (block_.size() != 0) put(thread);
  }

 private:
  void flush(unsigned thread) {
    if (targets_.empty()) return;
    add_node(thread);
    targets_.clear();
    marks_.clear();
  }
  void add_node(unsigned thread) {
    block_.add(targets_, marks_);
    if (block_.first() + block_.size() < edges_.begin(number_ + 1)) return;
    put(thread);
    block_.begin(edges_.begin(++number_));
  }
  // Nodes before this one that have no edges.
  void go_to(unsigned thread, Node node) {
    while (block_.first() + block_.size() < node) add_node(thread);
  }
  void put(unsigned thread) {
    if (share_.is_here && !share_.is_here(number_)) return;
    const PackedEdges packed = edges_.packed(number_, block_);
    if (share_.packed) share_.packed(thread, number_, packed);
    edges_.put(number_, packed);
  }

  Edges& edges_;
  const EdgeShare& share_;
  std::size_t number_;
  EdgeBlock block_;
  std::optional<Node> source_;
  std::vector<Node> targets_;
  std::vector<SetMask> marks_;
};

// What the second sort is about.
struct SortedEdges {
  Node first;  // source
  Node most;   // all nodes are below this one
  unsigned sets;
};

// An edge in `E` words, the source most significant: all of it in one word, if that suffices.
template <std::size_t E>
class EdgeCode {
 public:
  explicit EdgeCode(const SortedEdges& of) : key_(of.sets) {}
  void put(Word* out, Node source, Node target, SetMask mark) const {
    key_.put(out, target, mark);
    out[E - 1] = source;
  }
  Node source(const Word* in) const { return in[E - 1]; }
  Node target(const Word* in) const { return key_.node(in); }
  SetMask mark(const Word* in) const { return key_.mark(in); }

 private:
  const Key key_;
};

template <>
class EdgeCode<1> {
 public:
  explicit EdgeCode(const SortedEdges& of)
      : first_(of.first), sets_(of.sets), below_(target_bits(of) + of.sets) {}
  static bool suffices(const SortedEdges& of) {
    return std::bit_width(of.most - of.first) + target_bits(of) + of.sets <= 64;
  }
  void put(Word* out, Node source, Node target, SetMask mark) const {
    *out = (source - first_) << below_ | target << sets_ | mark;
  }
  Node source(const Word* in) const { return first_ + (*in >> below_); }
  Node target(const Word* in) const { return low(*in, below_) >> sets_; }
  SetMask mark(const Word* in) const { return low(*in, sets_); }

 private:
  static unsigned target_bits(const SortedEdges& of) {
    return static_cast<unsigned>(std::bit_width(of.most));
  }
  static Word low(Word word, unsigned bits) { return word & ((Word{1} << bits) - 1); }

  const Node first_;
  const unsigned sets_;
  const unsigned below_;  // bits below the source
};

// Sorts edges by source and packs them.
class BySource {
 public:
  virtual ~BySource() = default;
  virtual void add(unsigned thread, Node source, Node target, SetMask mark) = 0;
  // Of the nodes up to `end`.
  virtual void pack(Edges& edges, Node end) = 0;
};

template <std::size_t E>
class BySourceIn final : public BySource {
 public:
  BySourceIn(ChunkStore& store, Crew& crew, const EdgeJoinSettings& settings, const SortedEdges& of)
      : store_(store),
        crew_(crew),
        settings_(settings),
        of_(of),
        code_(of),
        shape_(shape_of(E, settings)),
        sort_(store, shape_, crew.size(), sorted_rows<E>(settings, crew.size(), shape_),
              settings.fan_in, settings.poll) {}

  void add(unsigned thread, Node source, Node target, SetMask mark) override {
    code_.put(sort_.of(thread).place(1), source, target, mark);
    sort_.of(thread).keep(1);
  }

  void pack(Edges& edges, Node end) override {
    SPILLWAY_CHECK(edges.nodes() == of_.first && end <= of_.most);
    sort_.settle(crew_);
    MergeSources<E> sources;
    sort_.add_to(sources);
    std::optional<EdgeBlock> tail;  // of the edges before
    const std::size_t first_block = edges.block_of(of_.first);
    if (of_.first != edges.begin(first_block)) edges.unpack_with_marks(first_block, tail.emplace());
    edges.extend(end);
    const std::vector<Node> begins = parts_of(edges, first_block);
    std::vector<std::vector<Word>> cuts;
    std::vector<BlockFiller> fillers;
    for (const Node begin : begins) {
      fillers.emplace_back(edges, settings_.share, begin);
      if (begin != begins.front()) code_.put(cuts.emplace_back(E).data(), begin, 0, 0);
    }
    if (tail) fillers[0].block() = *std::move(tail);
    visit_parts(crew_, store_, sources, shape_, cuts, 0,
                [&](unsigned thread, std::size_t i, const Word* rows, std::size_t count) {
                  settings_.poll(thread);
                  for (const Word* row = rows; row != rows + count * E; row += E)
                    fillers[i].add(thread, code_.source(row), code_.target(row), code_.mark(row));
                  if (count == 0)
                    fillers[i].end(thread, i + 1 < begins.size() ? begins[i + 1] : end);
                });
    edges.settle();
  }

 private:
  // Each has whole blocks, but for the first one.
  std::vector<Node> parts_of(const Edges& edges, std::size_t first_block) const {
    const std::size_t blocks = edges.blocks() - first_block;
    const std::size_t parts = std::clamp<std::size_t>(blocks, 1, kPartsOfThread * crew_.size());
    std::vector<Node> begins{of_.first};
    for (std::size_t i = 1; i < parts; ++i)
      begins.push_back(edges.begin(first_block + blocks * i / parts));
    return begins;
  }

  ChunkStore& store_;
  Crew& crew_;
  const EdgeJoinSettings& settings_;
  const SortedEdges of_;
  const EdgeCode<E> code_;
  const BlockShape shape_;
  CrewSort<E> sort_;
};

std::unique_ptr<BySource> by_source(ChunkStore& store, Crew& crew, const EdgeJoinSettings& settings,
                                    const SortedEdges& of) {
  if (EdgeCode<1>::suffices(of)) return std::make_unique<BySourceIn<1>>(store, crew, settings, of);
  if (Key(of.sets).words() == 1) return std::make_unique<BySourceIn<2>>(store, crew, settings, of);
  return std::make_unique<BySourceIn<3>>(store, crew, settings, of);
}

// Records of `W` words with a row in them.
template <std::size_t W>
class Join final : public EdgeJoin {
 public:
  // A quarter of the memory is for what is read and written besides.
  Join(ChunkStore& store, Crew& crew, const EdgeJoinSettings& settings)
      : store_(store),
        crew_(crew),
        settings_(settings),
        key_(settings.sets),
        shape_(shape_of(settings.words + key_.words(), settings)),
        nodes_(store.budget(), shape_) {}

  void begin(Node first, Node most) override {
    by_row_.emplace(store_, shape_, crew_.size(), sorted_rows<W>(settings_, crew_.size(), shape_),
                    settings_.fan_in, settings_.poll);
    by_source_ = by_source(store_, crew_, settings_, {first, most, settings_.sets});
  }

  void add_node(unsigned thread, State row, Node node) override {
    key_.put(record(thread, row), node, 0);
    by_row_->of(thread).keep(1);
  }

  void add_step(unsigned thread, Node source, State target, SetMask mark) override {
    Word* const out = record(thread, target);
    key_.put(out, source, mark);
    key_.say_step(out);
    by_row_->of(thread).keep(1);
  }

  void add_edge(unsigned thread, Node source, Node target, SetMask mark) override {
    by_source_->add(thread, source, target, mark);
  }

  // Nodes become one run, and steps go to the second sort.
  void find_targets() override {
    find_nodes();
    by_row_.reset();
  }

  void pack(Edges& edges, Node end) override {
    by_source_->pack(edges, end);
    by_source_.reset();
    store_.buffers().free_spare();
  }

 private:
  Word* record(unsigned thread, State row) {
    Word* const out = by_row_->of(thread).place(1);
    std::copy(row.begin(), row.end(), out + key_.words());
    return out;
  }

  void find_nodes() {
    by_row_->settle(crew_);
    MergeSources<W> sources;
    by_row_->add_to(sources);
    if (sources.count() == 0) return;
    if (nodes_.size() != 0) sources.runs.push_back(&nodes_);
    std::vector<std::vector<Word>> cuts = sources.cuts(kPartsOfThread * crew_.size(), shape_.words);
    for (std::vector<Word>& cut : cuts) std::fill_n(cut.begin(), key_.words(), 0);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::vector<RowRange> parts;
    for (std::size_t i = 0; i <= cuts.size(); ++i) parts.emplace_back(store_.budget(), shape_);
    const std::uint64_t to_write = BlockPacker<W>::bytes(shape_) +
                                   RunWriter<W>::bytes(store_.chunk_bytes(), shape_) +
                                   4 * store_.buffers().bytes();
    visit_parts(crew_, store_, sources, shape_, cuts, to_write,
                [&](unsigned thread, std::size_t i, const Word* rows, std::size_t count) {
                  settings_.poll(thread);
                  if (count == 0) return end(parts[i]);
                  go_through(thread, parts[i], rows, count);
                });
    std::vector<SortedRun<W>> runs;
    for (RowRange& part : parts) runs.push_back(std::move(part.run));
    nodes_ = joined(runs);
  }

  // A range of rows, which one thread goes through.
  struct RowRange {
    RowRange(Budget& budget, const BlockShape& shape) : run(budget, shape) {}
    struct Writing {
      Writing(ChunkStore& store, const BlockShape& shape)
          : claim(store.budget(), BlockPacker<W>::bytes(shape)), packer(shape), to(store, packer) {}
      Claim claim;
      BlockPacker<W> packer;
      RunWriter<W> to;
    };
    SortedRun<W> run;
    std::unique_ptr<Writing> writing;
    std::vector<Word> nodes;  // the last ones
    std::size_t written = 0;  // words of them that have been written
  };

  // All but the last one are gone then.
  void write_nodes(RowRange& part) {
    const std::size_t words = shape_.words;
    part.writing->to.add(part.nodes.data() + part.written,
                         (part.nodes.size() - part.written) / words);
    if (part.nodes.empty()) return;
    part.nodes.erase(part.nodes.begin(), part.nodes.end() - static_cast<std::ptrdiff_t>(words));
    part.written = words;
  }

  void end(RowRange& part) {
    if (!part.writing) return;
    write_nodes(part);
    part.run = part.writing->to.finish();
    part.writing.reset();
  }

  // Whether a step leads to the last node.
  bool is_at_node(const RowRange& part, const Word* step) const {
    if (part.nodes.empty()) return false;
    const auto node = part.nodes.end() - static_cast<std::ptrdiff_t>(shape_.words - key_.words());
    return std::equal(node, part.nodes.end(), step + key_.words());
  }

  void found(unsigned thread, Node source, Node target, SetMask mark) {
    if (settings_.share.found)
      settings_.share.found(thread, source, target, mark);
    else
      add_edge(thread, source, target, mark);
  }

  void go_through(unsigned thread, RowRange& part, const Word* rows, std::size_t count) {
    if (!part.writing) part.writing = std::make_unique<typename RowRange::Writing>(store_, shape_);
    const std::size_t words = shape_.words;
    for (const Word* row = rows; row != rows + count * words; row += words) {
      if (!key_.is_step(row)) {
        if (part.nodes.size() >= kNodesAtOnce * words) write_nodes(part);
        part.nodes.insert(part.nodes.end(), row, row + words);
        continue;
      }
      if (!is_at_node(part, row))
        throw Error(Fault::model,
                    "a state of the model has other successors when it is expanded again, so no "
                    "result can be trusted");
      const Word* const node = part.nodes.data() + part.nodes.size() - words;
      found(thread, key_.node(row), key_.node(node), key_.mark(row));
    }
  }

  ChunkStore& store_;
  Crew& crew_;
  const EdgeJoinSettings settings_;
  const Key key_;
  const BlockShape shape_;
  SortedRun<W> nodes_;
  std::optional<CrewSort<W>> by_row_;
  std::unique_ptr<BySource> by_source_;
};

}  // namespace

std::size_t EdgeJoin::most_block_bytes(const EdgeJoinSettings& settings) {
  const std::size_t words = Key(settings.sets).words();
  std::size_t most = shape_of(settings.words + words, settings).most_bytes();
  for (std::size_t i = 1; i <= 1 + words; ++i)
    most = std::max(most, shape_of(i, settings).most_bytes());
  return most;
}

std::unique_ptr<EdgeJoin> EdgeJoin::make(ChunkStore& store, Crew& crew,
                                         const EdgeJoinSettings& settings) {
  return with_width(settings.words + Key(settings.sets).words(),
                    [&](auto width) -> std::unique_ptr<EdgeJoin> {
                      return std::make_unique<Join<width()>>(store, crew, settings);
                    });
}

}  // namespace spillway
