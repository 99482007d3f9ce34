#include "search/ram/packed_set.h"

#include <algorithm>

#include "base/error.h"

namespace spillway {
namespace {

// Of whole pages whatever the length of rows, so that chunks can be freed; unless they are few.
std::size_t chunk_rows(const RamSettings& settings, std::size_t words) {
  constexpr std::size_t kOfPages = 512;
  const std::size_t rows = std::max<std::size_t>(1, settings.chunk_bytes / (words * sizeof(Word)));
  return rows < kOfPages ? rows : (rows + kOfPages - 1) / kOfPages * kOfPages;
}

// Odd rows that are worth giving all rows another form: a thirty-second of them.
std::size_t odd_homes(std::size_t homes) { return std::max<std::size_t>(1, homes / 32); }

std::uint64_t rows_of(std::span<const RowPool::Segment> segments) {
  std::uint64_t rows = 0;
  for (const RowPool::Segment& segment : segments) rows += segment.count;
  return rows;
}

}  // namespace

PackedSet::FormRows::FormRows(Budget& budget, std::size_t words, const RamSettings& settings,
                              std::size_t homes)
    : pool(std::make_unique<RowPool>(budget, words, chunk_rows(settings, words))),
      table(budget, *pool, words, homes) {}

std::span<const RowPool::Segment> PackedSet::FormRows::level(std::size_t depth) const {
  const std::size_t begin = depth == 0 ? 0 : level_ends[depth - 1];
  return {segments.data() + begin, level_ends[depth] - begin};
}

PackedSet::PackedSet(Budget& budget, std::size_t words, const RamSettings& settings,
                     unsigned threads)
    : budget_(budget),
      words_(words),
      settings_(settings),
      form_(words),
      squeeze_at_(settings.squeeze_rows),
      spread_(words),
      main_(std::make_unique<FormRows>(budget, words, settings, settings.first_homes)) {
  for (unsigned i = 0; i < threads; ++i)
    hands_.push_back(
        {RowPool::Writer(*main_->pool), {}, std::vector<Word>(words), std::vector<Word>(words)});
}

PackedSet::~PackedSet() = default;

void PackedSet::close_level(std::uint64_t /*states*/) {
  const auto close = [](FormRows& part, RowPool::Writer& writer) {
    const std::vector<RowPool::Segment> added = writer.take(false);
    part.segments.insert(part.segments.end(), added.begin(), added.end());
  };
  for (Hand& hand : hands_) {
    close(*main_, hand.main);
    if (odd_) close(*odd_, *hand.odd);
  }
  main_->level_ends.push_back(main_->segments.size());
  if (odd_) odd_->level_ends.push_back(odd_->segments.size());
}

Insert PackedSet::insert_odd(const Word* row, std::uint64_t hash, RowPool::Writer& next,
                             Hand& hand) {
  const Insert done = odd_->table.insert(row, hash, *hand.odd);
  if (done == Insert::fresh) {
    next.append(row);
    odd_rows_.fetch_add(1, std::memory_order_relaxed);
  }
  if (done == Insert::full) odd_is_full_.store(true, std::memory_order_relaxed);
  return done;
}

std::vector<RowPool::Segment> PackedSet::all_segments(bool odd) const {
  std::vector<RowPool::Segment> all = (odd ? odd_ : main_)->segments;
  for (const Hand& hand : hands_) (odd ? *hand.odd : hand.main).peek(all);
  return all;
}

std::uint64_t PackedSet::rows(bool odd) const { return rows_of(all_segments(odd)); }

State PackedSet::whole(const FormRows& part, State row, std::vector<Word>& buffer) const {
  if (&part == odd_.get() || !form_.squeezed()) return row;
  form_.squeeze()->widen(row.data(), buffer.data());
  return {buffer.data(), words_};
}

// The table knows packed rows, and hashes are those of whole ones.
LongRowTable::HashOf PackedSet::hash_of_packed() {
  return [this](unsigned thread, const Word* row) {
    return hash(whole(*main_, {row, form_.words()}, hands_[thread].whole).data(), words_);
  };
}

bool PackedSet::grow_table(Crew& crew, bool odd) {
  const auto hash_of_odd = [this](unsigned, const Word* row) { return hash(row, words_); };
  const bool grown = odd ? odd_->table.grow(crew, all_segments(true), hash_of_odd)
                         : main_->table.grow(crew, all_segments(false), hash_of_packed());
  if (grown) (odd ? odd_is_full_ : main_is_full_).store(false);
  return grown;
}

bool PackedSet::grow(Crew& crew) {
  const bool odd_wants = odd_ && (odd_is_crowded() || odd_is_full_.load());
  const bool wants_packing = !form_.squeezed() && rows(false) >= squeeze_at_;
  const bool changed = (odd_wants || wants_packing) && change_form(crew);
  if (!form_.squeezed()) squeeze_at_ = std::max(squeeze_at_, 2 * rows(false));
  if (odd_wants && !changed && !grow_table(crew, true)) return false;
  if (!main_is_full_.load() && rows(false) + odd_rows_.load() <= comfortable_rows()) return true;
  return grow_table(crew, false);
}

RowSpread PackedSet::spread_of_all() {
  RowSpread spread = spread_;
  const bool odd = form_.squeezed();  // spread_ is that of all others then
  const FormRows& part = odd ? *odd_ : *main_;
  for (const RowPool::Segment& segment : all_segments(odd)) spread.add(part.pool->rows(segment));
  return spread;
}

// Chunks are freed as their rows are moved, so that there is never much more than one form of each.
bool PackedSet::has_room(const RowForm& form) const {
  constexpr std::uint64_t kKeptChunks = 16;  // that a pool does not return at once
  const RowPool& from = *main_->pool;
  const std::uint64_t widest = std::max(form.words(), form_.words());
  const std::uint64_t slack = (kKeptChunks + 4 * hands_.size()) * from.chunk_rows() * widest;
  const std::uint64_t returned = from.returns_chunks() ? form_.words() : 0;
  const std::uint64_t wider =
      form.words() > returned ? from.room_rows() * (form.words() - returned) : 0;
  const std::uint64_t odd = odd_rows_.load() * form.words();
  return budget_.left() > (slack + wider + odd) * sizeof(Word) + main_->table.bytes() / 8;
}

// Gives the rows of main_ another form.  They keep their numbers, so the table stays as it is.
void PackedSet::take_over(Crew& crew, const RowForm& form) {
  std::vector<RowPool::Segment> all = all_segments(false);
  const RowPool& from = *main_->pool;
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::size_t> chunks;  // their first segments
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i == 0 || from.chunk_of(all[i]) != from.chunk_of(all[i - 1])) chunks.push_back(i);
  chunks.push_back(all.size());
  auto to = std::make_unique<RowPool>(from, form.words());
  std::atomic<std::size_t> next{0};
  crew.each([&](unsigned thread) {
    for (std::size_t i; (i = next.fetch_add(1)) + 1 < chunks.size();)
      take_over({all.data() + chunks[i], chunks[i + 1] - chunks[i]}, form, *to,
                hands_[thread].whole);
  });
  main_->table.go_over_to(*to, form.words());
  for (Hand& hand : hands_) hand.main.go_over_to(*to);
  main_->pool = std::move(to);
}

void PackedSet::take_over(std::span<const RowPool::Segment> chunk, const RowForm& form, RowPool& to,
                          std::vector<Word>& buffer) const {
  SPILLWAY_CHECK(to.draw_chunk());  // has_room() has said so
  for (const RowPool::Segment& segment : chunk) {
    Word* place = to.place(segment.first);
    for (const State row : main_->pool->rows(segment)) {
      const State state = whole(*main_, row, buffer);
      if (form.squeezed())
        SPILLWAY_CHECK(form.squeeze()->squeeze(state.data(), place));
      else
        std::copy(state.begin(), state.end(), place);
      place += form.words();
    }
  }
  main_->pool->recycle(chunk.front());
}

void PackedSet::append(States odd_rows, RowPool::Writer& writer) {
  Word* const packed = hands_[0].packed.data();
  for (const State row : odd_rows) {
    const bool fits = !form_.squeezed() || form_.squeeze()->squeeze(row.data(), packed);
    SPILLWAY_CHECK(fits && writer.ready());  // has_room() has said so
    writer.append(form_.squeezed() ? packed : row.data());
  }
}

// Odd rows, which fit the form now.  `open`: those of the level that is not closed.
void PackedSet::take_odd_rows(Crew& crew, const FormRows& odd,
                              const std::vector<RowPool::Segment>& open) {
  RowPool::Writer writer(*main_->pool);
  std::vector<RowPool::Segment> closed, added;
  std::vector<std::size_t> level_ends;
  const auto take = [&](std::span<const RowPool::Segment> level) {
    for (const RowPool::Segment& segment : level) append(odd.pool->rows(segment), writer);
    const std::vector<RowPool::Segment> taken = writer.take(false);
    added.insert(added.end(), taken.begin(), taken.end());
    return taken;
  };
  for (std::size_t depth = 0; depth < odd.level_ends.size(); ++depth) {
    const std::span<const RowPool::Segment> others = main_->level(depth);
    const std::vector<RowPool::Segment> taken = take(odd.level(depth));
    closed.insert(closed.end(), others.begin(), others.end());
    closed.insert(closed.end(), taken.begin(), taken.end());
    level_ends.push_back(closed.size());
  }
  hands_[0].main.adopt(take(open));
  main_->segments = std::move(closed);
  main_->level_ends = std::move(level_ends);
  if (main_->table.add(crew, added, hash_of_packed())) return;
  if (!grow_table(crew, false)) throw Error(Fault::memory, "there is no room for a table of rows");
}

// False if that would save nothing, or if there is too little memory for it.
bool PackedSet::change_form(Crew& crew) {
  const RowSpread spread = spread_of_all();
  const bool squeezed = spread.squeezed_words() < words_;
  if (!squeezed && !form_.squeezed()) return false;
  const RowForm form = squeezed ? RowForm(spread) : RowForm(words_);
  if (!has_room(form)) return false;
  take_over(crew, form);
  form_ = form;
  spread_ = spread;
  if (odd_) {
    const std::vector<RowPool::Segment> all = all_segments(true);
    take_odd_rows(crew, *odd_, {all.begin() + odd_->segments.size(), all.end()});
  }
  odd_rows_.store(0);
  odd_is_full_.store(false);
  for (Hand& hand : hands_) hand.odd.reset();
  odd_.reset();
  if (!squeezed) return true;
  odd_ = std::make_unique<FormRows>(budget_, words_, settings_, odd_homes(main_->table.homes()));
  odd_->level_ends.resize(main_->level_ends.size());
  for (Hand& hand : hands_) hand.odd.emplace(*odd_->pool);
  return true;
}

void PackedSet::give(Crew& /*crew*/, const std::vector<States>& /*next*/, const TakeRows& /*take*/,
                     const ViewRows& view, const Look& look) {
  main_->table.free();
  if (odd_) odd_->table.free();
  view([&](const std::function<void(States)>& use) {
    std::vector<Word> buffer;
    for (const RowPool::Segment& segment : main_->segments) {
      look();
      form_.each_whole(main_->pool->rows(segment), 64, buffer, use);
    }
    if (!odd_) return;
    for (const RowPool::Segment& segment : odd_->segments) use(odd_->pool->rows(segment));
  });
}

void PackedSet::visit_level(const FormRows& part, std::size_t depth, Crew& crew,
                            const Visit& visit) const {
  const std::span<const RowPool::Segment> level = part.level(depth);
  if (level.empty()) return;
  std::atomic<std::size_t> next{0};
  crew.each([&](unsigned worker) {
    std::vector<Word> buffer(words_);
    for (std::size_t i; (i = next.fetch_add(1)) < level.size();)
      for (const State row : part.pool->rows(level[i])) visit(worker, whole(part, row, buffer));
  });
}

void PackedSet::each_at_depth(const Model& /*model*/, Crew& crew, std::size_t /*window_rows*/,
                              std::uint64_t depth, const Visit& visit) {
  visit_level(*main_, depth, crew, visit);
  if (odd_) visit_level(*odd_, depth, crew, visit);
}

void PackedSet::each(Crew& crew, const Visit& visit) const {
  for (std::size_t depth = 0; depth < main_->level_ends.size(); ++depth) {
    visit_level(*main_, depth, crew, visit);
    if (odd_) visit_level(*odd_, depth, crew, visit);
  }
}

}  // namespace spillway
