#include "safety/sorted_runs.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "base/error.h"
#include "safety/candidates.h"
#include "storage/level_archive.h"
#include "storage/run_merge.h"

namespace spillway {
namespace {

constexpr std::uint64_t kSmallThings = std::uint64_t{4} << 20;
constexpr std::size_t kSortedAtOnce = std::size_t{1} << 30;  // bytes: some seconds

SortedRunsSettings with_defaults(SortedRunsSettings settings, std::size_t words, std::size_t threads,
                                 std::uint64_t bytes) {
  const std::size_t row_bytes = words * sizeof(Word);
  const std::size_t share = bytes / threads;
  BlockShape shape = BlockShape::of(words);
  while (shape.rows > 16 && shape.most_bytes() > share / 256) shape.rows /= 2;  // a block of each run is read at a time
  const auto choose = [](std::size_t& value, std::size_t chosen) {
    if (value == 0) value = chosen;
  };
  choose(settings.block_rows, shape.rows);
  choose(settings.group_rows, shape.group_rows);
  choose(settings.chunk_bytes, std::clamp<std::size_t>(share / 256, 4 << 10, 64 << 10) - kBlockHeaderBytes);
  choose(settings.cache_rows, std::clamp<std::size_t>(share / 16, 16 << 10, 1 << 20) / row_bytes + 2);
  choose(settings.candidate_rows, share / 5 * 2 / (row_bytes + RowSorter::bytes_per_row(words)) + 1);
  choose(settings.reserve_bytes, bytes / 4);
  choose(settings.chunks_ahead, std::clamp<std::size_t>(share / 32 / settings.chunk_bytes, 2, 8));
  choose(settings.sort_rows, kSortedAtOnce / row_bytes);
  choose(settings.merge_rows, std::clamp<std::size_t>(share / 32, 64 << 10, 512 << 10) / row_bytes + 1);
  return settings;
}

template <std::size_t W>
class SortedRuns final : public Successor {
  const SortedRunsSettings wanted;
  SortedRunsSettings settings = chosen(budget.limit());
  const std::size_t words = run.model().words();
  const BlockShape shape{words, settings.block_rows, settings.group_rows, true};
  ChunkStore store{budget, disk, settings.chunk_bytes, shape.most_bytes() + sizeof(std::uint64_t),
                   settings.reserve_bytes};
  LevelArchive archive{store};
  LevelKeeper& levels =
      journal != nullptr ? static_cast<LevelKeeper&>(journal->levels()) : archive;  // copies of all levels, for traces
  std::vector<SortedRun<W>> V;  // all states met, each once; the last run is the current level
  std::atomic<std::uint64_t> met{0};
  std::uint64_t small_things = 0;  // bytes set apart for what is not counted: indexes of runs, rows being merged

  struct alignas(128) Worker {
    Run::Expander& expander;
    Candidates<W> C;  // successors that may be new
    BlockPacker<W> packer;
    BlockUnpacker<W> unpacker;
    std::vector<Word> rows;  // being expanded, or merged
  };
  std::vector<std::unique_ptr<Worker>> workers;

 public:
  SortedRuns(Means means, const SortedRunsSettings& s) : Successor(means), wanted(s) {}
  ~SortedRuns() override { budget.give_back(small_things); }

  std::uint64_t stored() const override { return met.load(); }

  void search() override {
    set_up();
    if (journal != nullptr && journal->resumed()) {
      load();
    } else {
      workers[0]->C.add(run.initial());
      next_level();
      run.begin(V.back().size());
    }
    expand_all();
  }

  void go_on(std::unique_ptr<Leavable> ram) override {
    const std::vector<States> unexpanded = ram->unexpanded();
    ram->give_visited([&](Word* rows, std::size_t count) { add_visited(rows, count); });
    for (const SortedRun<W>& visited : V) met += visited.size();
    set_up();
    for (const States& candidates : ram->candidates()) workers[0]->C.add(candidates);
    for (unsigned i = 0; i < crew.size(); ++i) run.expander(i).clear();
    share_out(unexpanded.size(), SIZE_MAX, [&](Worker& worker, std::size_t i) { expand(worker, unexpanded[i]); });
    next_level();
    const bool begun = ram->level_begun();
    ram.reset();
    if (begun)
      run.end_level(V.back().size());
    else
      run.begin(V.back().size());
    merge_runs();
    between_levels();
    expand_all();
  }

  void free_visited() override {
    V.clear();
    if (workers.empty()) return;  // it ended before there were any
    workers.resize(1);
    workers[0]->C.sort().free();
  }

  bool each_visited(const std::function<void(State)>& visit) override {
    MergeSources<W> all;
    for (const SortedRun<W>& visited : V)
      if (visited.size() != 0) all.runs.push_back(&visited);
    Worker& worker = *workers[0];
    const std::size_t room = RowMerge<W>::room(all, settings.merge_rows);
    worker.rows.resize(std::max(worker.rows.size(), room * words));
    ReadAhead ahead(budget, settings.chunks_ahead);
    RowMerge<W> merge(all, worker.unpacker, ahead, words, nullptr, nullptr);
    while (const std::size_t count = merge.next(worker.C.sort().sorter(), worker.rows.data(), room))
      for (const State state : States(worker.rows.data(), count, words)) visit(state);
    return true;
  }

  void each_at_depth(std::uint64_t depth, const std::function<void(unsigned, State)>& visit) override {
    const BlockShape kept = journal != nullptr ? journal->levels().form().shape : shape;
    BlockUnpacker<W> unpacker(kept);
    std::vector<Word> rows(kept.rows * words);
    levels.each(depth, [&](Bytes block) {
      unpacker.open(block);
      unpacker.unpack(rows.data());
      const States states(rows.data(), unpacker.rows(), words);
      crew.each([&](unsigned w) {
        for (std::size_t i = w; i < states.size(); i += crew.size()) visit(w, states[i]);
      });
    });
  }

 private:
  SortedRunsSettings chosen(std::uint64_t bytes) const {
    SortedRunsSettings all = with_defaults(wanted, run.model().words(), crew.size(), bytes);
    if (journal == nullptr) return all;
    const BlockShape& logged = journal->levels().form().shape;  // the log takes blocks as they are
    all.group_rows = logged.group_rows;
    all.block_rows = std::min(all.block_rows, logged.rows);
    return all;
  }

  void set_up() {
    const std::uint64_t apart = std::min(budget.left() / 8, kSmallThings + budget.left() / 40);
    if (budget.draw(apart)) small_things = apart;
    settings = chosen(budget.left());
    for (unsigned i = 0; i < crew.size(); ++i)
      workers.push_back(std::make_unique<Worker>(
          Worker{run.expander(i), Candidates<W>(budget, store, shape, settings.cache_rows, settings.candidate_rows),
                 BlockPacker<W>(shape), BlockUnpacker<W>(shape),
                 std::vector<Word>(std::max(settings.merge_rows, shape.rows) * words)}));
  }

  void expand_all() {
    while (V.back().size() != 0) {
      expand_level();
      next_level();
      run.end_level(V.back().size());
      merge_runs();
      between_levels();
    }
  }

  // What the journal has becomes runs again, its last level the newest of them.
  void load() {
    const std::uint64_t last = journal->resumed()->levels.size();
    std::uint64_t level = 0;
    std::atomic<std::uint64_t> rows{0};
    const auto prepare = [&](std::uint64_t of) {
      run.look_up();
      const bool full = rows >= settings.candidate_rows * workers.size() && of != last;
      if (full || (of == last && level != last)) add_loaded(rows.exchange(0));
      level = of;
      return true;
    };
    const auto take = [&](unsigned worker, States states) {
      workers[worker]->C.sort().add(states);
      rows += states.size();
      return states.size();
    };
    journal->load(crew, {prepare, take});
    if (level != last) add_loaded(rows.exchange(0));
    add_run(sorted_candidates(false), rows);
    run.have_stored(met);
  }

  void add_loaded(std::uint64_t rows) {
    add_run(sorted_candidates(false), rows);
    V.emplace_back(shape);  // none of those before is the current level
    merge_runs();
    V.pop_back();
  }

  void add_run(SortedRun<W> loaded, std::uint64_t rows) {
    if (loaded.size() != rows) throw Error(Fault::integrity, "the log of a search has a state twice");
    met += rows;
    V.push_back(std::move(loaded));
  }

  // States that were visited before, each once in all calls.  Between two pieces signals are looked for.
  void add_visited(Word* rows, std::size_t count) {
    run.look_up();
    const std::size_t pieces = std::max<std::size_t>(crew.size(), count / settings.sort_rows + 1);
    std::vector<SortedRun<W>> parts;
    for (std::size_t i = 0; i < pieces; ++i) parts.emplace_back(shape);
    on_threads(pieces, [&](unsigned w, std::size_t i) {
      if (w == 0) run.look_up();
      const std::size_t first = count * i / pieces;
      const std::size_t last = count * (i + 1) / pieces;
      RowSorter(words).sort(rows + first * words, last - first);
      BlockPacker<W> packer(shape);
      RunWriter<W> writer(store, packer);
      writer.add(rows + first * words, last - first);
      parts[i] = writer.finish();
    });
    for (SortedRun<W>& part : parts) V.push_back(std::move(part));
  }

  // Does task(thread, i) for i < count, on all threads, `most` of them, or this one.
  template <class Task>
  void on_threads(std::size_t count, Task task, std::uint64_t most = UINT64_MAX, bool alone = false) {
    std::atomic<std::size_t> next{0};
    const auto work = [&](unsigned w) {
      if (w >= most) return;
      try {
        for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) task(w, i);
      } catch (...) {
        next.store(count);  // the others need not go on
        throw;
      }
    };
    if (alone)
      work(0);
    else
      crew.each(work);
  }

  // Does task(worker, i) for i < count, on all threads, or `most` of them, if `rows` rows are enough work for them.
  template <class Task>
  void share_out(std::size_t count, std::uint64_t rows, Task task, std::uint64_t most = UINT64_MAX) {
    on_threads(
        count, [&](unsigned w, std::size_t i) { task(*workers[w], i); }, most, rows <= settings.alone_rows);
  }

  void expand_level() {
    const SortedRun<W>& F = V.back();
    const std::size_t stride =
        F.blocks() / (16 * crew.size()) + 1;  // many for balance, but not more than needed: neighbours share chunks
    share_out((F.blocks() + stride - 1) / stride, F.size(), [&](Worker& worker, std::size_t i) {
      ReadAhead ahead(budget, settings.chunks_ahead);
      RunBlockReader<W> reader(F, worker.unpacker, ahead);
      const std::size_t end = std::min(F.blocks(), (i + 1) * stride);
      for (std::size_t block = i * stride; block < end; ++block) {
        reader.open(block).unpack(worker.rows.data());
        reader.expect_from(block + 1, end, settings.chunks_ahead);
        expand(worker, {worker.rows.data(), F.rows_in(block), words});
      }
    });
  }

  void expand(Worker& worker, States states) {
    for (const State s : states) {
      worker.expander.expand(s);
      if (!run.discarding()) worker.C.add(worker.expander.batch());
      worker.expander.clear();
    }
  }

  // Makes the candidates that are in no run the newest run.
  void next_level() {
    levels.begin_level();
    V.push_back(sorted_candidates(true));
    met += V.back().size();
    run.have_stored(met);
  }

  // One run of all candidates, which are forgotten; with `fresh`, of those that are in no run of V, kept as a level.
  SortedRun<W> sorted_candidates(bool fresh) {
    MergeSources<W> C;
    std::uint64_t most = 0;
    for (const auto& worker : workers) most = std::max<std::uint64_t>(most, worker->C.sort().rows_in_memory());
    share_out(workers.size(), most, [&](Worker&, std::size_t i) { workers[i]->C.sort().settle(); });
    for (const auto& worker : workers) worker->C.sort().add_to(C);
    SortedRun<W> sorted = merge(C, fresh);
    for (const auto& worker : workers) worker->C.sort().clear();
    return sorted;
  }

  // One run of all rows of the sources; with `fresh`, of those that are in no run of V, kept as a level.
  SortedRun<W> merge(const MergeSources<W>& sources, bool fresh) {
    const std::uint64_t rows = sources.rows();
    const bool alone = rows <= settings.alone_rows;
    const auto cuts = sources.cuts(alone ? 1 : settings.parts * crew.size(), words);
    std::vector<SortedRun<W>> parts;
    for (std::size_t i = 0; i <= cuts.size(); ++i) parts.emplace_back(shape);
    const auto merge_one = [&](Worker& worker, std::size_t i) {
      parts[i] = merge_part(worker, sources, i == 0 ? nullptr : cuts[i - 1].data(),
                            i == cuts.size() ? nullptr : cuts[i].data(), fresh);
    };
    share_out(parts.size(), rows, merge_one, alone ? 1 : threads_for_merge(sources, fresh));
    SortedRun<W> whole(shape);
    for (SortedRun<W>& part : parts) whole.append(std::move(part));
    return whole;
  }

  // Each thread has a chunk of every run on disk open and some on their way, and writes: fewer threads do it where
  // memory is short.
  std::uint64_t threads_for_merge(const MergeSources<W>& sources, bool fresh) const {
    std::uint64_t buffers = 3 + settings.chunks_ahead / 2;
    for (const SortedRun<W>* source : sources.runs) buffers += source->on_disk() ? 1 : 0;
    if (fresh)
      for (const SortedRun<W>& visited : V) buffers += visited.on_disk() ? 1 : 0;
    const std::uint64_t certain = std::min<std::uint64_t>(budget.left(), settings.reserve_bytes);  // not for chunks
    return std::max<std::uint64_t>(1, certain / (buffers * store.format().block_bytes));
  }

  SortedRun<W> merge_part(Worker& worker, const MergeSources<W>& sources, const Word* from, const Word* to,
                          bool fresh) {
    ReadAhead ahead(budget, settings.chunks_ahead);
    std::vector<RunSieve<W>> sieves;
    sieves.reserve(V.size());
    if (fresh)
      for (std::size_t i = V.size(); i-- > 0;) sieves.emplace_back(V[i], worker.unpacker, ahead);  // the newest first
    const std::size_t room = RowMerge<W>::room(sources, settings.merge_rows);
    if (worker.rows.size() < room * words) worker.rows.resize(room * words);
    RowMerge<W> merge(sources, worker.unpacker, ahead, words, from, to);
    RunWriter<W> writer(store, worker.packer, fresh ? &levels : nullptr);
    while (std::size_t count = merge.next(worker.C.sort().sorter(), worker.rows.data(), room)) {
      for (std::size_t i = 0; i < sieves.size(); ++i) {
        for (std::size_t next = i + 1; next < std::min(sieves.size(), i + 3); ++next)
          sieves[next].expect(worker.rows.data());
        count = sieves[i].sieve(worker.rows.data(), count);
      }
      if (&worker == workers[0].get()) run.look_up();
      writer.add(worker.rows.data(), count);
    }
    return writer.finish();
  }

  // Runs of a size are merged as soon as there are fan_in of them, with all that are smaller.  The current level stays
  // apart.
  void merge_runs() {
    const auto tier = [&](const SortedRun<W>& r) {
      return static_cast<std::size_t>(std::log2(static_cast<double>(r.size() + 1)) /
                                      std::log2(static_cast<double>(settings.fan_in)));
    };
    std::vector<std::size_t> of_tier(65);
    for (std::size_t i = 0; i + 1 < V.size(); ++i) ++of_tier[tier(V[i])];
    for (std::size_t t = of_tier.size(); t-- > 0;) {
      if (of_tier[t] < settings.fan_in) continue;
      MergeSources<W> alike;
      std::vector<SortedRun<W>> rest;
      for (std::size_t i = 0; i + 1 < V.size(); ++i)
        if (tier(V[i]) <= t) alike.runs.push_back(&V[i]);
      SortedRun<W> merged = merge(alike, false);
      for (std::size_t i = 0; i + 1 < V.size(); ++i)
        if (tier(V[i]) > t) rest.push_back(std::move(V[i]));
      rest.push_back(std::move(merged));
      rest.push_back(std::move(V.back()));
      V = std::move(rest);
      return;
    }
  }
};

}  // namespace

std::unique_ptr<Successor> make_sorted_runs(Means means, const SortedRunsSettings& settings) {
  return with_width(means.run.model().words(), [&](auto width) -> std::unique_ptr<Successor> {
    return std::make_unique<SortedRuns<width()>>(means, settings);
  });
}

std::unique_ptr<Search> make_sorted_runs(Means means) { return make_sorted_runs(means, SortedRunsSettings{}); }

}  // namespace spillway
