#include "papers/cycles/file_sort.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace spillway {
namespace {

void combine(const Shape& shape, EqualKeys equal, Word* into, const Word* row) {
  if (equal == EqualKeys::sum)
    into[shape.key] += row[shape.key];
  else if (note_above(shape, row, into))
    std::copy_n(row + shape.key, shape.note, into + shape.key);
}

}  // namespace

bool key_below(const Shape& shape, const Word* a, const Word* b) {
  for (std::size_t i = shape.key; i-- > 0;)
    if (a[i] != b[i]) return a[i] < b[i];
  return false;
}
bool key_same(const Shape& shape, const Word* a, const Word* b) {
  return std::equal(a, a + shape.key, b);
}
bool note_above(const Shape& shape, const Word* a, const Word* b) {
  return less({b + shape.key, shape.note}, {a + shape.key, shape.note});
}

MergedRows::MergedRows(const Store& store, const std::vector<StateFile*>& files, EqualKeys equal)
    : shape_(store.shape()), equal_(equal), row_(shape_.words()) {
  for (StateFile* const file : files) {
    if (file->empty()) continue;
    auto scan = std::unique_ptr<Scan>(new Scan(file->scan()));
    const Word* const row = scan->next();
    sources_.push_back({std::move(scan), row});
  }
}

const Word* MergedRows::next() {
  const Source* least = nullptr;
  for (const Source& source : sources_)
    if (source.row != nullptr && (least == nullptr || key_below(shape_, source.row, least->row)))
      least = &source;
  if (least == nullptr) return nullptr;
  std::copy_n(least->row, shape_.words(), row_.begin());
  for (Source& source : sources_) {
    if (source.row == nullptr || !key_same(shape_, source.row, row_.data())) continue;
    if (&source != least) combine(shape_, equal_, row_.data(), source.row);
    source.row = source.scan->next();
  }
  return row_.data();
}

const Word* MergedRows::find(const Word* key) {
  if (!begun_) found_ = next();
  begun_ = true;
  while (found_ != nullptr && key_below(shape_, found_, key)) found_ = next();
  return found_ != nullptr && key_same(shape_, found_, key) ? found_ : nullptr;
}

FileSort::FileSort(Store& store, const FileSortSettings& settings, EqualKeys equal)
    : store_(store),
      shape_(store.shape()),
      settings_{std::clamp<std::uint64_t>(settings.rows, 1, UINT32_MAX), settings.fan_in},
      equal_(equal),
      pages_(Pages::need(store.budget(), settings_.rows * bytes_per_row(shape_))),
      rows_(reinterpret_cast<Word*>(pages_.data())),
      order_(reinterpret_cast<std::uint32_t*>(rows_ + settings_.rows * shape_.words())) {}

void FileSort::add(const Word* key, const Word* note) {
  if (count_ == settings_.rows) spill();
  Word* const row = rows_ + count_++ * shape_.words();
  std::copy_n(key, shape_.key, row);
  for (std::size_t i = 0; i < shape_.note; ++i) row[shape_.key + i] = note[i];
}

void FileSort::spill() {
  std::iota(order_, order_ + count_, 0);
  const auto row = [this](std::uint32_t i) { return rows_ + i * shape_.words(); };
  std::sort(order_, order_ + count_,
            [&](std::uint32_t a, std::uint32_t b) { return key_below(shape_, row(a), row(b)); });
  auto file = std::make_unique<StateFile>(store_, "run");
  for (std::uint32_t i = 0; i < count_;) {
    Word* const first = row(order_[i]);
    for (++i; i < count_ && key_same(shape_, first, row(order_[i])); ++i)
      combine(shape_, equal_, first, row(order_[i]));
    file->append(State(first, shape_.words()));
  }
  finish_writing(*file);
  count_ = 0;
  runs_.push_back({std::move(file), 0});
  const auto same = [this](const Run& run) { return run.merges == runs_.back().merges; };
  for (;;) {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(runs_, same));
    if (count < settings_.fan_in) break;
    merge_last(count);
  }
}

void FileSort::merge_last(std::size_t count) {
  std::vector<StateFile*> files;
  const auto first = runs_.end() - static_cast<std::ptrdiff_t>(count);
  for (auto run = first; run != runs_.end(); ++run) files.push_back(run->file.get());
  Run all{merged(store_, files, equal_), first->merges + 1};
  runs_.erase(first, runs_.end());
  runs_.push_back(std::move(all));
}

std::unique_ptr<StateFile> FileSort::sorted() {
  if (count_ != 0 || runs_.empty()) spill();
  while (runs_.size() > 1) merge_last(std::min(runs_.size(), settings_.fan_in));
  std::unique_ptr<StateFile> all = std::move(runs_.back().file);
  runs_.clear();
  return all;
}

std::unique_ptr<StateFile> merged(Store& store, const std::vector<StateFile*>& files,
                                  EqualKeys equal) {
  auto all = std::make_unique<StateFile>(store, "merged");
  MergedRows rows(store, files, equal);
  while (const Word* row = rows.next()) all->append(State(row, store.shape().words()));
  finish_writing(*all);
  return all;
}

}  // namespace spillway
