// What is kept of the things found wrong in a level.
#include <gtest/gtest.h>

#include "check/facts/expect_state.h"
#include "check/ranks/cluster.h"
#include "check/session/session.h"
#include "language/graph/graph_model.h"
#include "unit/caught.h"
#include "unit/check/failing_start.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;

// Expands the states as one level, in this order; it must end the search.
std::vector<Finding> found(const Model& model, const std::vector<Word>& states,
                           Deadlock deadlock = Deadlock::off) {
  SessionOptions options;
  options.deadlock = deadlock;
  Session session(model, options);
  session.levels.begin(states.size());
  for (const Word s : states) session.expanders[0].expand(Row{s});
  EXPECT_THROW(session.levels.end_level(1), Finished);
  EXPECT_FALSE(session.lookout.stop());
  EXPECT_EQ(session.levels.counts().states, states.size()) << "the whole level is looked at";
  return session.findings.all();
}

TEST(Findings, OfTheSameKindTheSmallestStateIsKept) {
  const GraphModel graph("g", "initial a b c d\nbad b c d\n");
  for (const std::vector<Word>& order :
       {std::vector<Word>{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 1, 3}}) {
    const std::vector<Finding> all = found(graph, order);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].row, Row{1});
    EXPECT_EQ(all[0].kind, PropertyKind::invariant);
    EXPECT_EQ(all[0].depth, 0U);
  }
}

TEST(Findings, OfARankHaveAKindThatExists) {
  for (const std::uint64_t number : {0U, 3U, 7U, 8U, 255U}) {
    Packet packet;
    Finding finding = {};
    finding.kind = static_cast<PropertyKind>(number);
    put(packet, finding);
    const auto read = [&] {
      PacketReader reader(packet.bytes());
      return read_finding(reader).kind;
    };
    const auto refused = caught([&] { read(); });
    EXPECT_EQ(refused.has_value(), number > static_cast<std::uint64_t>(PropertyKind::ctl))
        << number;
    if (refused)
      EXPECT_EQ(refused->fault(), Fault::integrity);
    else
      EXPECT_EQ(static_cast<std::uint64_t>(read()), number);
  }
}

// What refers to a property or a reason that there is not must not become an index.
TEST(Findings, OfARankReferToWhatThereIs) {
  const GraphModel graph("g", "initial a\nbad a\n");
  const auto properties = static_cast<PropertyIndex>(graph.properties().size());
  for (const PropertyKind kind : {PropertyKind::invariant, PropertyKind::assertion,
                                  PropertyKind::cover, PropertyKind::reachable}) {
    const auto refused = [&](PropertyIndex property) {
      return caught([&] { expect_states(graph, {.kind = kind, .property = property, .row = {}}); });
    };
    EXPECT_FALSE(refused(properties - 1));
    for (const PropertyIndex property : {properties, PropertyIndex{1} << 20})
      ASSERT_TRUE(refused(property));
    EXPECT_EQ(refused(properties)->fault(), Fault::integrity);
  }
  EXPECT_EQ(stop_of(0), std::nullopt);
  EXPECT_EQ(stop_of(static_cast<std::uint64_t>(Stop::lost) + 1), Stop::lost);
  for (const std::uint64_t number : {11U, 255U}) EXPECT_TRUE(caught([&] { stop_of(number); }));
}

TEST(Findings, EachPropertyHasItsOwn) {
  const GraphModel graph("g", "initial a b c\nbad p: c\nbad q: b c\nbad never: z\n");
  const std::vector<Finding> all = found(graph, {2, 1, 0});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].property, 0U);
  EXPECT_EQ(all[0].row, Row{2});
  EXPECT_EQ(all[1].property, 1U);
  EXPECT_EQ(all[1].row, Row{1});
}

TEST(Findings, AreOrderedByKindThenByProperty) {
  const GraphModel graph(
      "g", "initial a b c d\nassert r: a\nerror b : m\nbad q: c\nbad p: d\nassert s: c\na -> a\n");
  const std::vector<Finding> all = found(graph, {0, 1, 2, 3}, Deadlock::stuck);
  ASSERT_EQ(all.size(), 6U);
  const std::vector<std::pair<PropertyKind, PropertyIndex>> order = {
      {PropertyKind::invariant, 1}, {PropertyKind::invariant, 2}, {PropertyKind::assertion, 0},
      {PropertyKind::assertion, 3}, {PropertyKind::deadlock, 0},  {PropertyKind::runtime_error, 0}};
  for (std::size_t i = 0; i < order.size(); ++i)
    EXPECT_EQ(std::pair(all[i].kind, all[i].property), order[i]);
}

TEST(Findings, KnowTheirDepthAndFailure) {
  const GraphModel graph("g", "initial a\na -> b\nerror b : \"division by zero\"\n");
  Session session(graph, {});
  session.levels.begin(1);
  session.expanders[0].expand(Row{0});
  session.levels.end_level(1);
  session.expanders[0].expand(Row{1});
  EXPECT_TRUE(session.levels.discarding()) << "successors need not be stored any more";
  EXPECT_THROW(session.levels.end_level(0), Finished);
  ASSERT_EQ(session.findings.all().size(), 1U);
  EXPECT_EQ(session.findings.all()[0].depth, 1U);
  ASSERT_TRUE(session.findings.all()[0].failure);
  EXPECT_EQ(session.findings.all()[0].failure->message, "division by zero");
}

TEST(Findings, AStateWhoseOnlyRuleFailsIsNoDeadlock) {
  const GraphModel graph("g", "initial a\nerror a : m\n");
  const std::vector<Finding> all = found(graph, {0}, Deadlock::stuck);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind, PropertyKind::runtime_error);
}

TEST(Findings, AStartThatFailsEndsTheSearchAtOnce) {
  for (const bool assertion : {false, true}) {
    const FailingStart model(
        Failure{0, assertion ? std::optional<PropertyIndex>(0) : std::nullopt, "broken"});
    Session session(model, {});
    EXPECT_THROW(session.expanders.initial(), Finished);
    ASSERT_EQ(session.findings.all().size(), 1U);
    EXPECT_EQ(session.findings.all()[0].kind,
              assertion ? PropertyKind::assertion : PropertyKind::runtime_error);
    EXPECT_TRUE(session.findings.all()[0].row.empty());
    EXPECT_EQ(session.findings.all()[0].failure->message, "broken");
  }
}

bool deadlock(Deadlock convention, const Row& successors) {
  return is_deadlock(convention, Row{7}, States(successors.data(), successors.size(), 1));
}

TEST(IsDeadlock, Off) {
  EXPECT_FALSE(deadlock(Deadlock::off, {}));
  EXPECT_FALSE(deadlock(Deadlock::off, {7}));
}

TEST(IsDeadlock, StuckIsNoSuccessor) {
  EXPECT_TRUE(deadlock(Deadlock::stuck, {}));
  EXPECT_FALSE(deadlock(Deadlock::stuck, {7}));
  EXPECT_FALSE(deadlock(Deadlock::stuck, {8}));
}

TEST(IsDeadlock, StutteringIsNoSuccessorButItself) {
  EXPECT_TRUE(deadlock(Deadlock::stuttering, {}));
  EXPECT_TRUE(deadlock(Deadlock::stuttering, {7, 7}));
  EXPECT_FALSE(deadlock(Deadlock::stuttering, {7, 8}));
  EXPECT_FALSE(deadlock(Deadlock::stuttering, {8}));
}

}  // namespace
}  // namespace spillway
