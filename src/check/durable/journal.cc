#include "check/durable/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/text/quantity.h"
#include "check/durable/file_names.h"

namespace spillway {
namespace {

constexpr std::string_view kOnRank = "on rank ";

// Checks what a log gives against what a manifest says, level by level.
class Comparison {
 public:
  explicit Comparison(const Manifest& manifest)
      : manifest_(manifest), found_(manifest.levels.size() + 1) {}

  void add(std::uint64_t level, const Level& found) {
    if (level >= found_.size()) refuse(level);
    found_[level].states += found.states;
    found_[level].digest.add(found.digest);
  }
  void finish() const {
    for (std::uint64_t i = 0; i < manifest_.levels.size(); ++i)
      if (found_[i].states != manifest_.levels[i].states ||
          found_[i].digest != manifest_.levels[i].digest)
        refuse(i);
    if (found_.back().states != manifest_.level_states) refuse(manifest_.levels.size());
  }

 private:
  [[noreturn]] void refuse(std::uint64_t level) const {
    throw Error(
        Fault::integrity,
        fmt::format(
            "checkpoint {}: the log does not have the states of level {} that were expanded",
            manifest_.generation, with_commas(level)));
  }

  const Manifest& manifest_;
  std::vector<Level> found_;
};

bool is_intact(const ManifestFiles& files, std::uint64_t generation) {
  try {
    return files.read(generation).generation == generation;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Journal::Journal(Disk& disk, std::size_t words, std::uint64_t memory_bytes,
                 const JournalSettings& settings)
    : disk_(disk),
      settings_(settings),
      shape_(settings.shape.value_or(BlockShape::of(words))),
      memory_bytes_(memory_bytes) {
  for (const std::string& name : disk.list()) {
    const std::optional<RunFile> file = run_file(name);
    if (!file || file->product) continue;
    if (file->kind == RunFile::Kind::log) next_file_ = std::max(next_file_, file->number + 1);
    if (file->kind == RunFile::Kind::extra) next_extra_ = std::max(next_extra_, file->number + 1);
  }
  if (const auto missing = files_.missing(newest_.generation())) rejected_.push_back(*missing);
  if (open_newest(UINT64_MAX)) return;
  if (!settings_.product) refuse_what_is_lost();
  begin_anew();
}

void Journal::refuse_what_is_lost() const {
  if (other_rows_) return;
  if (!rejected_.empty())
    throw Error(Fault::integrity,
                fmt::format("cannot resume: every checkpoint is damaged: {}", rejected_[0]));
  if (!doubt().empty())
    throw Error(Fault::integrity,
                fmt::format("cannot resume: there is no checkpoint: {}", doubt()));
}

void Journal::open(std::uint64_t generation) {
  Manifest manifest = files_.read(generation);
  if (!means_the_same(manifest)) {
    other_rows_ = true;
    throw Error(Fault::integrity,
                fmt::format("checkpoint {}: another version of Spillway has made it, whose states "
                            "have another form",
                            generation));
  }
  if (manifest.form.shape.words != shape_.words)
    throw Error(Fault::integrity,
                fmt::format("checkpoint {}: its rows have {} words, but those of the model have {}",
                            generation, manifest.form.shape.words, shape_.words));
  if (manifest.rank != settings_.rank || manifest.ranks != settings_.ranks)
    throw Error(
        Fault::usage,
        fmt::format("checkpoint {} is of rank {} of {}, but this is rank {} of {}: resume "
                    "the run with as many ranks as it had",
                    generation, manifest.rank, manifest.ranks, settings_.rank, settings_.ranks));
  const std::uint64_t needed = LevelLog::budget_bytes(manifest.form);
  if (needed >= memory_bytes_)
    throw Error(Fault::usage,
                fmt::format("--memory: {} is too little for the log of this run, which needs {}",
                            bytes_text(memory_bytes_), bytes_text(needed)));
  budget_.emplace(needed);
  log_ = std::make_unique<LevelLog>(disk_, *budget_, manifest.form, next_file_, manifest.parts);
  committed_ = generation;
  extras_ = committed_extras_ = manifest.extras;
  resumed_ = std::move(manifest);
}

bool Journal::open_newest(std::uint64_t below) {
  for (const std::uint64_t generation : files_.generations()) {
    if (generation >= below) continue;
    try {
      open(generation);
      return true;
    } catch (const Error& error) {
      if (error.fault() == Fault::usage) throw;
      if (settings_.patient && error.fault() != Fault::integrity) throw;
      rejected_.emplace_back(error.what());
    }
  }
  return false;
}

// Versions before did not say.  Then a product is searched again, which costs time and nothing
// else.
bool Journal::means_the_same(const Manifest& manifest) const {
  if (settings_.rows.layout.empty()) return true;
  if (manifest.rows.layout.empty()) return !settings_.product;
  return manifest.rows == settings_.rows;
}

bool Journal::fall_back(const std::string& why) {
  if (!loading_) return false;
  loading_ = false;
  log_.reset();
  rejected_ = {why};
  if (open_newest(committed_)) return true;
  if (settings_.product) begin_anew();
  return settings_.product;
}

Journal::Offer Journal::offer() const {
  Offer own{next_generation_, newest_.generation(), files_.generations(), rejected_};
  std::erase_if(own.generations, [&](std::uint64_t one) {
    return one > committed_ || (settings_.product && !is_intact(files_, one));  // damaged
  });
  return own;
}

void Journal::agree(Cluster& cluster) {
  if (settings_.ranks == 1) return;  // it has chosen when it was made
  const Offer own = offer();
  Packet packet;
  packet.put(own.next_generation);
  packet.put(own.recorded);
  packet.put(own.generations);
  packet.put(own.rejected.size());
  for (const std::string& why : own.rejected) packet.put(why);
  std::vector<Offer> all;
  for (const std::vector<std::byte>& part : cluster.gather(packet)) {
    PacketReader reader(part);
    Offer& one = all.emplace_back();
    one.next_generation = reader.number();
    one.recorded = reader.number();
    one.generations = reader.numbers();
    for (std::uint64_t left = reader.number(); left > 0; --left)
      one.rejected.push_back(reader.text());
  }
  agree(all);
}

void Journal::agree(const std::vector<std::unique_ptr<Journal>>& all) {
  std::vector<Offer> offers;
  for (const std::unique_ptr<Journal>& journal : all) offers.push_back(journal->offer());
  for (const std::unique_ptr<Journal>& journal : all) journal->agree(offers);
}

void Journal::agree(const std::vector<Offer>& all) {
  std::vector<std::uint64_t> common = all.front().generations;
  std::uint64_t recorded = 0;
  for (const Offer& one : all) {
    next_generation_ = std::max(next_generation_, one.next_generation);
    recorded = std::max(recorded, one.recorded);
    const auto is_missing = [&](std::uint64_t generation) {
      return std::ranges::count(one.generations, generation) == 0;
    };
    std::erase_if(common, is_missing);
  }
  know_rejected(all);
  resume_from(common.empty() ? 0 : std::ranges::max(common), recorded);
}

// One of the ranks speaks for all.
void Journal::know_rejected(const std::vector<Offer>& all) {
  rejected_.clear();
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (const std::string& why : all[rank].rejected) {
      const bool is_told = why.starts_with(kOnRank);  // in an agreement before this one
      const std::string told = is_told ? why : fmt::format("{}{}: {}", kOnRank, rank, why);
      if (std::ranges::count(rejected_, told) == 0) rejected_.push_back(told);
    }
}

// Of several ranks.  `recorded`: all of them had this checkpoint, or a newer one.
void Journal::resume_from(std::uint64_t common, std::uint64_t recorded) {
  if (common == 0 && recorded != 0 && !settings_.product && !other_rows_)
    throw Error(
        Fault::integrity,
        fmt::format("cannot resume: not all ranks have checkpoint {} or a newer one", recorded));
  if (common == committed_) return;
  log_.reset();
  loading_ = false;
  if (common == 0)
    begin_anew();
  else
    open(common);
}

void Journal::begin_anew() {
  resumed_.reset();
  committed_ = 0;
  extras_.clear();
  const LevelLog::Form form =
      LevelLog::form_for(settings_.run.identity.number(), shape_, memory_bytes_);
  budget_.emplace(LevelLog::budget_bytes(form));
  log_ = std::make_unique<LevelLog>(disk_, *budget_, form, next_file_);
}

void Journal::load(Crew& crew, const Model* model, const LevelTaker& taker) {
  if (settings_.ranks > 1) log_->allow_empty_levels();
  if (settings_.patient) log_->be_patient();
  Comparison comparison(*resumed_);
  std::uint64_t last = 0;
  const auto found = [&](std::uint64_t level, const Level& rows) {
    last = level;
    comparison.add(level, rows);
  };
  loading_ = true;
  try {
    // the digest of the next is not known yet
    const std::uint64_t digested = resumed_->levels.size();
    const Transitions* const steps = model != nullptr ? &model->steps() : nullptr;
    if (!take_levels(*log_, *budget_, crew, {digested, settings_.alone_bytes, steps}, taker, found))
      return void(loading_ = false);
  } catch (const Error& error) {
    if (error.fault() != Fault::integrity) throw;
    throw Error(Fault::integrity,
                fmt::format("checkpoint {}, at or after level {}: {}", resumed_->generation,
                            with_commas(last), error.what()));
  }
  comparison.finish();
  if (settings_.ranks > 1) log_->resume_after(resumed_->levels.size() + 1);
  loading_ = false;
}

bool Journal::was_decided() const { return settings_.product && resumed_ && resumed_->decided; }

// If a newer checkpoint was damaged, another one is to replace it.
bool Journal::has_all_of(const Session& session) const {
  return resumed_ && rejected_.empty() && resumed_->level_states == 0 &&
         session.levels.level_states() == 0 &&
         resumed_->levels.size() == session.levels.own_levels().size();
}

bool Journal::is_worth_deciding(double seconds) const {
  constexpr double kOften = 5;
  return seconds >= settings_.least_seconds / kOften;
}

double Journal::seconds_since(Clock::time_point then) const {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

bool Journal::due(const Session& session) {
  const bool here =
      seconds_since(last_) >= std::max(settings_.least_seconds, cost_seconds_ / settings_.share);
  const bool is_due = session.cluster.any(here);
  if (is_due) asked_ = Clock::now();
  return is_due;
}

Manifest Journal::manifest_of(const Session& session) {
  Manifest manifest;
  name(manifest);
  manifest.seconds = session.earlier_seconds() + session.lookout.seconds();
  manifest.levels = session.levels.own_levels();
  manifest.level_states = session.levels.own_states();
  for (PropertyIndex i = 0; i < session.model.properties().size(); ++i)
    if (session.expanders.covered(i)) manifest.covered.push_back(i);
  manifest.observed = session.expanders.observed();
  // Those of a level that is not complete are found again.
  for (const Finding& finding : session.findings.all())
    if (is_of_one_state(finding) && finding.depth < manifest.levels.size())
      manifest.found.push_back(finding);
  return manifest;
}

// Whose it is, and the next number.
void Journal::name(Manifest& manifest) {
  manifest.run = settings_.run;
  manifest.rows = settings_.rows;
  manifest.generation = next_generation_++;
  manifest.rank = settings_.rank;
  manifest.ranks = settings_.ranks;
  manifest.form = log_->form();
}

void Journal::write(const Manifest& manifest, Cluster& cluster) {
  files_.write(manifest);
  // A manifest that is newer than the newest counts all the same.
  cluster.go_on_with([&] { newest_.record(manifest.generation); });
}

void Journal::commit(const Session& session) { commit(manifest_of(session), session.cluster); }

void Journal::adopt(const Manifest& contents) {
  Manifest manifest = contents;
  name(manifest);
  manifest.rows = contents.rows;
  commit(std::move(manifest), Cluster::alone());
}

void Journal::commit(Manifest manifest, Cluster& cluster) {
  manifest.parts = log_->seal(manifest.levels.size() + 1);
  if (manifest.level_states == 0 && !manifest.levels.empty()) manifest.extras = extras_;
  write(manifest, cluster);
  remove_older(std::exchange(committed_, manifest.generation), manifest.parts);
  committed_extras_ = manifest.extras;
  last_ = Clock::now();
  cost_seconds_ = seconds_since(asked_);
}

void Journal::decide(const Session& session) {
  Manifest manifest = manifest_of(session);
  manifest.decided = true;
  if (!is_written_by_all(manifest, session.cluster)) return;
  try {
    newest_.record(manifest.generation);
  } catch (const Error&) {
    return;  // a manifest that is newer than the newest counts all the same
  }
  committed_ = manifest.generation;
  extras_.clear();
  committed_extras_.clear();
  remove_older(committed_, {});
}

bool Journal::is_written_by_all(const Manifest& manifest, Cluster& cluster) {
  bool is_written = false;
  try {
    files_.write(manifest);
    is_written = true;
  } catch (const Error&) {
  }
  return !cluster.any(!is_written);
}

bool Journal::has_extra(std::uint64_t file) const {
  const auto is = [&](const Manifest::Extra& extra) { return extra.file == file; };
  return std::ranges::any_of(extras_, is) || std::ranges::any_of(committed_extras_, is);
}

void Journal::drop_extra(const std::string& what) {
  std::erase_if(extras_, [&](const Manifest::Extra& extra) { return extra.what == what; });
}

void Journal::keep_extra(const std::string& what,
                         const std::function<void(const PutBytes&)>& fill) {
  Manifest::Extra made = write_extra(disk_, *budget_, log_->form(), what, next_extra_++, fill);
  drop_extra(what);
  extras_.push_back(std::move(made));
}

bool Journal::read_extra(const std::string& what, const std::function<void(const GetBytes&)>& use) {
  for (const Manifest::Extra& extra : extras_) {
    if (extra.what != what) continue;
    spillway::read_extra(disk_, *budget_, log_->form(), extra, use);
    return true;
  }
  return false;
}

// What neither the newest checkpoint nor the one before it speaks of.  That something cannot be
// removed is no harm.
void Journal::remove_older(std::uint64_t before, const std::vector<LevelLog::LogFile>& parts) {
  const auto counts = [&](std::uint64_t file) {
    return std::ranges::any_of(parts,
                               [&](const LevelLog::LogFile& part) { return part.file == file; });
  };
  const auto is_needed = [&](const RunFile& file) {
    switch (file.kind) {
      case RunFile::Kind::manifest:
      case RunFile::Kind::unfinished_manifest:
        return file.number == committed_ || file.number == before;
      case RunFile::Kind::log: return counts(file.number);
      case RunFile::Kind::extra: return has_extra(file.number);
      default: return true;
    }
  };
  for (const std::string& name : disk_.list()) {
    const std::optional<RunFile> file = run_file(name);
    if (!file || file->product || is_needed(*file)) continue;
    try {
      disk_.remove(name);
    } catch (const Error&) {
    }
  }
}

}  // namespace spillway
