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

PackedSet::PackedSet(Budget& budget, std::size_t words, const RamSettings& settings,
                     unsigned threads)
    : budget_(budget),
      words_(words),
      settings_(settings),
      form_(words),
      squeeze_at_(words > 1 ? settings.squeeze_rows : UINT64_MAX),
      spread_(words),
      main_(budget, words, chunk_rows(settings, words), words, settings.first_homes) {
  for (unsigned i = 0; i < threads; ++i)
    hands_.push_back({.main = RowPool::Writer(*main_.pool),
                      .packed = std::vector<Word>(words),
                      .whole = std::vector<Word>(words),
                      .some = {}});
}

PackedSet::~PackedSet() = default;

PackedSet::Segments PackedSet::close_level() {
  const std::size_t before = segments_.size();
  const auto close = [&](RowPool::Writer& writer) {
    const Segments added = writer.take(false);
    segments_.insert(segments_.end(), added.begin(), added.end());
    return added;
  };
  for (Hand& hand : hands_) {
    close(hand.main);
    if (hand.odd) note_odd(close(hand.odd->places));
  }
  level_ends_.push_back(segments_.size());
  return {segments_.begin() + static_cast<std::ptrdiff_t>(before), segments_.end()};
}

PackedSet::Segments PackedSet::open_rows() {
  Segments all;
  for (const Hand& hand : hands_) {
    hand.main.peek(all);
    if (!hand.odd) continue;
    Segments odd;
    hand.odd->places.peek(odd);
    note_odd(odd);
    all.insert(all.end(), odd.begin(), odd.end());
  }
  return all;
}

void PackedSet::note_odd(const Segments& places) {
  for (const RowPool::Segment& segment : places) {
    const std::size_t chunk = main_.pool->chunk_of(segment);
    odd_chunks_.resize(std::max(odd_chunks_.size(), chunk + 1));
    odd_chunks_[chunk] = true;
  }
}

std::span<const RowPool::Segment> PackedSet::level(std::uint64_t depth) const {
  const std::size_t begin = depth == 0 ? 0 : level_ends_[depth - 1];
  return {segments_.data() + begin, level_ends_[depth] - begin};
}

State PackedSet::widened(std::uint64_t number, std::vector<Word>& buffer) const {
  const State there = main_.pool->row(number);
  if (is_odd(number)) return odd_->pool->row(there[0]).first(words_);
  buffer.resize(words_);
  form_.squeeze()->widen(there.data(), buffer.data());
  return buffer;
}

void PackedSet::each_row(RowPool::Segment segment, unsigned thread, const UseRows& use) {
  constexpr std::size_t kAtOnce = 64;
  Hand& hand = hands_[thread];
  if (!is_odd(segment.first))
    return form_.each_whole(main_.pool->rows(segment), kAtOnce, hand.some, use);
  for (std::uint64_t i = 0; i < segment.count; ++i)
    use({row(segment.first + i, hand.some).data(), 1, words_});
}

Insert PackedSet::insert_odd(const Word* row, std::uint64_t hash, Hand& hand,
                             std::uint64_t& number) {
  OddHand& odd = *hand.odd;
  std::copy_n(row, words_, odd.row.begin());
  odd.row[words_] = odd.places.next();
  std::uint64_t aside = 0;
  const Insert done = odd_->table.insert(odd.row.data(), hash, odd.rows, aside);
  if (done == Insert::full) {
    odd_is_full_.store(true, std::memory_order_relaxed);
    return done;
  }
  number = odd_->pool->row(aside)[words_];
  if (done == Insert::known) return done;
  hand.packed[0] = aside;
  odd.places.append(hand.packed.data());
  odd_rows_.fetch_add(1, std::memory_order_relaxed);
  return done;
}

std::uint64_t PackedSet::number_of(const Word* row, unsigned thread) {
  if (!ready(thread)) throw Error(Fault::memory, "there is no room for a row");
  std::uint64_t number = 0;
  if (insert(row, hash(row, words_), thread, number) != Insert::known)
    throw Error(Fault::integrity, "a state has a successor that no level has");
  return number;
}

PackedSet::Segments PackedSet::main_rows() const {
  Segments all;
  for (const RowPool::Segment& segment : segments_)
    if (!is_odd(segment.first)) all.push_back(segment);
  for (const Hand& hand : hands_) hand.main.peek(all);
  return all;
}

PackedSet::Segments PackedSet::odd_rows() const {
  Segments all;
  for (const Hand& hand : hands_) hand.odd->rows.peek(all);
  return all;
}

// The table knows packed rows, and hashes are those of whole ones.
LongRowTable::HashOf PackedSet::hash_of_packed() {
  return [this](unsigned thread, const Word* row) {
    if (form_.squeezed()) {
      std::vector<Word>& whole = hands_[thread].whole;
      form_.squeeze()->widen(row, whole.data());
      row = whole.data();
    }
    return hash(row, words_);
  };
}

bool PackedSet::grow_table(Crew& crew, bool odd) {
  const auto hash_of_odd = [this](unsigned, const Word* row) { return hash(row, words_); };
  const bool grown = odd ? odd_->table.grow(crew, odd_rows(), hash_of_odd)
                         : main_.table.grow(crew, main_rows(), hash_of_packed());
  if (grown) (odd ? odd_is_full_ : main_is_full_).store(false);
  return grown;
}

bool PackedSet::grow(Crew& crew) {
  const bool odd_wants = odd_ && (odd_is_crowded() || odd_is_full_.load());
  const bool wants_packing = !form_.squeezed() && rows_of(main_rows()) >= squeeze_at_;
  const bool changed = (odd_wants || wants_packing) && change_form(crew);
  const std::uint64_t rows = rows_of(main_rows());
  if (!form_.squeezed()) squeeze_at_ = std::max(squeeze_at_, 2 * rows);
  if (odd_wants && !changed && !grow_table(crew, true)) return false;
  if (!main_is_full_.load() && rows + odd_rows_.load() <= comfortable_rows()) return true;
  return grow_table(crew, false);
}

RowSpread PackedSet::spread_of_all() const {
  RowSpread spread = spread_;
  if (!form_.squeezed()) {
    for (const RowPool::Segment& segment : main_rows()) spread.add(main_.pool->rows(segment));
    return spread;
  }
  for (const RowPool::Segment& segment : odd_rows())  // spread_ is that of all others
    for (const State row : odd_->pool->rows(segment)) spread.add(row.data());
  return spread;
}

// Chunks are freed as their rows are moved, so that there is never much more than one form of each.
bool PackedSet::has_room(const RowForm& form) const {
  constexpr std::uint64_t kKeptChunks = 16;  // that a pool does not return at once
  const RowPool& from = *main_.pool;
  const std::uint64_t widest = std::max(form.words(), form_.words());
  const std::uint64_t slack = (kKeptChunks + 4 * hands_.size()) * from.chunk_rows() * widest;
  const std::uint64_t returned = from.returns_chunks() ? form_.words() : 0;
  const std::uint64_t wider =
      form.words() > returned ? from.room_rows() * (form.words() - returned) : 0;
  return budget_.left() > (slack + wider) * sizeof(Word) + main_.table.bytes() / 8;
}

// The places of all odd rows.  Those of the open level are among the others from now on.
PackedSet::Segments PackedSet::join_odd_places() {
  Segments all;
  for (Hand& hand : hands_) {
    if (!hand.odd) continue;
    const Segments open = hand.odd->places.take(false);
    note_odd(open);
    hand.main.adopt(open);
    all.insert(all.end(), open.begin(), open.end());
  }
  for (const RowPool::Segment& segment : segments_)
    if (is_odd(segment.first)) all.push_back(segment);
  return all;
}

// Gives all rows another form.  They keep their numbers, so the table stays as it is.
void PackedSet::take_over(Crew& crew, const RowForm& form) {
  Segments all = segments_;
  for (const Hand& hand : hands_) hand.main.peek(all);
  const RowPool& from = *main_.pool;
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
  main_.table.go_over_to(*to, form.words());
  for (Hand& hand : hands_) hand.main.go_over_to(*to);
  main_.pool = std::move(to);
}

void PackedSet::take_over(std::span<const RowPool::Segment> chunk, const RowForm& form, RowPool& to,
                          std::vector<Word>& buffer) const {
  SPILLWAY_CHECK(to.draw_chunk());  // has_room() has said so
  for (const RowPool::Segment& segment : chunk) {
    for (std::uint64_t number = segment.first; number < segment.first + segment.count; ++number) {
      const State state = row(number, buffer);
      if (form.squeezed())
        SPILLWAY_CHECK(form.squeeze()->squeeze(state.data(), to.place(number)));
      else
        std::ranges::copy(state, to.place(number));
    }
  }
  main_.pool->recycle(chunk.front());
}

// False if that would save nothing, or if there is too little memory for it.
bool PackedSet::change_form(Crew& crew) {
  const RowSpread spread = spread_of_all();
  const bool squeezed = spread.squeezed_words() < words_;
  if (!squeezed && !form_.squeezed()) return false;
  const RowForm form = squeezed ? RowForm(spread) : RowForm(words_);
  if (!has_room(form)) return false;
  const Segments odd = join_odd_places();
  take_over(crew, form);
  form_ = form;
  spread_ = spread;
  for (Hand& hand : hands_) hand.odd.reset();
  odd_.reset();
  odd_chunks_.clear();
  odd_rows_.store(0);
  odd_is_full_.store(false);
  if (!main_.table.add(crew, odd, hash_of_packed()) && !grow_table(crew, false))
    throw Error(Fault::memory, "there is no room for a table of rows");
  if (!squeezed) return true;
  odd_.emplace(budget_, words_ + 1, chunk_rows(settings_, words_ + 1), words_,
               odd_homes(main_.table.homes()));
  for (Hand& hand : hands_)
    hand.odd = OddHand{RowPool::Writer(*odd_->pool), RowPool::Writer(*main_.pool),
                       std::vector<Word>(words_ + 1)};
  return true;
}

void PackedSet::give(Crew& /*crew*/, const TakeRows& /*take*/, const ViewRows& view,
                     const Look& look) {
  main_.table.free();
  if (odd_) odd_->table.free();
  view([&](const UseRows& use) {
    for (const RowPool::Segment& segment : segments_) {
      look();
      each_row(segment, 0, use);
    }
  });
}

void PackedSet::visit_level(std::size_t depth, Crew& crew, const Visit& visit) const {
  const std::span<const RowPool::Segment> all = level(depth);
  if (all.empty()) return;
  std::atomic<std::size_t> next{0};
  crew.each([&](unsigned worker) {
    std::vector<Word> buffer;
    for (std::size_t i; (i = next.fetch_add(1)) < all.size();)
      for (std::uint64_t j = 0; j < all[i].count; ++j) visit(worker, row(all[i].first + j, buffer));
  });
}

void PackedSet::each_at_depth(const Model& /*model*/, Crew& crew, std::size_t /*window_rows*/,
                              std::uint64_t depth, const Visit& visit) {
  visit_level(depth, crew, visit);
}

void PackedSet::each(Crew& crew, const Visit& visit) const {
  for (std::size_t depth = 0; depth < level_ends_.size(); ++depth) visit_level(depth, crew, visit);
}

}  // namespace spillway
