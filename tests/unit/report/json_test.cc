// The names of the JSON document are a promise.
#include "report/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/version.h"
#include "unit/report/results.h"

namespace spillway {
namespace {

using Json = nlohmann::json;

const GraphModel kModel("lock.graph",
                        "initial a\na -> b : go\nbad mutex: b\nassert sorted: b\nb -> a\n");

Json json_of(const CheckResult& result, const Subject& subject = subject_of(kModel),
             int exit_code = 0) {
  return Json::parse(to_json(subject, result, exit_code));
}

CheckResult verified() {
  CheckResult result = result_with(Outcome::verified, Exit::verified, "exhaustive, exact");
  Digest digest;
  const Word one = 1;
  digest.add({&one, 1});
  result.statistics.add({1, 2, digest});
  result.statistics.add({3, 4, {}});
  result.statistics.disk_bytes_read = 10;
  result.statistics.disk_bytes_written = 20;
  return result;
}

void expect_promised_names(const Json& json) {
  EXPECT_TRUE(json.at("verdict").is_string());
  EXPECT_TRUE(json.at("reason").is_string());
  EXPECT_TRUE(json.at("exit_code").is_number_integer());
  EXPECT_TRUE(json.at("properties").is_array());
  for (const char* count : {"states", "transitions", "depth", "threads", "peak_memory_bytes",
                            "disk_bytes_written", "disk_bytes_read"})
    EXPECT_TRUE(json.at(count).is_number_unsigned()) << count;
  EXPECT_TRUE(json.at("levels").is_array());
  EXPECT_TRUE(json.at("digest").is_string());
  EXPECT_TRUE(json.at("level_digests").is_array());
  EXPECT_TRUE(json.at("algorithm").is_string());
  EXPECT_TRUE(json.at("seconds").is_number());
  EXPECT_TRUE(json.at("model").at("path").is_string());
  EXPECT_TRUE(json.at("model").contains("sha256"));
  EXPECT_TRUE(json.at("model").contains("row_bits"));
  EXPECT_EQ(json.at("spillway").at("version"), kVersion);
}

TEST(Json, HasEveryPromisedName) {
  expect_promised_names(json_of(verified()));
  expect_promised_names(
      json_of(result_with(Outcome::error, Exit::model, "r"), subject_without_model()));
}

TEST(Json, SaysWhatTheResultSays) {
  const Json json = json_of(verified());
  EXPECT_EQ(json["verdict"], "verified");
  EXPECT_EQ(json["reason"], "exhaustive, exact");
  EXPECT_EQ(json["states"], 4);
  EXPECT_EQ(json["transitions"], 6);
  EXPECT_EQ(json["depth"], 1);
  EXPECT_EQ(json["levels"], Json({1, 3}));
  EXPECT_EQ(json["digest"], "bdc94bce2eda264dbc08dc21994df8a2");
  EXPECT_EQ(json["level_digests"],
            Json({"bdc94bce2eda264dbc08dc21994df8a2", std::string(32, '0')}));
  EXPECT_EQ(json["algorithm"], "ram");
  EXPECT_EQ(json["threads"], 2);
  EXPECT_EQ(json["seconds"], 0.04);
  EXPECT_EQ(json["peak_memory_bytes"], 5 << 20);
  EXPECT_EQ(json["disk_bytes_read"], 10);
  EXPECT_EQ(json["disk_bytes_written"], 20);
  EXPECT_EQ(json["model"]["path"], "models/some.graph");
  EXPECT_EQ(json["model"]["sha256"], "00ff");
  EXPECT_EQ(json["model"]["row_bits"], 1);
}

TEST(Json, VerdictsHaveOneWordEach) {
  const auto word = [](Outcome outcome) {
    return json_of(result_with(outcome, Exit::internal, "r"))["verdict"];
  };
  EXPECT_EQ(word(Outcome::verified), "verified");
  EXPECT_EQ(word(Outcome::verified_probabilistic), "verified-probabilistic");
  EXPECT_EQ(word(Outcome::violated), "violated");
  EXPECT_EQ(word(Outcome::inconclusive), "inconclusive");
  EXPECT_EQ(word(Outcome::error), "error");
}

TEST(Json, TheExitCodeIsThatOfTheProcess) {
  EXPECT_EQ(json_of(verified(), subject_of(kModel), 7)["exit_code"], 7);
}

TEST(Json, PropertiesHaveNameKindVerdictAndDepth) {
  CheckResult result = result_with(Outcome::violated, Exit::invariant, "r");
  result.traces = {trace_through({0, 1}, PropertyKind::invariant, 0)};
  Subject subject = subject_of(kModel);
  subject.deadlock = Deadlock::stuck;
  const Json all = json_of(result, subject)["properties"];
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0]["name"], "mutex");
  EXPECT_EQ(all[0]["kind"], "invariant");
  EXPECT_EQ(all[0]["verdict"], "violated");
  EXPECT_EQ(all[0]["depth"], 1);
  EXPECT_EQ(all[0]["line"], 3);
  EXPECT_EQ(all[0]["column"], 1);
  EXPECT_EQ(all[0]["counterexample"], Json::parse(R"([
      {"rule": "start", "rule_name": "start", "parameters": {}, "rule_line": null,
       "state": {"state": "a"}},
      {"rule": "go", "rule_name": "go", "parameters": {}, "rule_line": null,
       "state": {"state": "b"}}])"));
  EXPECT_EQ(all[1]["name"], "sorted");
  EXPECT_EQ(all[1]["kind"], "assertion");
  EXPECT_EQ(all[1]["verdict"], "inconclusive");
  EXPECT_TRUE(all[1].at("depth").is_null());
  EXPECT_EQ(all[2]["kind"], "deadlock");
  EXPECT_EQ(all[3]["kind"], "runtime-error");
}

TEST(Json, AFailureHasItsRuleAndMessage) {
  CheckResult result = result_with(Outcome::violated, Exit::runtime_error, "r");
  result.traces = {trace_through({0}, PropertyKind::runtime_error, 0)};
  result.traces[0].finding.failure = Failure{0, {}, "division by zero"};
  const Json property = json_of(result)["properties"].back();
  EXPECT_EQ(property["kind"], "runtime-error");
  EXPECT_EQ(property["message"], "division by zero");
  EXPECT_EQ(property["rule"], "go");
}

TEST(Json, SaysWhatWasAskedFor) {
  Subject subject = subject_of(kModel);
  subject.command = {"spillway", "check", "m", "--const", "N=4"};
  subject.commit = "0123456789ab";
  subject.constants = {{"N", 4}};
  subject.options = {{"const", {"N=4"}, true}, {"threads", {"2"}, false}, {"verify", {}, false}};
  subject.deadlock = Deadlock::stuttering;
  const Json json = json_of(verified(), subject);
  EXPECT_EQ(json["command"], Json({"spillway", "check", "m", "--const", "N=4"}));
  EXPECT_EQ(json["spillway"]["commit"], "0123456789ab");
  EXPECT_EQ(json["constants"], Json::parse(R"({"N": 4})"));
  EXPECT_EQ(json["options"], Json::parse(R"({"const": ["N=4"], "threads": "2", "verify": true})"));
  EXPECT_EQ(json["deadlock"], "stuttering");
  EXPECT_TRUE(json_of(verified())["spillway"]["commit"].is_null());
  EXPECT_EQ(json_of(verified())["options"], Json::object());
}

TEST(Json, WithoutAModelWhatIsNotKnownIsNull) {
  const Json json = json_of(result_with(Outcome::error, Exit::model, "r"), subject_without_model());
  EXPECT_EQ(json["model"]["path"], "no/such.graph");
  EXPECT_TRUE(json["model"]["sha256"].is_null());
  EXPECT_TRUE(json["model"]["row_bits"].is_null());
  EXPECT_TRUE(json["properties"].empty());
  EXPECT_TRUE(json["levels"].empty());
}

TEST(Json, CountsAreExactAtEverySize) {
  for (const std::uint64_t size :
       {std::uint64_t{1} << 31, std::uint64_t{1} << 32, (std::uint64_t{1} << 53) + 1,
        std::uint64_t{1000000000000}, (std::uint64_t{1} << 63) + 1}) {
    CheckResult result = result_with(Outcome::verified, Exit::verified, "r");
    result.statistics.add({size, size, {}});
    const Json json = json_of(result);
    EXPECT_EQ(json["states"].get<std::uint64_t>(), size);
    EXPECT_EQ(json["transitions"].get<std::uint64_t>(), size);
    EXPECT_EQ(json["levels"][0].get<std::uint64_t>(), size);
  }
}

TEST(Json, AnUnfinishedLevelIsApart) {
  CheckResult result = result_with(Outcome::inconclusive, Exit::time, "r");
  EXPECT_TRUE(json_of(result).at("unfinished").is_null());
  result.statistics.unfinished = Unfinished{3, 100, 40};
  EXPECT_EQ(json_of(result)["unfinished"],
            Json::parse(R"({"level": 3, "states": 100, "expanded": 40})"));
}

TEST(Json, NamesThatAreNoUtf8GiveAValidDocument) {
  const GraphModel graph("\xff\xfe.graph",
                         "initial \"\xc3(\"\n\"\xc3(\" -> b : \"\x80\"\nbad \"\xf0\x9f\": b\n");
  CheckResult result = result_with(Outcome::violated, Exit::invariant, "\xff");
  result.traces = {trace_through({0, 1}, PropertyKind::invariant, 0)};
  Subject subject = subject_of(graph);
  subject.path = "\xfe";
  const std::string text = to_json(subject, result, 12);
  EXPECT_TRUE(Json::accept(text));
  EXPECT_EQ(text.find('\xff'), std::string::npos);
  EXPECT_EQ(text.find('\x80' + std::string("\"")), std::string::npos);
}

TEST(Json, LeavesOutStepsInTheMiddleIfThereIsNoRoom) {
  CheckResult result = result_with(Outcome::violated, Exit::invariant, "r");
  std::vector<Word> states(1001);
  for (std::size_t i = 0; i < states.size(); ++i) states[i] = i % 2;
  result.traces = {trace_through(states, PropertyKind::invariant, 0)};
  const Subject subject = subject_of(kModel);
  const Json whole = Json::parse(to_json(subject, result, 12))["properties"][0];
  EXPECT_EQ(whole["counterexample"].size(), 1001U);
  EXPECT_FALSE(whole.contains("omitted_steps"));
  for (const std::size_t room : {0, 1000, 50000}) {
    const std::string text = to_json(subject, result, 12, room);
    EXPECT_LT(text.size(), to_json(subject, verified(), 12).size() + 2000 + 2 * room);
    const Json cut = Json::parse(text)["properties"][0];
    const std::size_t first = cut["omitted_steps"]["first"], count = cut["omitted_steps"]["count"];
    EXPECT_GE(first, 1U);
    EXPECT_EQ(cut["counterexample"].size() + count, 1001U) << "the steps are whole or not there";
    for (std::size_t i = 0; i < cut["counterexample"].size(); ++i)
      EXPECT_EQ(cut["counterexample"][i], whole["counterexample"][i < first ? i : i + count]) << i;
    EXPECT_EQ(cut["depth"], 1000);
  }
  EXPECT_EQ(to_json(subject, result, 12, 1 << 20), to_json(subject, result, 12));
}

TEST(Json, NoNameStandsForAList) {
  const std::string name = "\\n      \\\"counterexample\\\": null";
  const GraphModel graph("g", "initial a\nbad \"" + name + "\": a\nbad \"levels\\\": null\": a\n");
  CheckResult result = result_with(Outcome::violated, Exit::invariant, "\n  \"levels\": null");
  result.traces = {trace_through({0}, PropertyKind::invariant, 0),
                   trace_through({0}, PropertyKind::invariant, 1)};
  const Json json = json_of(result, subject_of(graph));
  EXPECT_EQ(json["reason"], "\n  \"levels\": null");
  EXPECT_EQ(json["levels"], Json::array());
  for (const std::size_t i : {0, 1})
    EXPECT_EQ(json["properties"][i]["counterexample"].size(), 1U) << json;
}

TEST(Json, QuotesAndControlCharactersInNamesGiveAValidDocument) {
  const GraphModel graph("g", "initial a\nbad \"\x01\x1b \\\" \\\\\": a\n");
  CheckResult result = result_with(Outcome::verified, Exit::verified, "r");
  EXPECT_EQ(json_of(result, subject_of(graph))["properties"][0]["name"], "\x01\x1b \" \\");
}

TEST(ReadResult, IsWhatWasWritten) {
  CheckResult result = result_with(Outcome::inconclusive, Exit::unchecked, "a \"reason\"\n");
  result.verdict.final = true;
  const std::optional<ReadResult> read = read_result(to_json(subject_of(kModel), result, 20));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->verdict, "inconclusive");
  EXPECT_EQ(read->reason, result.verdict.reason);
  EXPECT_TRUE(read->marked_final);
  const Json properties = json_of(result)["properties"];
  ASSERT_EQ(read->properties.size(), properties.size());
  ASSERT_FALSE(properties.empty());
  for (std::size_t i = 0; i < properties.size(); ++i) {
    EXPECT_EQ(read->properties[i].kind, properties[i]["kind"]);
    EXPECT_EQ(read->properties[i].name, properties[i]["name"]);
    EXPECT_EQ(read->properties[i].verdict, properties[i]["verdict"]);
  }
}

TEST(ReadResult, OfWhatIsNoResultIsNothing) {
  EXPECT_FALSE(read_result(std::nullopt));
  const auto deep = [](std::size_t depth) {
    return R"({"verdict": "violated", "x": )" + std::string(depth, '[') + std::string(depth, ']') +
           "}";
  };
  for (const std::string& text : {std::string(), std::string("[1]"), std::string("{"), deep(100)})
    EXPECT_FALSE(read_result(text)) << text;
  EXPECT_TRUE(read_result(deep(60)));
}

TEST(ReadResult, MembersOfAnotherTypeAreEmpty) {
  const std::optional<ReadResult> read =
      read_result(R"({"verdict": 1, "reason": [], "final": "true",
                      "properties": [1, {"kind": "invariant", "name": {}}]})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->verdict, "");
  EXPECT_EQ(read->reason, "");
  EXPECT_FALSE(read->marked_final);
  ASSERT_EQ(read->properties.size(), 2);
  EXPECT_EQ(read->properties[0].kind, "");
  EXPECT_EQ(read->properties[1].kind, "invariant");
  EXPECT_EQ(read->properties[1].name, "");
  EXPECT_EQ(read_result(R"({"properties": {}})")->properties.size(), 0);
}

TEST(Json, EndsWithOneNewline) {
  const std::string text = to_json(subject_of(kModel), verified(), 0);
  EXPECT_TRUE(text.ends_with("}\n"));
}

}  // namespace
}  // namespace spillway
