#include "safety/run_stage.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "safety/candidates.h"
#include "storage/levels/level_packer.h"
#include "storage/runs/run_merge.h"

namespace spillway {
namespace {

// The least t for which fan_in to the power of t + 1 is above `rows`: runs of a tier are alike in
// size.
std::size_t tier_of(std::uint64_t rows, std::uint64_t fan_in) {
  std::size_t tier = 0;
  for (; rows >= fan_in; rows /= fan_in) ++tier;
  return tier;
}

template <std::size_t W>
class StageOf final : public RunStage, private StageMeans {
  const Model& model = session.model;
  Lookout& lookout = session.lookout;
  Expanders& expanders = session.expanders;
  Levels& levels = session.levels;
  const std::size_t row_words = model.words();
  RowSpread seen;  // of what was met before
  const std::optional<RowSqueeze> squeeze;
  const std::size_t words = squeeze ? squeeze->words() : row_words;
  const StageSubject subject{words, row_words, crew.size(), budget.limit(), journal};
  SortedRunsSettings settings = stage_settings(wanted, subject, budget.limit());
  const BlockShape shape = block_shape(settings, words);
  std::vector<SortedRun<W>> V;  // all states met, each once; the last run is the current level
  SortedRun<0> odd{budget, level_shape};  // but those of it that cannot be squeezed
  std::vector<SortedRun<W>> C_before;     // candidates that a RAM search has left

  struct alignas(128) Worker {
    Expander& expander;
    Claim claim;      // for what follows C
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
      : StageMeans(means),
        seen(spread),
        squeeze(squeezed ? std::optional(RowSqueeze(spread)) : std::nullopt) {}

  bool squeezed() const override { return squeeze.has_value(); }
  std::uint64_t level_size() const override { return V.back().size() + odd.size(); }

  void begin() override {
    set_up();
    add(*workers[0], expanders.initial());
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
    if (split) join_last();
  }

  // What the journal has becomes runs again, its last level the newest of them.
  void load() override {
    set_up();
    const std::uint64_t last = journal->resumed()->levels.size();
    std::uint64_t level = 0;
    std::atomic<std::uint64_t> rows{0};
    const auto prepare = [&](std::uint64_t of) {
      lookout.look_up();
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
    if (workers.size() == crew.size()) {
      journal->load(crew, {prepare, take});
    } else {
      Crew fewer(static_cast<unsigned>(workers.size()));
      journal->load(fewer, {prepare, take});
    }
    if (level != last) add_loaded(rows.exchange(0));
    add_run(sorted_candidates(false), rows);
    levels.have_stored(met);
  }

  // All that the RAM search has becomes runs, so that its memory is free for what follows.
  void go_on(std::unique_ptr<Leavable> ram) override {
    std::vector<SortedRun<W>> unexpanded;
    {
      const std::vector<States> rows = ram->unexpanded();
      ram->give_visited([&](Word* of_table, std::size_t count) { add_visited(of_table, count); },
                        [&](const std::vector<States>& of_pool) { add_sorted(of_pool, V, true); });
      for (const SortedRun<W>& visited : V) met += visited.size();
      add_sorted(rows, unexpanded, false);
      add_sorted(ram->candidates(), C_before, false);
    }
    ram.reset();
    for (unsigned i = 0; i < crew.size(); ++i) expanders[i].clear();
    set_up();
    for (const SortedRun<W>& rows : unexpanded) expand_run(rows);
    unexpanded.clear();
    next_level();
  }

  void expand_level() override { expand_run(V.back()); }

  // Makes the candidates that are in no run the newest run.
  void next_level() override {
    keeper.begin_level();
    V.push_back(sorted_candidates(true));
    if (squeeze) keep_odd();
    met += level_size();
    levels.have_stored(met);
  }

  // Runs of a size are merged as soon as there are fan_in of them, with all that are smaller.  The
  // current level stays apart.
  void merge_runs() override {
    const auto tier = [&](const SortedRun<W>& r) { return tier_of(r.size() + 1, settings.fan_in); };
    std::vector<std::size_t> of_tier(65);
    for (std::size_t i = 0; i + 1 < V.size(); ++i) ++of_tier[tier(V[i])];
    for (std::size_t t = of_tier.size(); t-- > 0;) {
      if (of_tier[t] < settings.fan_in) continue;
      SortedRun<W> level = pop(V);
      std::vector<SortedRun<W>> alike;
      std::vector<SortedRun<W>> rest;
      for (SortedRun<W>& r : V) (tier(r) <= t ? alike : rest).push_back(std::move(r));
      reduce(alike, 1);
      V = std::move(rest);
      V.push_back(std::move(alike[0]));
      V.push_back(std::move(level));
      break;
    }
    reduce_visited(settings.most_runs);
  }

  bool has_odd() const override { return odd.size() != 0; }

  const RowSpread& spread() override {
    for (const auto& worker : workers) seen.add(worker->seen);
    return seen;
  }

  void each_visited(const std::function<void(State)>& visit) override {
    std::vector<Word> buffer;
    each_row([&](const Word* rows, std::size_t count) {
      each_whole({rows, count, words}, buffer, [&](States some) {
        for (const State state : some) visit(state);
      });
    });
  }

  void free_buffers() override {
    workers.clear();
    store.buffers().free_spare();
  }

  std::uint64_t bytes_to_give() const override {
    return store.buffers().bytes() +
           std::max(
               bytes_to_give(shape, BlockUnpacker<W>::bytes(shape)),
               has_odd() ? bytes_to_give(level_shape, BlockUnpacker<0>::bytes(level_shape)) : 0);
  }

  std::size_t runs() const override { return V.size() + (has_odd() ? 1 : 0); }

  std::uint64_t run_size(std::size_t which) const override {
    return which == V.size() ? odd.size() : V[which].size();
  }

  void give(std::size_t which, std::size_t part, std::size_t parts,
            const std::function<void(States)>& take) const override {
    std::vector<Word> buffer;
    if (which == V.size())
      give_rows(odd, part, parts, take);
    else
      give_rows(V[which], part, parts, [&](States rows) { each_whole(rows, buffer, take); });
  }

  void drop(std::size_t which) override {
    if (which == V.size())
      odd = SortedRun<0>(budget, level_shape);
    else
      V[which] = SortedRun<W>(budget, shape);
  }

 private:
  // Throws Error(memory) when there is no room for one thread: make_sorted_runs() has seen to it
  // that there is.
  void set_up() {
    settings = stage_settings(wanted, subject, store.buffers().left());
    if (settings.threads == 0)
      throw Error(Fault::memory, "there is no memory left for a sorted-run search");
    store.leave(settings.reserve_bytes);
    for (unsigned i = 0; i < settings.threads; ++i) {
      const std::size_t rows = std::max(settings.merge_rows, shape.rows) * words;
      workers.push_back(std::make_unique<Worker>(
          Worker{expanders[i],
                 Claim(budget, bytes_of_worker(rows)),
                 Candidates<W>(budget, store, shape, squeeze ? &*squeeze : nullptr,
                               settings.cache_rows, settings.candidate_rows, settings.sort_fan_in),
                 BlockPacker<W>(shape),
                 BlockUnpacker<W>(shape),
                 std::vector<Word>(rows),
                 {},
                 nullptr,
                 std::nullopt,
                 RowSpread(row_words)}));
      if (!squeeze) continue;
      workers.back()->level = LevelPacker::make(level_shape, keeper);
      workers.back()->odd.emplace(budget, store, level_shape, odd_rows(settings, subject), 2);
    }
  }

  // What comes from the heap.
  std::uint64_t bytes_of_worker(std::size_t row_buffer) const {
    std::uint64_t bytes =
        BlockPacker<W>::bytes(shape) + BlockUnpacker<W>::bytes(shape) + row_buffer * sizeof(Word);
    if (squeeze)
      bytes += BlockPacker<0>::bytes(level_shape) + 2 * level_shape.rows * row_words * sizeof(Word);
    return bytes;
  }

  SortedRun<W> pop(std::vector<SortedRun<W>>& runs) {
    SortedRun<W> last = std::move(runs.back());
    runs.pop_back();
    return last;
  }

  void expand_run(const SortedRun<W>& F) {
    // Many strides for balance, but not more than needed: neighbours share chunks.
    const std::uint64_t stride = F.blocks() / (16 * workers.size()) + 1;
    share_out((F.blocks() + stride - 1) / stride, F.size(), [&](Worker& worker, std::size_t i) {
      each_block(F, i * stride, std::min(F.blocks(), (i + 1) * stride), worker.unpacker,
                 worker.rows, [&](States rows) {
                   each_whole(rows, worker.whole, [&](States some) { expand(worker, some); });
                 });
    });
  }

  // The last two runs become one.
  void join_last() {
    std::vector<SortedRun<W>> halves;
    for (int i = 0; i < 2; ++i) halves.push_back(pop(V));
    reduce(halves, 1);
    V.push_back(std::move(halves[0]));
  }

  // Merges the smallest of some runs until there are at most so many.  REQUIRES: most >= 1.
  void reduce(std::vector<SortedRun<W>>& runs, std::size_t most) {
    while (runs.size() > most) {
      std::stable_sort(runs.begin(), runs.end(),
                       [](const auto& a, const auto& b) { return a.size() > b.size(); });
      const std::size_t some = std::min(runs.size() - most + 1, runs_at_once());
      MergeSources<W> smallest;
      for (std::size_t i = runs.size() - some; i < runs.size(); ++i)
        if (runs[i].size() != 0) smallest.runs.push_back(&runs[i]);
      SortedRun<W> merged = merge(smallest, false);
      for (std::size_t i = 0; i < some; ++i) runs.pop_back();
      runs.push_back(std::move(merged));
    }
  }

  // How many one thread can merge with the memory that is left.
  std::size_t runs_at_once() const {
    const std::uint64_t besides = writer_bytes() + ahead_bytes();
    const std::uint64_t of_one = RowMerge<W>::bytes(store.buffers().bytes(), shape, 1);
    return std::max<std::uint64_t>(
        2, certain_bytes() > besides ? (certain_bytes() - besides) / of_one : 0);
  }
  std::uint64_t writer_bytes() const {
    return RunWriter<W>::bytes(store.chunk_bytes(), shape) + 2 * store.buffers().bytes();
  }

  // All of V but the current level.
  void reduce_visited(std::size_t most) {
    if (V.size() <= most + 1) return;
    SortedRun<W> level = pop(V);
    reduce(V, most);
    V.push_back(std::move(level));
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

  // Calls visit(states) for these rows, whole, at most as many at a time as a block of them has.
  template <class Visit>
  void each_whole(States rows, std::vector<Word>& buffer, Visit visit) const {
    const std::size_t most = squeeze ? level_shape.rows : rows.size();
    for (std::size_t i = 0; i < rows.size(); i += most)
      visit(whole({rows.data() + i * words, std::min(most, rows.size() - i), words}, buffer));
  }

  void add(Worker& worker, States states) {
    worker.C.add(states, [&](State t) { worker.odd->add({t.data(), 1, row_words}); });
  }

  void expand(Worker& worker, States states) {
    for (const State s : states) {
      worker.expander.expand(s);
      if (!levels.discarding()) add(worker, worker.expander.batch());
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
    const Claim claim(budget, BlockPacker<0>::bytes(level_shape));
    BlockPacker<0> packer(level_shape);
    RunWriter<0> writer(store, packer);
    merge_all(sources, level_shape, store.buffers(), worker.odd->sorter(),
              [&](const Word* rows, std::size_t count) {
                lookout.look_up();
                writer.add(rows, count);
                worker.level->add({rows, count, row_words});
                seen.add({rows, count, row_words});
              });
    odd = writer.finish();
    odd.be_whole();
    worker.level->finish();
  }

  // A run of the stage before, in the form of this one.
  SortedRun<W> taken(const RunStage& before, std::size_t which) {
    const std::uint64_t rows = before.run_size(which);
    std::vector<SortedRun<W>> parts;
    for (std::size_t i = 0; i < (rows <= settings.alone_rows ? 1 : settings.parts * workers.size());
         ++i)
      parts.emplace_back(budget, shape);
    const auto take_part = [&](Worker& worker, std::size_t part) {
      RunWriter<W> writer(store, worker.packer);
      before.give(which, part, parts.size(), [&](States states) {
        if (&worker == workers[0].get()) lookout.look_up();
        writer.add(in_form(states, worker.rows), states.size());
      });
      parts[part] = writer.finish();
    };
    const std::uint64_t of_thread = writer_bytes() + before.bytes_to_give() + ahead_bytes();
    share_out(parts.size(), rows, take_part, threads_with(of_thread));
    return joined(parts);
  }

  SortedRun<W> joined(std::vector<SortedRun<W>>& parts) {
    SortedRun<W> all(budget, shape);
    for (SortedRun<W>& part : parts) all.append(std::move(part));
    all.be_whole();
    return all;
  }

  // States that were met, as rows of this stage, in `buffer` if that is not what they are.
  const Word* in_form(States states, std::vector<Word>& buffer) const {
    if (!squeeze) return states.data();
    buffer.resize(std::max(buffer.size(), states.size() * words));
    Word* out = buffer.data();
    for (const State state : states) {
      if (!squeeze->squeeze(state.data(), out))
        throw Error(Fault::internal,
                    "internal error: a visited state does not fit the squeezed row layout");
      out += words;
    }
    return buffer.data();
  }

  // Calls visit(rows) for some blocks of a run, in order.  REQUIRES: `rows` has room for a block.
  template <std::size_t U, class Visit>
  void each_block(const SortedRun<U>& from, std::uint64_t first, std::uint64_t end,
                  BlockUnpacker<U>& unpacker, std::vector<Word>& rows, Visit visit) const {
    if (first == end) return;
    ReadAhead ahead(store.buffers(), settings.chunks_ahead);
    RunBlockReader<U> reader(from, unpacker, ahead);
    reader.go_to(first);
    const std::size_t end_chunk = from.index().chunk_with(end - 1) + 1;
    for (std::uint64_t block = first; block < end; ++block) {
      if (block != first) reader.next();
      BlockUnpacker<U>& opened = reader.open();
      opened.unpack(rows.data());
      const std::size_t count = opened.rows();  // `visit` may open others
      reader.expect_from(reader.chunk() + 1, end_chunk, settings.chunks_ahead);
      visit(States(rows.data(), count, from.shape().words));
    }
  }

  template <std::size_t U, class Take>
  void give_rows(const SortedRun<U>& from, std::size_t part, std::size_t parts, Take take) const {
    const Claim claim(budget, bytes_to_give(from.shape(), BlockUnpacker<U>::bytes(from.shape())));
    BlockUnpacker<U> unpacker(from.shape());
    std::vector<Word> rows(from.shape().rows * from.shape().words);
    const std::uint64_t end = from.blocks() * (part + 1) / parts;
    each_block(from, from.blocks() * part / parts, end, unpacker, rows, take);
  }

  // A block of rows as they are, and one of whole rows.
  std::uint64_t bytes_to_give(const BlockShape& of, std::uint64_t unpacker) const {
    return unpacker + (of.rows * of.words + level_shape.rows * row_words) * sizeof(Word);
  }

  void add_loaded(std::uint64_t rows) {
    add_run(sorted_candidates(false), rows);
    V.emplace_back(budget, shape);  // none of those before is the current level
    merge_runs();
    V.pop_back();
  }

  void add_run(SortedRun<W> loaded, std::uint64_t rows) {
    if (loaded.size() != rows) throw Error(Fault::integrity, "corrupt log: a state appears twice");
    met += rows;
    V.push_back(std::move(loaded));
  }

  // States that were visited before, each once in all calls, where they lie.  Between two pieces
  // signals are looked for.
  void add_visited(Word* rows, std::size_t count) {
    lookout.look_up();
    const std::size_t pieces = std::max<std::size_t>(crew.size(), count / settings.sort_rows + 1);
    write_sorted(rows, count, pieces, V, true);
  }

  // The same for states that may not be sorted where they are; `visited` or not.
  void add_sorted(const std::vector<States>& states, std::vector<SortedRun<W>>& to, bool visited) {
    const std::size_t room = hand_over_rows(subject);
    const Pages pages = Pages::need(budget, room * words * sizeof(Word));
    Word* const rows = reinterpret_cast<Word*>(pages.data());
    const std::size_t pieces = std::clamp<std::size_t>(settings.most_runs / 64, 1, crew.size());
    std::size_t count = 0;
    for (const States& some : states) {
      lookout.look_up();
      for (const State state : some) {
        if (count == room) write_sorted(rows, std::exchange(count, 0), pieces, to, visited);
        copy_row(rows + count++ * words, state.data(), Width<W>(words));
      }
    }
    if (count != 0) write_sorted(rows, count, std::min(pieces, count), to, visited);
  }

  // Adds some runs of these rows, which it sorts.
  void write_sorted(Word* rows, std::size_t count, std::size_t pieces,
                    std::vector<SortedRun<W>>& to, bool visited) {
    std::vector<SortedRun<W>> parts;
    for (std::size_t i = 0; i < pieces; ++i) parts.emplace_back(budget, shape);
    std::vector<RowSpread> spreads(crew.size(), RowSpread(row_words));
    const std::uint64_t sorting = count / pieces * RowSorter::bytes_per_row(words);
    const std::uint64_t of_thread = sorting + BlockPacker<W>::bytes(shape) + writer_bytes();
    const auto write = [&](unsigned w, std::size_t i) {
      if (w == 0) lookout.look_up();
      const std::size_t first = count * i / pieces;
      const std::size_t last = count * (i + 1) / pieces;
      if (visited && learns()) spreads[w].add({rows + first * words, last - first, words});
      const Claim claim(
          budget, (last - first) * RowSorter::bytes_per_row(words) + BlockPacker<W>::bytes(shape));
      const std::size_t kept = RowSorter(words).sort_unique(rows + first * words, last - first);
      BlockPacker<W> packer(shape);
      RunWriter<W> writer(store, packer);
      writer.add(rows + first * words, kept);
      parts[i] = writer.finish();
      parts[i].be_whole();
    };
    on_threads(pieces, write, std::max<std::uint64_t>(1, store.buffers().left() / of_thread),
               pieces == 1);
    for (const RowSpread& of_thread_seen : spreads) seen.add(of_thread_seen);
    for (SortedRun<W>& part : parts) to.push_back(std::move(part));
  }

  // Calls visit(rows, count) for all rows of V, in order.
  template <class Visit>
  void each_row(Visit visit) {
    if (V.size() > runs_at_once()) reduce(V, runs_at_once());
    MergeSources<W> all;
    for (const SortedRun<W>& visited : V)
      if (visited.size() != 0) all.runs.push_back(&visited);
    RowSorter sorter(words);
    merge_all(all, shape, store.buffers(), sorter, visit);
  }

  // Does task(thread, i) for i < count, on all threads, `most` of them, or this one.
  template <class Task>
  void on_threads(std::size_t count, Task task, std::uint64_t most = UINT64_MAX,
                  bool alone = false) {
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

  // Does task(worker, i) for i < count, on all threads, or `most` of them, if `rows` rows are
  // enough work for them.
  template <class Task>
  void share_out(std::size_t count, std::uint64_t rows, Task task,
                 std::uint64_t most = UINT64_MAX) {
    on_threads(
        count, [&](unsigned w, std::size_t i) { task(*workers[w], i); },
        std::min<std::uint64_t>(most, workers.size()), rows <= settings.alone_rows);
  }

  // One run of all candidates, which are forgotten; with `fresh`, of those that are in no run of V,
  // kept as a level.
  SortedRun<W> sorted_candidates(bool fresh) {
    std::uint64_t most = 0;
    for (const auto& worker : workers)
      most = std::max<std::uint64_t>(most, worker->C.sort().rows_in_memory());
    share_out(workers.size(), most, [&](Worker&, std::size_t i) { workers[i]->C.sort().settle(); });
    std::vector<SortedRun<W>> runs = std::exchange(C_before, {});
    for (const auto& worker : workers) worker->C.sort().give_runs(runs);
    make_fit(runs, fresh);
    MergeSources<W> C;
    for (const SortedRun<W>& some : runs) C.runs.push_back(&some);
    for (const auto& worker : workers) worker->C.sort().add_to(C);
    SortedRun<W> sorted = merge(C, fresh);
    for (const auto& worker : workers) worker->C.sort().clear();
    return sorted;
  }

  // One thread must be able to read all of them at once, and with `fresh` those of V.
  void make_fit(std::vector<SortedRun<W>>& candidates, bool fresh) {
    for (;;) {
      MergeSources<W> sources;
      for (const SortedRun<W>& some : candidates) sources.runs.push_back(&some);
      if (bytes_to_merge(sources, fresh) <= certain_bytes()) return;
      if (candidates.size() > 2)
        reduce(candidates, std::max<std::size_t>(2, candidates.size() / 2));
      else if (fresh && V.size() > 3)
        reduce_visited(std::max<std::size_t>(2, V.size() / 2));
      else
        return;
    }
  }

  // One run of all rows of the sources; with `fresh`, of those that are in no run of V, kept as a
  // level.
  SortedRun<W> merge(const MergeSources<W>& sources, bool fresh) {
    const std::uint64_t rows = sources.rows();
    const std::uint64_t most =
        rows <= settings.alone_rows ? 1 : threads_with(bytes_to_merge(sources, fresh));
    const auto cuts =
        sources.cuts(rows <= settings.alone_rows ? 1 : settings.parts * workers.size(), words);
    std::vector<SortedRun<W>> parts;
    for (std::size_t i = 0; i <= cuts.size(); ++i) parts.emplace_back(budget, shape);
    const auto merge_one = [&](Worker& worker, std::size_t i) {
      parts[i] = merge_part(worker, sources, i == 0 ? nullptr : cuts[i - 1].data(),
                            i == cuts.size() ? nullptr : cuts[i].data(), fresh);
    };
    share_out(parts.size(), rows, merge_one, most);
    return joined(parts);
  }

  std::uint64_t ahead_bytes() const { return settings.chunks_ahead * store.buffers().bytes(); }

  // Of one thread: a chunk of every run on disk is open, some are read ahead, rows of the sources
  // are unpacked, and it writes.
  std::uint64_t bytes_to_merge(const MergeSources<W>& sources, bool fresh) const {
    std::uint64_t bytes = writer_bytes() + ahead_bytes();
    for (const SortedRun<W>* source : sources.runs)
      bytes +=
          RunReader<W>::bytes(source->shape()) + (source->on_disk() ? store.buffers().bytes() : 0);
    if (fresh)
      for (const SortedRun<W>& visited : V)
        bytes += visited.on_disk() ? store.buffers().bytes() : 0;
    const std::size_t room = RowMerge<W>::room(sources, settings.merge_rows);
    if (room > settings.merge_rows) bytes += room * RowMerge<W>::row_bytes(words);
    return bytes;
  }

  // How many threads can have so many bytes each: fewer do it where memory is short.
  std::uint64_t threads_with(std::uint64_t bytes) const {
    return std::max<std::uint64_t>(1, certain_bytes() / bytes);
  }

  // No chunk takes these; indexes grow meanwhile.
  std::uint64_t certain_bytes() const {
    return std::min<std::uint64_t>(store.buffers().left(), settings.reserve_bytes) / 16 * 15;
  }

  SortedRun<W> merge_part(Worker& worker, const MergeSources<W>& sources, const Word* from,
                          const Word* to, bool fresh) {
    ReadAhead ahead(store.buffers(), settings.chunks_ahead);
    std::vector<RunSieve<W>> sieves;
    sieves.reserve(V.size());
    if (fresh)
      // the newest first
      for (std::size_t i = V.size(); i-- > 0;) sieves.emplace_back(V[i], worker.unpacker, ahead);
    const std::size_t room = RowMerge<W>::room(sources, settings.merge_rows);
    const bool roomy = room * words > worker.rows.size();  // more than the worker has
    const Claim claim(budget, roomy ? room * RowMerge<W>::row_bytes(words) : 0);
    std::vector<Word> more_rows(roomy ? room * words : 0);
    std::optional<RowSorter> more_sorter;
    if (roomy) more_sorter.emplace(words);
    RowSorter& sorter = roomy ? *more_sorter : worker.C.sort().sorter();
    Word* const rows = roomy ? more_rows.data() : worker.rows.data();
    RowMerge<W> merge(sources, worker.unpacker, ahead, words, from, to);
    RunWriter<W> writer(store, worker.packer, fresh && !squeeze ? &keeper : nullptr);
    while (std::size_t count = merge.next(sorter, rows, room)) {
      for (std::size_t i = 0; i < sieves.size(); ++i) {
        for (std::size_t next = i + 1; next < std::min(sieves.size(), i + 3); ++next)
          sieves[next].expect(rows);
        count = sieves[i].sieve(rows, count, i + 1 < sieves.size() ? &sieves[i + 1] : nullptr);
      }
      if (&worker == workers[0].get()) lookout.look_up();
      writer.add(rows, count);
      if (fresh && squeeze)
        each_whole({rows, count, words}, worker.whole,
                   [&](States states) { worker.level->add(states); });
      if (fresh && learns()) worker.seen.add({rows, count, words});
    }
    if (fresh && squeeze) worker.level->finish();
    return writer.finish();
  }
};

}  // namespace

std::unique_ptr<RunStage> RunStage::make(const StageMeans& means, const RowSpread& spread,
                                         bool squeezed) {
  const std::size_t words = squeezed ? spread.squeezed_words() : spread.row_words();
  return with_width(words, [&](auto width) -> std::unique_ptr<RunStage> {
    return std::make_unique<StageOf<width()>>(means, spread, squeezed);
  });
}

}  // namespace spillway
