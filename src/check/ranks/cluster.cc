#include "check/ranks/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/error.h"
#include "base/process/machine.h"

namespace spillway {
namespace {

constexpr double kSignsBeforeSilence = 20;  // twice as often as they are sent

Digest read_digest(PacketReader& reader) {
  const std::optional<Digest> digest = Digest::from_hex(reader.text());
  if (!digest) throw Error(Fault::integrity, "a rank has sent a digest that is none");
  return *digest;
}

// A number that stands for one of a few things, up to `last`.
template <class Kind>
Kind kind_of(std::uint64_t number, Kind last) {
  if (number > static_cast<std::uint64_t>(last))
    throw Error(Fault::integrity, "a rank has sent a number that stands for nothing");
  return static_cast<Kind>(number);
}

using Rows = std::vector<std::vector<Word>>;

void put_rows(Packet& packet, const Rows& rows) {
  packet.put(rows.size());
  for (const std::vector<Word>& row : rows) packet.put(row);
}

Rows read_rows(PacketReader& reader) {
  Rows rows;
  for (std::uint64_t left = reader.number(); left > 0; --left) rows.push_back(reader.numbers());
  return rows;
}

void put(Packet& packet, const LevelAccount& account) {
  packet.put(account.level.states);
  packet.put(account.level.transitions);
  packet.put(account.level.digest.hex());
  packet.put(account.next_states);
  packet.put(static_cast<std::uint64_t>(account.refused + 1));
  packet.put(account.findings.size());
  for (const Finding& finding : account.findings) put(packet, finding);
  packet.put(account.covered);
}

LevelAccount read_account(PacketReader& reader) {
  LevelAccount account;
  account.level.states = reader.number();
  account.level.transitions = reader.number();
  account.level.digest = read_digest(reader);
  account.next_states = reader.number();
  const std::optional<Stop> refused = stop_of(reader.number());
  account.refused = refused ? static_cast<int>(*refused) : -1;
  for (std::uint64_t left = reader.number(); left > 0; --left)
    account.findings.push_back(read_finding(reader));
  account.covered = reader.numbers();
  return account;
}

}  // namespace

std::uint64_t number_of(std::optional<Stop> stop) {
  return stop ? static_cast<std::uint64_t>(*stop) + 1 : 0;
}

std::optional<Stop> stop_of(std::uint64_t number) {
  if (number == 0) return {};
  return kind_of(number - 1, Stop::lost);
}

Cluster::Network::Network(Transport& transport, const ClusterSettings& settings)
    : peers(transport, {settings.check, settings.silent_seconds}),
      exchange(peers, settings.exchange) {
  const std::chrono::duration<double> pause(settings.silent_seconds / kSignsBeforeSilence);
  life = std::jthread([this, pause](const std::stop_token& over) {
    std::mutex mutex;
    std::condition_variable_any waiting;
    std::unique_lock lock(mutex);
    while (!waiting.wait_for(lock, over, pause, [&] { return over.stop_requested(); })) show_life();
  });
}

Cluster::Cluster() = default;
Cluster::Cluster(Transport& transport, const ClusterSettings& settings)
    : network_(std::make_unique<Network>(transport, settings)) {}
Cluster::~Cluster() = default;

Cluster& Cluster::alone() {
  static Cluster alone;
  return alone;
}

// While this rank is busy with something else, such as a slow disk.
void Cluster::Network::show_life() {
  try {
    peers.pump();
  } catch (const Error&) {
    // Whoever waits for the other ranks will hear of it.
  }
}

void Cluster::expect_same(const std::string& what) {
  const std::vector<std::string> all = told(what);
  for (unsigned rank = 0; rank < ranks(); ++rank)
    if (all[rank] != all.front())
      refuse({Fault::usage,
              fmt::format("rank {} has another program, model or options than rank 0: all "
                          "ranks must be started alike",
                          rank)});
}

void Cluster::refuse(const Error& error) {
  end();
  throw error;
}

void Cluster::go_on_with(const std::function<void()>& work) {
  if (ranks() == 1) return work();
  sum(0);
  try {
    work();
  } catch (const Error&) {
  }
}

std::vector<std::string> Cluster::told(const std::string& own) {
  Packet packet;
  packet.put(own);
  std::vector<std::string> all;
  for (const std::vector<std::byte>& part : gather(packet))
    all.push_back(PacketReader(part).text());
  return all;
}

void Cluster::let_first(const std::function<void()>& work) {
  std::optional<Error> failure;
  if (rank() == 0) try {
      work();
    } catch (const Error& error) {
      failure = error;
    }
  Packet own;
  own.put(failure ? static_cast<std::uint64_t>(failure->fault()) + 1 : 0);
  own.put(failure ? std::string(failure->what()) : "");
  const std::vector<std::vector<std::byte>> all = gather(own);
  PacketReader first(all.front());
  const std::uint64_t fault = first.number();
  if (fault == 0) return;
  const std::string what = first.text();
  refuse({kind_of(fault - 1, Fault::internal), rank() == 0 ? what : "on rank 0: " + what});
}

std::vector<std::vector<std::byte>> Cluster::gather(const Packet& own) {
  if (network_) return network_->peers.gather(own.bytes());
  const std::span<const std::byte> bytes = own.bytes();
  return {{bytes.begin(), bytes.end()}};
}

std::uint64_t Cluster::sum(std::uint64_t own) {
  if (network_) network_->peers.add_up({&own, 1});
  return own;
}

std::uint64_t Cluster::most(std::uint64_t own) {
  Packet packet;
  packet.put(own);
  for (const std::vector<std::byte>& part : gather(packet))
    own = std::max(own, PacketReader(part).number());
  return own;
}

bool Cluster::is_left() {
  if (!network_) return false;
  network_->peers.pump();
  return network_->peers.is_left();
}

void Cluster::set_gauge(Gauge gauge) {
  const std::lock_guard lock(mutex_);
  gauge_ = std::move(gauge);
}

void Cluster::set_states(std::uint64_t own) {
  const std::lock_guard lock(mutex_);
  states_ = own;
}

void Cluster::know(std::vector<RankFigures> told) {
  const std::lock_guard lock(mutex_);
  told_ = std::move(told);
}

RankFigures Cluster::own_figures() {
  RankFigures own;
  own.memory_bytes = resident_bytes();
  own.peak_memory_bytes = peak_resident_bytes();
  own.bytes_sent = exchange().bytes_sent();
  own.bytes_received = exchange().bytes_received();
  own.waited_milliseconds = peers().waited_milliseconds();
  const std::lock_guard lock(mutex_);
  own.states = states_;
  if (gauge_) gauge_(own);
  return own;
}

std::vector<RankFigures> Cluster::figures() {
  if (!network_) return {};
  const RankFigures own = own_figures();
  const std::lock_guard lock(mutex_);
  std::vector<RankFigures> all = told_;
  all[rank()] = own;
  return all;
}

void Cluster::leave() {
  if (!network_) return;
  network_->peers.leave();
  network_->exchange.abandon();
}

void Cluster::end() {
  if (!network_) return;
  network_->life = {};
  network_->peers.end();
}

LevelAccount agree_on(Cluster& cluster, const LevelAccount& own) {
  if (cluster.ranks() == 1) {
    cluster.set_states(own.own_states);
    LevelAccount same;
    same.level = own.level;
    same.next_states = own.next_states;
    return same;
  }
  Packet packet;
  put(packet, own);
  cluster.set_states(own.own_states);
  put(packet, cluster.own_figures());
  LevelAccount all;
  std::vector<RankFigures> figures;
  for (const std::vector<std::byte>& part : cluster.gather(packet)) {
    PacketReader reader(part);
    const LevelAccount one = read_account(reader);
    figures.push_back(read_figures(reader));
    all.level += one.level;
    all.next_states += one.next_states;
    if (one.refused >= 0)
      all.refused = all.refused < 0 ? one.refused : std::min(all.refused, one.refused);
    all.findings.insert(all.findings.end(), one.findings.begin(), one.findings.end());
    all.covered.insert(all.covered.end(), one.covered.begin(), one.covered.end());
  }
  all.elsewhere = all.level.states + all.next_states - own.level.states - own.next_states;
  cluster.know(std::move(figures));
  return all;
}

std::uint64_t agree_on(Cluster& cluster, std::vector<Level>& levels, std::uint64_t level_states) {
  if (cluster.ranks() == 1) return level_states;
  Packet packet;
  packet.put(level_states);
  packet.put(levels.size());
  for (const Level& level : levels) {
    packet.put(level.states);
    packet.put(level.transitions);
    packet.put(level.digest.hex());
  }
  level_states = 0;
  const std::size_t count = levels.size();
  levels.assign(count, {});
  for (const std::vector<std::byte>& part : cluster.gather(packet)) {
    PacketReader reader(part);
    level_states += reader.number();
    if (reader.number() != count)
      throw Error(Fault::integrity, "the ranks have checkpoints of different levels");
    for (Level& level : levels) {
      level.states += reader.number();
      level.transitions += reader.number();
      level.digest.add(read_digest(reader));
    }
  }
  return level_states;
}

Ending agree_on(Cluster& cluster, const Ending& own) {
  if (cluster.ranks() == 1) {
    Ending same = own;
    same.findings.clear();
    return same;
  }
  Packet packet;
  packet.put(own.search_returned ? 1 : 0);
  packet.put(own.goals_decided ? 1 : 0);
  packet.put(number_of(own.stop));
  packet.put(own.fault ? static_cast<std::uint64_t>(*own.fault) + 1 : 0);
  packet.put(own.fault_sentence);
  packet.put(own.no_room);
  packet.put(own.findings.size());
  for (const Finding& finding : own.findings) put(packet, finding);
  packet.put(own.damage);
  put(packet, cluster.own_figures());

  Ending all;
  std::vector<RankFigures> figures;
  all.search_returned = all.goals_decided = true;
  const std::vector<std::vector<std::byte>> parts = cluster.gather(packet);
  for (unsigned rank = 0; rank < cluster.ranks(); ++rank) {
    PacketReader reader(parts[rank]);
    all.search_returned = reader.number() != 0 && all.search_returned;
    all.goals_decided = reader.number() != 0 && all.goals_decided;
    const std::optional<Stop> stop = stop_of(reader.number());
    const std::uint64_t fault = reader.number();
    const std::string on_rank = fmt::format("on rank {}: ", rank);
    const std::string fault_sentence = reader.text();
    const std::string no_room = reader.text();
    if (!all.stop) all.stop = stop;
    if (fault != 0 && !all.fault) {
      all.fault = kind_of(fault - 1, Fault::internal);
      all.fault_sentence = on_rank + fault_sentence;
    }
    if (!no_room.empty() && all.no_room.empty()) all.no_room = on_rank + no_room;
    for (std::uint64_t left = reader.number(); left > 0; --left)
      all.findings.push_back(read_finding(reader));
    const std::string damage = reader.text();
    if (!damage.empty() && all.damage.empty()) all.damage = on_rank + damage;
    figures.push_back(read_figures(reader));
  }
  cluster.know(std::move(figures));
  return all;
}

Observed agree_on(Cluster& cluster, const Observed& own) {
  if (cluster.ranks() == 1) return own;
  Packet packet;
  packet.put(own.counters);
  packet.put(std::vector<std::uint64_t>(own.marks.begin(), own.marks.end()));
  Observed all;
  for (const std::vector<std::byte>& part : cluster.gather(packet)) {
    PacketReader reader(part);
    Observed one;
    one.counters = reader.numbers();
    for (const std::uint64_t mark : reader.numbers()) one.marks.push_back(mark != 0);
    all.take(one);
  }
  return all;
}

void put(Packet& packet, const Finding& finding) {
  packet.put(static_cast<std::uint64_t>(finding.kind));
  packet.put(finding.property);
  packet.put(finding.depth);
  packet.put(finding.row);
  put_rows(packet, finding.stem);
  put_rows(packet, finding.loop);
  packet.put(finding.minimal ? 1 : 0);
  packet.put(finding.formula);
  packet.put(finding.partial ? 1 : 0);
  packet.put(finding.failure ? 1 : 0);
  if (!finding.failure) return;
  const Failure& failure = *finding.failure;
  packet.put(failure.rule);
  packet.put(failure.assertion ? std::uint64_t{*failure.assertion} + 1 : 0);
  packet.put(failure.message);
  packet.put(failure.position.line);
  packet.put(failure.position.column);
  packet.put(failure.position.from);
  packet.put(failure.position.to);
}

Finding read_finding(PacketReader& reader) {
  Finding finding = {};
  finding.kind = kind_of(reader.number(), PropertyKind::ctl);
  finding.property = static_cast<PropertyIndex>(reader.number());
  finding.depth = reader.number();
  finding.row = reader.numbers();
  finding.stem = read_rows(reader);
  finding.loop = read_rows(reader);
  finding.minimal = reader.number() != 0;
  finding.formula = reader.text();
  finding.partial = reader.number() != 0;
  if (reader.number() == 0) return finding;
  Failure& failure = finding.failure.emplace();
  failure.rule = static_cast<RuleIndex>(reader.number());
  if (const std::uint64_t assertion = reader.number(); assertion != 0)
    failure.assertion = static_cast<PropertyIndex>(assertion - 1);
  failure.message = reader.text();
  failure.position.line = static_cast<std::uint32_t>(reader.number());
  failure.position.column = static_cast<std::uint32_t>(reader.number());
  failure.position.from = static_cast<std::uint32_t>(reader.number());
  failure.position.to = static_cast<std::uint32_t>(reader.number());
  return finding;
}

}  // namespace spillway
