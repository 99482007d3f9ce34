#include "safety/run_stage.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/error.h"
#include "safety/candidates.h"
#include "storage/level_packer.h"
#include "storage/run_merge.h"

namespace spillway {
namespace {

constexpr std::uint64_t kSmallThings = std::uint64_t{4} << 20;

template <std::size_t W>
class StageOf final : public RunStage, private StageMeans {
  const std::size_t row_words = run.model().words();
  RowSpread seen;  // of what was met before
  const std::optional<RowSqueeze> squeeze;
  const std::size_t words = squeeze ? squeeze->words() : row_words;
  SortedRunsSettings settings = stage_settings(wanted, words, crew.size(), budget.limit(), journal);
  const BlockShape shape = block_shape(settings, words);
  std::vector<SortedRun<W>> V;     // all states met, each once; the last run is the current level
  SortedRun<0> odd{level_shape};   // but those of it that cannot be squeezed
  std::uint64_t small_things = 0;  // bytes set apart for what is not counted: indexes of runs, rows being merged

  struct alignas(128) Worker {
    Run::Expander& expander;
    Candidates<W> C;  // successors that may be new
    BlockPacker<W> packer;
    BlockUnpacker<W> unpacker;
    std::vector<Word> rows;              // being expanded, or merged
    std::vector<Word> whole;             // some of them
    std::unique_ptr<LevelPacker> level;  // of squeezed rows
    std::optional<ExternalSort<0>> odd;  // successors that cannot be squeezed
    RowSpread seen;                      // of whole rows that were met
  };
  std::vector<std::unique_ptr<Worker>> workers;

 public:
  StageOf(const StageMeans& means, const RowSpread& spread, bool squeezed)
      : StageMeans(means), seen(spread), squeeze(squeezed ? std::optional(RowSqueeze(spread)) : std::nullopt) {}
  ~StageOf() override { budget.give_back(small_things); }

  bool squeezed() const override { return squeeze.has_value(); }
  std::uint64_t level_size() const override { return V.back().size() + odd.size(); }

  void begin() override {
    set_up();
    add(*workers[0], run.initial());
    next_level();
  }

  void take_over(RunStage& before) override {
    before.free_buffers();
    set_up();
    auto* const same = dynamic_cast<StageOf*>(&before);
    if (same != nullptr && !squeeze && !same->squeeze) {
      V = std::move(same->V);
      return;
    }
    const bool split = before.has_odd();
    for (std::size_t i = 0; i < before.runs(); ++i) {
      V.push_back(taken(before, i));
      before.drop(i);
    }
    if (!split) return;
    MergeSources<W> level;
    for (const SortedRun<W>* half : {&V[V.size() - 2], &V.back()})
      if (half->size() != 0) level.runs.push_back(half);
    SortedRun<W> both = merge(level, false);
    V.pop_back();
    V.back() = std::move(both);
  }

  // What the journal has becomes runs again, its last level the newest of them.
  void load() override {
    set_up();
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
      if (learns()) workers[worker]->seen.add(states);
      rows += states.size();
      return states.size();
    };
    journal->load(crew, {prepare, take});
    if (level != last) add_loaded(rows.exchange(0));
    add_run(sorted_candidates(false), rows);
    run.have_stored(met);
  }

  void go_on(std::unique_ptr<Leavable> ram) override {
    const std::vector<States> unexpanded = ram->unexpanded();
    ram->give_visited([&](Word* rows, std::size_t count) { add_visited(rows, count); });
    for (const SortedRun<W>& visited : V) met += visited.size();
    set_up();
    for (const States& candidates : ram->candidates()) add(*workers[0], candidates);
    for (unsigned i = 0; i < crew.size(); ++i) run.expander(i).clear();
    share_out(unexpanded.size(), SIZE_MAX, [&](Worker& worker, std::size_t i) { expand(worker, unexpanded[i]); });
    next_level();
  }

  void expand_level() override {
    const SortedRun<W>& F = V.back();
    const std::size_t stride =
        F.blocks() / (16 * crew.size()) + 1;  // many for balance, but not more than needed: neighbours share chunks
    share_out((F.blocks() + stride - 1) / stride, F.size(), [&](Worker& worker, std::size_t i) {
      each_block(F, i * stride, std::min(F.blocks(), (i + 1) * stride), worker.unpacker, worker.rows,
                 [&](States rows) { expand(worker, whole(rows, worker.whole)); });
    });
  }

  // Makes the candidates that are in no run the newest run.
  void next_level() override {
    levels.begin_level();
    V.push_back(sorted_candidates(true));
    if (squeeze) keep_odd();
    met += level_size();
    run.have_stored(met);
  }

  // Runs of a size are merged as soon as there are fan_in of them, with all that are smaller.  The current level stays
  // apart.
  void merge_runs() override {
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

  bool has_odd() const override { return odd.size() != 0; }

  const RowSpread& spread() override {
    for (const auto& worker : workers) seen.add(worker->seen);
    return seen;
  }

  void each_visited(const std::function<void(State)>& visit) override {
    std::vector<Word> buffer;
    each_row([&](const Word* rows, std::size_t count) {
      for (const State state : whole({rows, count, words}, buffer)) visit(state);
    });
  }

  void free_buffers() override {
    workers.clear();
    store.buffers().free_spare();
    budget.give_back(std::exchange(small_things, 0));
  }

  std::size_t runs() const override { return V.size() + (has_odd() ? 1 : 0); }

  std::uint64_t run_size(std::size_t which) const override { return which == V.size() ? odd.size() : V[which].size(); }

  void give(std::size_t which, std::size_t part, std::size_t parts,
            const std::function<void(States)>& take) const override {
    std::vector<Word> buffer;
    if (which == V.size())
      give_rows(odd, part, parts, take);
    else
      give_rows(V[which], part, parts, [&](States rows) { take(whole(rows, buffer)); });
  }

  void drop(std::size_t which) override {
    if (which == V.size())
      odd = SortedRun<0>(level_shape);
    else
      V[which] = SortedRun<W>(shape);
  }

 private:
  void set_up() {
    const std::uint64_t apart = std::min(budget.left() / 8, kSmallThings + budget.left() / 40);
    if (budget.draw(apart)) small_things = apart;
    settings = stage_settings(wanted, words, crew.size(), budget.left(), journal);
    const std::size_t odd_rows = settings.candidate_rows / 16 * words / row_words + 1;
    for (unsigned i = 0; i < crew.size(); ++i) {
      workers.push_back(
          std::make_unique<Worker>(Worker{run.expander(i),
                                          Candidates<W>(budget, store, shape, squeeze ? &*squeeze : nullptr,
                                                        settings.cache_rows, settings.candidate_rows),
                                          BlockPacker<W>(shape),
                                          BlockUnpacker<W>(shape),
                                          std::vector<Word>(std::max(settings.merge_rows, shape.rows) * words),
                                          {},
                                          nullptr,
                                          std::nullopt,
                                          RowSpread(row_words)}));
      if (!squeeze) continue;
      workers.back()->level = LevelPacker::make(level_shape, levels);
      workers.back()->odd.emplace(budget, store, level_shape, odd_rows);
    }
  }

  // Whether it would be good to know which bits differ among rows.
  bool learns() const { return !squeeze && row_words > 1; }

  // These rows as they are in the model, in `buffer` if they are squeezed.
  States whole(States rows, std::vector<Word>& buffer) const {
    if (!squeeze) return rows;
    buffer.resize(std::max(buffer.size(), rows.size() * row_words));
    Word* out = buffer.data();
    for (const State row : rows) {
      squeeze->widen(row.data(), out);
      out += row_words;
    }
    return {buffer.data(), rows.size(), row_words};
  }

  // Calls visit(states) for the first rows of the worker, whole, some at a time.
  template <class Visit>
  void each_whole(Worker& worker, std::size_t count, Visit visit) const {
    for (std::size_t i = 0; i < count; i += shape.rows)
      visit(whole({worker.rows.data() + i * words, std::min(shape.rows, count - i), words}, worker.whole));
  }

  void add(Worker& worker, States states) {
    worker.C.add(states, [&](State t) { worker.odd->add({t.data(), 1, row_words}); });
  }

  void expand(Worker& worker, States states) {
    for (const State s : states) {
      worker.expander.expand(s);
      if (!run.discarding()) add(worker, worker.expander.batch());
      worker.expander.clear();
    }
  }

  // Odd candidates are in no run of V: all that were met before could be squeezed.
  void keep_odd() {
    MergeSources<0> sources;
    for (const auto& worker : workers) {
      worker->odd->settle();
      worker->odd->add_to(sources);
    }
    if (sources.count() == 0) return;
    Worker& worker = *workers[0];
    BlockPacker<0> packer(level_shape);
    RunWriter<0> writer(store, packer);
    merge_all(sources, level_shape, store.buffers(), worker.odd->sorter(), [&](const Word* rows, std::size_t count) {
      run.look_up();
      writer.add(rows, count);
      worker.level->add({rows, count, row_words});
      seen.add({rows, count, row_words});
    });
    odd = writer.finish();
    worker.level->finish();
  }

  // A run of the stage before, in the form of this one.
  SortedRun<W> taken(const RunStage& before, std::size_t which) {
    const std::uint64_t rows = before.run_size(which);
    std::vector<SortedRun<W>> parts;
    for (std::size_t i = 0; i < (rows <= settings.alone_rows ? 1 : settings.parts * crew.size()); ++i)
      parts.emplace_back(shape);
    const auto take_part = [&](Worker& worker, std::size_t part) {
      RunWriter<W> writer(store, worker.packer);
      before.give(which, part, parts.size(), [&](States states) {
        if (&worker == workers[0].get()) run.look_up();
        writer.add(in_form(states, worker.rows), states.size());
      });
      parts[part] = writer.finish();
    };
    share_out(parts.size(), rows, take_part, threads_with(4 + settings.chunks_ahead));
    SortedRun<W> all(shape);
    for (SortedRun<W>& part : parts) all.append(std::move(part));
    return all;
  }

  // States that were met, as rows of this stage, in `buffer` if that is not what they are.
  const Word* in_form(States states, std::vector<Word>& buffer) const {
    if (!squeeze) return states.data();
    buffer.resize(std::max(buffer.size(), states.size() * words));
    Word* out = buffer.data();
    for (const State state : states) {
      if (!squeeze->squeeze(state.data(), out))
        throw Error(Fault::internal, "a state that was met has bits that no state has");
      out += words;
    }
    return buffer.data();
  }

  // Calls visit(rows) for some blocks of a run, in order.  REQUIRES: `rows` has room for a block.
  template <std::size_t U, class Visit>
  void each_block(const SortedRun<U>& from, std::size_t first, std::size_t end, BlockUnpacker<U>& unpacker,
                  std::vector<Word>& rows, Visit visit) const {
    ReadAhead ahead(store.buffers(), settings.chunks_ahead);
    RunBlockReader<U> reader(from, unpacker, ahead);
    for (std::size_t block = first; block < end; ++block) {
      reader.open(block).unpack(rows.data());
      reader.expect_from(block + 1, end, settings.chunks_ahead);
      visit(States(rows.data(), from.rows_in(block), from.shape().words));
    }
  }

  template <std::size_t U, class Take>
  void give_rows(const SortedRun<U>& from, std::size_t part, std::size_t parts, Take take) const {
    BlockUnpacker<U> unpacker(from.shape());
    std::vector<Word> rows(from.shape().rows * from.shape().words);
    const std::size_t end = from.blocks() * (part + 1) / parts;
    each_block(from, from.blocks() * part / parts, end, unpacker, rows, take);
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
    std::vector<RowSpread> spreads(crew.size(), RowSpread(row_words));
    on_threads(pieces, [&](unsigned w, std::size_t i) {
      if (w == 0) run.look_up();
      const std::size_t first = count * i / pieces;
      const std::size_t last = count * (i + 1) / pieces;
      if (learns()) spreads[w].add({rows + first * words, last - first, words});
      RowSorter(words).sort(rows + first * words, last - first);
      BlockPacker<W> packer(shape);
      RunWriter<W> writer(store, packer);
      writer.add(rows + first * words, last - first);
      parts[i] = writer.finish();
    });
    for (const RowSpread& of_thread : spreads) seen.add(of_thread);
    for (SortedRun<W>& part : parts) V.push_back(std::move(part));
    if (threads_with(2 * V.size()) < crew.size()) merge_visited();
  }

  // Calls visit(rows, count) for all rows of V, in order.
  template <class Visit>
  void each_row(Visit visit) {
    MergeSources<W> all;
    for (const SortedRun<W>& visited : V)
      if (visited.size() != 0) all.runs.push_back(&visited);
    RowSorter sorter(words);
    merge_all(all, shape, store.buffers(), sorter, visit);
  }

  // One run of all, where memory is too short for all threads to read so many at once.
  void merge_visited() {
    BlockPacker<W> packer(shape);
    RunWriter<W> writer(store, packer);
    each_row([&](const Word* rows, std::size_t count) {
      run.look_up();
      writer.add(rows, count);
    });
    V.clear();
    V.push_back(writer.finish());
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
    return threads_with(buffers);
  }

  // How many threads can have so many buffers each.
  std::uint64_t threads_with(std::uint64_t buffers) const {
    const std::uint64_t certain =
        std::min<std::uint64_t>(store.buffers().left(), settings.reserve_bytes);  // not for chunks
    return std::max<std::uint64_t>(1, certain / (buffers * store.buffers().bytes()));
  }

  SortedRun<W> merge_part(Worker& worker, const MergeSources<W>& sources, const Word* from, const Word* to,
                          bool fresh) {
    ReadAhead ahead(store.buffers(), settings.chunks_ahead);
    std::vector<RunSieve<W>> sieves;
    sieves.reserve(V.size());
    if (fresh)
      for (std::size_t i = V.size(); i-- > 0;) sieves.emplace_back(V[i], worker.unpacker, ahead);  // the newest first
    const std::size_t room = RowMerge<W>::room(sources, settings.merge_rows);
    if (worker.rows.size() < room * words) worker.rows.resize(room * words);
    RowMerge<W> merge(sources, worker.unpacker, ahead, words, from, to);
    RunWriter<W> writer(store, worker.packer, fresh && !squeeze ? &levels : nullptr);
    while (std::size_t count = merge.next(worker.C.sort().sorter(), worker.rows.data(), room)) {
      for (std::size_t i = 0; i < sieves.size(); ++i) {
        for (std::size_t next = i + 1; next < std::min(sieves.size(), i + 3); ++next)
          sieves[next].expect(worker.rows.data());
        count = sieves[i].sieve(worker.rows.data(), count, i + 1 < sieves.size() ? &sieves[i + 1] : nullptr);
      }
      if (&worker == workers[0].get()) run.look_up();
      writer.add(worker.rows.data(), count);
      if (fresh && squeeze) each_whole(worker, count, [&](States states) { worker.level->add(states); });
      if (fresh && learns()) worker.seen.add({worker.rows.data(), count, words});
    }
    if (fresh && squeeze) worker.level->finish();
    return writer.finish();
  }
};

}  // namespace

std::unique_ptr<RunStage> RunStage::make(const StageMeans& means, const RowSpread& spread, bool squeezed) {
  const std::size_t words = squeezed ? spread.squeezed_words() : spread.row_words();
  return with_width(words, [&](auto width) -> std::unique_ptr<RunStage> {
    return std::make_unique<StageOf<width()>>(means, spread, squeezed);
  });
}

}  // namespace spillway
