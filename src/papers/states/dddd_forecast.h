// Decides when DDDD looks for duplicates: how many there are is guessed from how levels have grown
// so far.
//
// Idea.  The sizes of levels change smoothly. So the size of the next ones can be forecast from
// those that were measured, and candidates beyond it are taken for duplicates. Detection is worth
// its price when expanding these again would cost more than reading all visited states and
// candidates.
//
// Source.  Evangelista: Dynamic delayed duplicate detection for external memory model checking,
// SPIN 2008, section 4.3, equations (1) to (5), with its letters: l is the last level that was
// measured, l+n the current one.
//
// Departures.  (2) is printed with min(0, .), which would never find a duplicate: max is meant.  In
// (4) the base lpr - eps may be negative; it is at least 10^-6 here.
#pragma once

#include <cstdint>
#include <vector>

namespace spillway {

class Forecast {
 public:
  // What it costs to read, to write, and to expand a state, in any unit.
  struct Costs {
    double rc = 1;
    double wc = 2;
    double ec = 2;
  };

  Forecast() : Forecast(Costs()) {}
  explicit Forecast(const Costs& costs) : costs_(costs) {}

  // Two levels were measured: enough to forecast others.
  bool ready() const { return measured_ >= 2; }

  // Whether to delay detection in level l+n, which has about `candidates` of them, when so many
  // states would have to be read for it.  REQUIRES: ready(). (1)
  bool delaying(double candidates, double stored, double degree) const;

  // The current level has so many candidates, and goes without detection.
  void delay(double candidates) { R_.push_back(candidates); }
  // There was a detection: the sizes of levels l+1 .. l+n.
  void measure(const std::vector<std::uint64_t>& sizes);

  //                                                               (2)
  double duplicates(double candidates) const;
  double level(std::size_t i) const;  // the size of level l+i (3)
  static double next_rate(
      double lpr);  //                                                               (4)
  static double correction(std::size_t i);  // of level l+i (5)

  // Of all forecasts between two measurements, as in section 5 of the paper.
  double error() const { return measured_states_ > 0 ? difference_ / measured_states_ : 0; }

 private:
  const Costs costs_;
  double L_ = 0;           // the size of level l
  double lpr_ = 1;         // |L(l)| / |L(l-1)|
  std::vector<double> R_;  // candidates of levels l+1 .. l+n-1
  std::uint64_t measured_ = 0;
  double measured_states_ = 0;
  double difference_ = 0;
};

}  // namespace spillway
