#include "report/trace/state_text.h"

#include <gtest/gtest.h>

namespace spillway {
namespace {

using Lines = std::vector<std::string>;
using Kind = StatePart::Kind;

StatePart scalar(std::string name, std::string value) {
  return {std::move(name), Kind::scalar, std::move(value)};
}
StatePart undefined(std::string name) {
  return {std::move(name), Kind::scalar, "undefined", false};
}
StatePart record(std::string name, std::vector<StatePart> fields) {
  return {std::move(name), Kind::record, "", true, std::move(fields)};
}
StatePart array(std::string name, std::vector<StatePart> elements) {
  return {std::move(name), Kind::array, "", true, std::move(elements)};
}
StatePart bag(std::string name, std::vector<StatePart> elements) {
  return {std::move(name), Kind::bag, "", true, std::move(elements)};
}
StatePart message(std::string kind, std::string from) {
  return record(
      "", {scalar("kind", std::move(kind)), scalar("from", std::move(from)), undefined("data")});
}
StatePart nothing(std::string name) {
  return record(std::move(name), {undefined("a"), undefined("b")});
}

TEST(StateText, ARecordIsOneLineWithoutWhatIsUndefined) {
  EXPECT_EQ(state_lines({record("m", message("Get", "p1").parts)}),
            Lines{"m: {kind=Get, from=p1}"});
  EXPECT_EQ(state_lines({nothing("m")}), Lines{"m: undefined"});
  EXPECT_EQ(state_lines({scalar("x", "3"), undefined("y")}), (Lines{"x: 3", "y: undefined"}));
}

TEST(StateText, ALongRecordHasALineForEachField) {
  const std::string longer(90, 'v');
  EXPECT_EQ(state_lines({record("r", {scalar("a", longer), scalar("b", longer)})}),
            (Lines{"r.a: " + longer, "r.b: " + longer}));
}

TEST(StateText, EqualNeighboursShareALine) {
  EXPECT_EQ(state_lines({array("c", {nothing("1"), nothing("2"), nothing("3")})}),
            Lines{"c[1..3]: all undefined"});
  EXPECT_EQ(state_lines({array("c", {scalar("p1", "I"), scalar("p2", "S"), scalar("p3", "I"),
                                     scalar("p4", "I")})}),
            (Lines{"c[p1]: I", "c[p2]: S", "c[p3..p4]: all I"}));
  const auto row = [](std::string name) {
    return array(std::move(name), {scalar("x", "0"), scalar("y", "1")});
  };
  EXPECT_EQ(state_lines({array("t", {row("1"), row("2")})}),
            (Lines{"t[1..2][x]: all 0", "t[1..2][y]: all 1"}));
}

TEST(StateText, AMultisetIsOneLine) {
  EXPECT_EQ(state_lines({bag("net", {})}), Lines{"net: empty"});
  EXPECT_EQ(
      state_lines({bag("net", {message("Get", "p1"), message("Put", "p2"), message("Get", "p1")})}),
      Lines{"net: 2 x {kind=Get, from=p1}, {kind=Put, from=p2}"});
}

TEST(ChangeText, OfScalarsAndFields) {
  EXPECT_EQ(change_lines({scalar("x", "1")}, {scalar("x", "2")}), Lines{"x: 1 -> 2"});
  EXPECT_EQ(change_lines({scalar("x", "1")}, {scalar("x", "1")}), Lines{});
  EXPECT_EQ(change_lines({undefined("x")}, {scalar("x", "1")}), Lines{"x: undefined -> 1"});
  const auto cell = [](std::string state, std::string data) {
    return record("c", {scalar("state", std::move(state)), scalar("data", std::move(data))});
  };
  EXPECT_EQ(change_lines({cell("I", "0")}, {cell("S", "0")}), Lines{"c.state: I -> S"});
  EXPECT_EQ(change_lines({cell("I", "0")}, {cell("S", "7")}),
            Lines{"c: state: I -> S, data: 0 -> 7"});
}

TEST(ChangeText, WhatComesAndGoesIsShownWhole) {
  const StatePart some = record("m", message("Get", "p1").parts);
  const StatePart none = record("m", {undefined("kind"), undefined("from"), undefined("data")});
  EXPECT_EQ(change_lines({none}, {some}), Lines{"m: undefined -> {kind=Get, from=p1}"});
  EXPECT_EQ(change_lines({some}, {none}), Lines{"m: {kind=Get, from=p1} -> undefined"});
}

TEST(ChangeText, OfAMultiset) {
  const StatePart get = message("Get", "p1"), put = message("Put", "p2");
  EXPECT_EQ(change_lines({bag("net", {})}, {bag("net", {get})}),
            Lines{"net: +{kind=Get, from=p1}"});
  EXPECT_EQ(change_lines({bag("net", {get, get})}, {bag("net", {get, put})}),
            Lines{"net: +{kind=Put, from=p2} -{kind=Get, from=p1}"});
  EXPECT_EQ(change_lines({bag("net", {get, put})}, {bag("net", {put, get})}), Lines{})
      << "it has no order";
}

TEST(ChangeText, EqualNeighboursShareALine) {
  const auto cells = [](std::string a, std::string b, std::string c) {
    return array("c",
                 {scalar("1", std::move(a)), scalar("2", std::move(b)), scalar("3", std::move(c))});
  };
  EXPECT_EQ(change_lines({cells("S", "S", "I")}, {cells("I", "I", "I")}), Lines{"c[1..2]: S -> I"});
  EXPECT_EQ(change_lines({cells("S", "I", "S")}, {cells("I", "I", "I")}),
            (Lines{"c[1]: S -> I", "c[3]: S -> I"}));
}

TEST(ChangeText, OfAVariableThatWasNotThere) {
  EXPECT_EQ(change_lines({scalar("x", "1")}, {scalar("y", "1"), scalar("z", "2")}),
            (Lines{"y: 1", "z: 2"}));
}

TEST(StateText, DoesNotObeyNames) {
  for (const std::string& line :
       state_lines({scalar("\x1b[2J", "\x1b[31m"), array("a", {scalar("\x1b", "\n")}),
                    record("r", {scalar("\r", "\x07")})}))
    EXPECT_EQ(line.find_first_of("\x1b\n\r\x07"), std::string::npos) << line;
}

}  // namespace
}  // namespace spillway
