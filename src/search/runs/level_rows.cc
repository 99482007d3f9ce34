#include "search/runs/level_rows.h"

namespace spillway {

LevelRows::LevelRows(const StageContext& context, const RowForm& form, const RowSpread& seen,
                     std::size_t threads)
    : form_(form), level_shape_(context.level_shape), levels_(context.keeper), seen_(seen) {
  const std::uint64_t bytes = BlockPacker<0>::bytes(level_shape_) +
                              2 * level_shape_.rows * level_shape_.words * sizeof(Word);
  for (std::size_t i = 0; i < threads; ++i) {
    threads_.push_back(
        std::make_unique<Thread>(Thread{Claim(context.budget, form.squeezed() ? bytes : 0),
                                        {},
                                        nullptr,
                                        RowSpread(form.row_words())}));
    if (form.squeezed()) threads_.back()->level = LevelPacker::make(level_shape_, levels_);
  }
}

void LevelRows::begin_level(bool copied) {
  copied_ = copied;
  levels_.begin_level();
}

void LevelRows::rows(unsigned thread, States rows) {
  learn(thread, rows);
  if (!form_.squeezed() || !copied_) return;
  each_whole(thread, rows, [&](States states) { threads_[thread]->level->add(states); });
}

void LevelRows::end_part(unsigned thread) {
  if (threads_[thread]->level) threads_[thread]->level->finish();
}

void LevelRows::odd_rows(States states) {
  if (copied_) threads_[0]->level->add(states);
  seen_.add(states);
}

const RowSpread& LevelRows::spread() {
  for (const auto& thread : threads_) seen_.add(thread->seen);
  return seen_;
}

}  // namespace spillway
