// The form that rows have in sorted runs: whole, as a model has them, or squeezed.
//
// Rows keep their order in either form.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/state.h"
#include "storage/runs/packing/row_squeeze.h"

namespace spillway {

class RowForm {
 public:
  // Whole rows.
  explicit RowForm(std::size_t row_words) : row_words_(row_words) {}
  // Rows without the bits that are the same in all rows of the spread.
  explicit RowForm(const RowSpread& spread) : row_words_(spread.row_words()), squeeze_(spread) {}

  bool squeezed() const { return squeeze_.has_value(); }
  std::size_t words() const { return squeeze_ ? squeeze_->words() : row_words_; }
  std::size_t row_words() const { return row_words_; }  // of whole rows
  // nullptr if rows are whole.  Valid as long as this.
  const RowSqueeze* squeeze() const { return squeeze_ ? &*squeeze_ : nullptr; }

  // Calls visit(states) for these rows, whole, in `buffer` if they are squeezed, at most `most` of
  // them at a time then.
  template <class Visit>
  void each_whole(States rows, std::size_t most, std::vector<Word>& buffer, Visit visit) const {
    if (!squeeze_) {
      if (rows.size() != 0) visit(rows);
      return;
    }
    for (std::size_t i = 0; i < rows.size(); i += most)
      visit(whole({rows.data() + i * words(), std::min(most, rows.size() - i), words()}, buffer));
  }

  // Whole rows in this form, in `buffer` if that is another one.  REQUIRES: all are in the spread.
  const Word* of_whole(States states, std::vector<Word>& buffer) const {
    if (!squeeze_) return states.data();
    buffer.resize(std::max(buffer.size(), states.size() * words()));
    Word* out = buffer.data();
    for (const State state : states) {
      if (!squeeze_->squeeze(state.data(), out))
        throw Error(Fault::internal,
                    "internal error: a visited state does not fit the squeezed row layout");
      out += words();
    }
    return buffer.data();
  }

 private:
  States whole(States rows, std::vector<Word>& buffer) const {
    buffer.resize(std::max(buffer.size(), rows.size() * row_words_));
    Word* out = buffer.data();
    for (const State row : rows) {
      squeeze_->widen(row.data(), out);
      out += row_words_;
    }
    return {buffer.data(), rows.size(), row_words_};
  }

  std::size_t row_words_;
  std::optional<RowSqueeze> squeeze_;
};

}  // namespace spillway
