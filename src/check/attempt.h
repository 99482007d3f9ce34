// One attempt at a check: search, save, count, trace.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "check/inquiry.h"

namespace spillway {

class Attempt {
 public:
  // Everything outlives it.
  Attempt(const Model& model, const Algorithm& algorithm, const CheckOptions& options,
          const SessionOptions& of_session, Budget& budget, Disk& disk);

  // Carries out attempts until one does not have to begin again.  There are two reasons to: damage
  // in the log shows only while it is read, and then the checkpoint before counts; and accepting
  // cycles can be looked for by another algorithm where memory has not sufficed.  begin() makes the
  // next attempt, instead of the one before.
  using Begin = std::function<void(const Algorithm&)>;
  static void carry_out(std::optional<Attempt>& attempt, const Algorithm& algorithm,
                        const Begin& begin);

  // To be called once.
  CheckResult result();
  double seconds() const { return it_.seconds(); }
  const Inquiry& inquiry() const { return it_; }

 private:
  // What fails is part of the result.  False: it is to be begun again, from an older checkpoint.
  bool carry_out_or_fail();
  void carry_out();
  void search_on_ranks();
  void end_with_others();
  bool has_fallen_back(const Error& error);
  void fail(const Error& error);
  void fail(Fault fault, std::string sentence);
  const Algorithm* beyond_memory() const;
  void say_again(const Algorithm& next) const;

  Inquiry it_;
};

}  // namespace spillway
