#include "passes/edge_join.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "base/error.h"
#include "storage/runs/crew_sort.h"

namespace spillway {
namespace {

constexpr Word kStep = Word{1} << 63;  // not a node
constexpr unsigned kMostBesideRank = 20;
constexpr std::size_t kLeastRows = 64;  // of a sort: fewer would make too many runs
constexpr std::size_t kPartsOfThread = 4;

// A rank and a mark, in the first words of a record.
struct Key {
  explicit Key(unsigned count) : sets(count) {}
  std::size_t words() const { return sets <= kMostBesideRank ? 1 : 2; }
  void put(Word* out, Rank rank, SetMask mark) const {
    if (words() == 1) {
      out[0] = rank << sets | mark;
    } else {
      out[0] = mark;
      out[1] = rank;
    }
  }
  Rank rank(const Word* in) const {
    return words() == 1 ? (in[0] & ~kStep) >> sets : in[1] & ~kStep;
  }
  SetMask mark(const Word* in) const {
    return words() == 1 ? in[0] & ((Word{1} << sets) - 1) : in[0];
  }
  bool is_step(const Word* in) const { return (in[words() - 1] & kStep) != 0; }
  void say_step(Word* out) const { out[words() - 1] |= kStep; }

  const unsigned sets;
};

BlockShape shape_of(std::size_t words, const EdgeJoin::Settings& settings) {
  return BlockShape::of(words, settings.bytes / 256);
}

// The nodes [first, end) with their edges, which come in order.
class BlockFiller {
 public:
  BlockFiller(Edges& edges, Rank first) : edges_(edges), number_(edges.block_of(first)) {
    if (first == edges.begin(number_)) block_.begin(first);
  }
  // The last block of before, which was not full.
  EdgeBlock& block() { return block_; }

  void add(Rank source, Rank target, SetMask mark) {
    if (source != source_) {
      flush();
      go_to(source);
      source_ = source;
    }
    targets_.push_back(target);
    marks_.push_back(mark);
  }
  void end(Rank end) {
    flush();
    go_to(end);
    if (block_.size() != 0) edges_.put(number_, block_);
  }

 private:
  void flush() {
    if (targets_.empty()) return;
    add_node();
    targets_.clear();
    marks_.clear();
  }
  void add_node() {
    block_.add(targets_, marks_);
    if (block_.first() + block_.size() < edges_.begin(number_ + 1)) return;
    edges_.put(number_, block_);
    block_.begin(edges_.begin(++number_));
  }
  // Nodes before this one that have no edges.
  void go_to(Rank node) {
    while (block_.first() + block_.size() < node) add_node();
  }

  Edges& edges_;
  std::size_t number_;
  EdgeBlock block_;
  std::optional<Rank> source_;
  std::vector<Rank> targets_;
  std::vector<SetMask> marks_;
};

// Records of `W` words with a row in them, and of `E` words with two ranks.
template <std::size_t W, std::size_t E>
class Join final : public EdgeJoin {
 public:
  // A quarter of the memory is for what is read and written besides.
  Join(ChunkStore& store, Crew& crew, const Settings& settings)
      : store_(store),
        crew_(crew),
        settings_(settings),
        key_(settings.sets),
        shape_(shape_of(settings.words + key_.words(), settings)),
        edge_shape_(shape_of(1 + key_.words(), settings)),
        nodes_(store.budget(), shape_) {}

  void begin() override {
    by_row_.emplace(store_, shape_, crew_.size(), rows_of<W>(shape_, settings_.bytes / 2),
                    settings_.fan_in);
    by_source_.emplace(store_, edge_shape_, crew_.size(),
                       rows_of<E>(edge_shape_, settings_.bytes / 4), settings_.fan_in);
  }

  void add_node(unsigned thread, State row, Rank rank) override {
    key_.put(record(thread, row), rank, 0);
    by_row_->of(thread).keep(1);
  }

  void add_step(unsigned thread, Rank source, State target, SetMask mark) override {
    Word* const out = record(thread, target);
    key_.put(out, source, mark);
    key_.say_step(out);
    by_row_->of(thread).keep(1);
  }

  void join(Edges& edges, Rank end) override {
    find_ranks();
    by_row_.reset();
    pack(edges, end);
    by_source_.reset();
    store_.buffers().free_spare();
  }

 private:
  template <std::size_t V>
  std::size_t rows_of(const BlockShape& shape, std::uint64_t bytes) const {
    return std::max<std::size_t>(kLeastRows,
                                 bytes / crew_.size() / ExternalSort<V>::bytes(shape, 1));
  }

  Word* record(unsigned thread, State row) {
    Word* const out = by_row_->of(thread).place(1);
    std::copy(row.begin(), row.end(), out + key_.words());
    return out;
  }

  void poll(unsigned thread) const {
    if (thread == 0) settings_.poll();
  }

  // Nodes become one run, and steps go to the second sort.
  void find_ranks() {
    by_row_->settle(crew_);
    MergeSources<W> sources;
    if (nodes_.size() != 0) sources.runs.push_back(&nodes_);
    by_row_->add_to(sources);
    std::vector<std::vector<Word>> cuts = sources.cuts(kPartsOfThread * crew_.size(), shape_.words);
    for (std::vector<Word>& cut : cuts) std::fill_n(cut.begin(), key_.words(), 0);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::vector<Part> parts;
    for (std::size_t i = 0; i <= cuts.size(); ++i) parts.emplace_back(store_.budget(), shape_);
    const std::uint64_t to_write = BlockPacker<W>::bytes(shape_) +
                                   RunWriter<W>::bytes(store_.chunk_bytes(), shape_) +
                                   4 * store_.buffers().bytes();
    visit_parts(crew_, store_, sources, shape_, cuts, to_write,
                [&](unsigned thread, std::size_t i, const Word* rows, std::size_t count) {
                  poll(thread);
                  if (count == 0) return parts[i].end();
                  go_through(thread, parts[i], rows, count);
                });
    std::vector<SortedRun<W>> runs;
    for (Part& part : parts) runs.push_back(std::move(part.run));
    nodes_ = joined(runs);
  }

  // A range of rows, which one thread goes through.
  struct Part {
    Part(Budget& budget, const BlockShape& shape) : run(budget, shape) {}
    struct Writing {
      Writing(ChunkStore& store, const BlockShape& shape)
          : claim(store.budget(), BlockPacker<W>::bytes(shape)), packer(shape), to(store, packer) {}
      Claim claim;
      BlockPacker<W> packer;
      RunWriter<W> to;
    };
    void end() {
      if (writing) run = writing->to.finish();
      writing.reset();
    }
    SortedRun<W> run;
    std::unique_ptr<Writing> writing;
    std::vector<Word> node;  // the last one
  };

  void go_through(unsigned thread, Part& part, const Word* rows, std::size_t count) {
    if (!part.writing) part.writing = std::make_unique<typename Part::Writing>(store_, shape_);
    const std::size_t words = shape_.words;
    for (const Word* row = rows; row != rows + count * words; row += words) {
      if (!key_.is_step(row)) {
        part.writing->to.add(row, 1);
        part.node.assign(row, row + words);
        continue;
      }
      if (part.node.empty() ||
          !std::equal(row + key_.words(), row + words, part.node.data() + key_.words()))
        throw Error(Fault::model,
                    "a state of the model has other successors when it is expanded again, so no "
                    "result can be trusted");
      Word* const out = by_source_->of(thread).place(1);
      key_.put(out, key_.rank(part.node.data()), key_.mark(row));
      out[key_.words()] = key_.rank(row);
      by_source_->of(thread).keep(1);
    }
  }

  void pack(Edges& edges, Rank end) {
    by_source_->settle(crew_);
    MergeSources<E> sources;
    by_source_->add_to(sources);
    const Rank first = edges.nodes();
    const std::size_t first_block = edges.block_of(first);
    std::vector<BlockFiller> fillers;
    std::vector<Rank> begins;
    std::optional<EdgeBlock> tail;
    if (first != edges.begin(first_block)) edges.unpack_with_marks(first_block, tail.emplace());
    edges.extend(end);
    const std::size_t blocks = edges.blocks() - first_block;
    const std::size_t parts = std::clamp<std::size_t>(blocks, 1, kPartsOfThread * crew_.size());
    std::vector<std::vector<Word>> cuts;
    for (std::size_t i = 0; i < parts; ++i) {
      begins.push_back(i == 0 ? first : edges.begin(first_block + blocks * i / parts));
      if (i == 0) continue;
      cuts.emplace_back(edge_shape_.words);
      cuts.back().back() = begins.back();
    }
    for (const Rank begin : begins) fillers.emplace_back(edges, begin);
    if (tail) fillers[0].block() = *std::move(tail);
    visit_parts(crew_, store_, sources, edge_shape_, cuts, 0,
                [&](unsigned thread, std::size_t i, const Word* rows, std::size_t count) {
                  poll(thread);
                  const std::size_t words = edge_shape_.words;
                  for (const Word* row = rows; row != rows + count * words; row += words)
                    fillers[i].add(row[key_.words()], key_.rank(row), key_.mark(row));
                  if (count == 0) fillers[i].end(i + 1 < parts ? begins[i + 1] : end);
                });
    edges.settle();
  }

  ChunkStore& store_;
  Crew& crew_;
  const Settings settings_;
  const Key key_;
  const BlockShape shape_;
  const BlockShape edge_shape_;
  SortedRun<W> nodes_;
  std::optional<CrewSort<W>> by_row_;
  std::optional<CrewSort<E>> by_source_;
};

}  // namespace

std::size_t EdgeJoin::most_block_bytes(const Settings& settings) {
  const std::size_t words = Key(settings.sets).words();
  return std::max(shape_of(settings.words + words, settings).most_bytes(),
                  shape_of(1 + words, settings).most_bytes());
}

std::unique_ptr<EdgeJoin> EdgeJoin::make(ChunkStore& store, Crew& crew, const Settings& settings) {
  const Key key(settings.sets);
  return with_width(settings.words + key.words(), [&](auto width) -> std::unique_ptr<EdgeJoin> {
    if (key.words() == 1) return std::make_unique<Join<width(), 2>>(store, crew, settings);
    return std::make_unique<Join<width(), 3>>(store, crew, settings);
  });
}

}  // namespace spillway
