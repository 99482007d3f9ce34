// Random formulas and words: what automata accept against what the operators mean.
//
// SPILLWAY_CASES=100000 sets how many formulas, SPILLWAY_SEED=17 begins with another one.
#include <gtest/gtest.h>

#include <iostream>
#include <set>

#include "cases.h"
#include "ltl/automaton/strength.h"
#include "ltl/automaton/tight.h"
#include "ltl/automaton/translate.h"
#include "ltl/exchange/hoa.h"
#include "ltl/exchange/never_claim.h"
#include "ltl/formula/evaluate.h"
#include "ltl/formula/simplify.h"
#include "random_ltl.h"

namespace spillway::ltl {
namespace {

constexpr unsigned kWords = 12;

// Calls check(formula, words) for as many random formulas as are asked for, until one fails.
template <class Check>
void for_random_formulas(std::uint64_t usual, Check check) {
  const std::uint64_t first = number_from("SPILLWAY_SEED", 1), count = cases(usual);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    std::mt19937_64 random(seed);
    const Formula formula = random_formula(random, static_cast<unsigned>(1 + seed % 12));
    std::vector<Word> words;
    for (unsigned i = 0; i < kWords; ++i) words.push_back(random_word(random));
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text(formula, random_names()));
    check(formula, words);
    if (::testing::Test::HasFailure()) return;
  }
}

void expect_accepted(const Automaton& automaton, const Formula& formula,
                     const std::vector<Word>& words, std::string_view what) {
  for (const Word& word : words)
    ASSERT_EQ(accepts(automaton, word), holds(formula, word.letters, word.loop_start))
        << what << ", word " << text(word);
}

TEST(RandomFormulas, AutomataAcceptWhatTheyMean) {
  std::size_t states = 0;
  for_random_formulas(2000, [&](const Formula& formula, const std::vector<Word>& words) {
    const Automaton automaton = translate(formula, random_names());
    states += automaton.states();
    expect_accepted(automaton, formula, words, "translated");
    const Automaton negated = translate(!formula, random_names());
    expect_accepted(negated, !formula, words, "negated");
    ASSERT_FALSE(have_a_word_in_common(automaton, negated));
  });
  std::cout << states << " states\n";
}

TEST(RandomFormulas, OneSetIsEnough) {
  for_random_formulas(2000, [](const Formula& formula, const std::vector<Word>& words) {
    const Automaton automaton = degeneralized(translate(formula, random_names()));
    ASSERT_EQ(automaton.sets, 1U);
    expect_accepted(automaton, formula, words, "degeneralized");
  });
}

TEST(RandomFormulas, FilesAndClaimsKeepTheMeaning) {
  for_random_formulas(1000, [](const Formula& formula, const std::vector<Word>& words) {
    const Automaton automaton = translate(formula, random_names());
    expect_accepted(read_hoa("again", hoa(automaton, "")), formula, words, "written and read");
    StateAcceptance claim = by_states(automaton);
    for (std::uint32_t state = 0; state < claim.automaton.states(); ++state)
      for (Transition& transition : claim.automaton.transitions[state])
        transition.marks = claim.accept[state] ? 1 : 0;
    expect_accepted(claim.automaton, formula, words, "by states");
  });
}

TEST(RandomFormulas, SimplerOnesMeanTheSame) {
  for_random_formulas(4000, [](const Formula& formula, const std::vector<Word>& words) {
    const Formula simple = simplified(formula);
    for (const Word& word : words)
      ASSERT_EQ(holds(simple, word.letters, word.loop_start),
                holds(formula, word.letters, word.loop_start))
          << text(simple, random_names()) << ", word " << text(word);
  });
}

// Whether some accepting run goes back where the word does.
bool has_run_of_its_shape(const Automaton& automaton, const Word& word) {
  using At = std::pair<std::uint32_t, SetMask>;  // a state, and the sets that were met in the loop
  const auto step = [&](const std::set<At>& from, std::size_t letter) {
    std::set<At> to;
    for (const auto& [state, met] : from)
      for (const Transition& transition : automaton.transitions[state])
        if (transition.label.admits(word.letters[letter]))
          to.emplace(transition.target, met | transition.marks);
    return to;
  };
  std::set<At> stem;
  for (const std::uint32_t state : automaton.initial) stem.emplace(state, 0);
  for (std::size_t i = 0; i < word.loop_start; ++i) stem = step(stem, i);
  for (const auto& [entry, of_stem] : stem) {
    std::set<At> loop{{entry, 0}};
    for (std::size_t i = word.loop_start; i < word.letters.size(); ++i) loop = step(loop, i);
    if (loop.contains({entry, all_sets(automaton.sets)})) return true;
  }
  return false;
}

TEST(RandomFormulas, TightAutomataHaveRunsOfTheShapeOfTheWord) {
  std::size_t accepted = 0, larger = 0, all = 0;
  for_random_formulas(2000, [&](const Formula& formula, const std::vector<Word>& words) {
    const std::optional<Automaton> automaton = translate_tightly(formula, random_names());
    if (!automaton) return;  // many temporal operators
    ++all;
    expect_accepted(*automaton, formula, words, "tight");
    for (const Word& word : words) {
      const bool does = holds(formula, word.letters, word.loop_start);
      accepted += does ? 1 : 0;
      ASSERT_EQ(has_run_of_its_shape(*automaton, word), does) << "word " << text(word);
    }
    larger += automaton->states() > translate(formula, random_names()).states() ? 1 : 0;
  });
  std::cout << all << " automata, " << larger << " of them larger, " << accepted << " words\n";
  EXPECT_GT(all, cases(2000) * 9 / 10);
}

}  // namespace
}  // namespace spillway::ltl
