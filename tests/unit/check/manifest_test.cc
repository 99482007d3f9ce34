#include "check/durable/manifest.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/text/signed_text.h"
#include "cases.h"
#include "check/durable/manifest_files.h"
#include "check/durable/newest_checkpoint.h"
#include "support/memory_disk.h"
#include "unit/caught.h"

namespace spillway {
namespace {

Manifest example() {
  Manifest manifest;
  manifest.run = {*Identity::from_hex("00112233445566778899aabbccddeeff"), std::string(64, 'c'),
                  std::string(64, 'd')};
  manifest.rows = {std::string(64, '1'), std::string(64, '2')};
  manifest.generation = 18446744073709551615U;
  manifest.seconds = 1234.5;
  for (Word row = 0; row < 3; ++row) {
    Level level{row + 1, 1000000000000 + row, {}};
    level.digest.add(State(&row, 1));
    manifest.levels.push_back(level);
  }
  manifest.level_states = 4;
  manifest.covered = {0, 7};
  manifest.found = {{PropertyKind::invariant, 1, 2, {7, 0, 18446744073709551615U}},
                    {PropertyKind::runtime_error, 0, 0, {1, 2, 3}}};
  manifest.observed = {{0, 12, 0, 18446744073709551615U}, {0, 1, 1}};
  manifest.form = {manifest.run.identity.number(), {3, 128, 4, true}, 8192};
  manifest.parts = {{1, 77, 2, 3}, {5, 78, 18446744073709551615U, 4}};
  return manifest;
}

bool is_refused(const std::string& text) {
  try {
    parse_manifest(text, "manifest");
    return false;
  } catch (const Error& error) {
    return error.fault() == Fault::integrity && std::string(error.what()).starts_with("manifest: ");
  }
}

TEST(Manifest, ComesBackAsItWas) {
  const Manifest was = example();
  const std::string text = to_text(was);
  EXPECT_EQ(text.size() % 4096, 0);
  const Manifest is = parse_manifest(text, "manifest");
  EXPECT_EQ(is.rows, was.rows);
  EXPECT_EQ(is.generation, was.generation);
  EXPECT_EQ(is.seconds, was.seconds);
  EXPECT_EQ(is.level_states, was.level_states);
  EXPECT_EQ(is.covered, was.covered);
  EXPECT_EQ(is.observed, was.observed);
  ASSERT_EQ(is.found.size(), was.found.size());
  for (std::size_t i = 0; i < is.found.size(); ++i) {
    EXPECT_EQ(is.found[i].kind, was.found[i].kind);
    EXPECT_EQ(is.found[i].property, was.found[i].property);
    EXPECT_EQ(is.found[i].depth, was.found[i].depth);
    EXPECT_EQ(is.found[i].row, was.found[i].row);
  }
  EXPECT_EQ(is.form, was.form);
  EXPECT_EQ(is.parts, was.parts);
  ASSERT_EQ(is.levels.size(), was.levels.size());
  for (std::size_t i = 0; i < is.levels.size(); ++i) {
    EXPECT_EQ(is.levels[i].states, was.levels[i].states);
    EXPECT_EQ(is.levels[i].transitions, was.levels[i].transitions);
    EXPECT_EQ(is.levels[i].digest, was.levels[i].digest);
  }
  EXPECT_EQ(is.states(), 6);
}

TEST(Manifest, NothingObservedIsNotTheSameAsNothingHappened) {
  Manifest was = example();
  was.observed = {};
  EXPECT_EQ(parse_manifest(to_text(was), "manifest").observed, was.observed);
  was.observed = {{0, 0}, {0}};
  EXPECT_EQ(parse_manifest(to_text(was), "manifest").observed, was.observed);
}

TEST(Manifest, AnyBitThatIsWrongIsNoticed) {
  const std::string text = to_text(example());
  for (std::size_t bit = 0; bit < text.size() * 8; bit += step_of_all(7)) {
    std::string wrong = text;
    wrong[bit / 8] = static_cast<char>(wrong[bit / 8] ^ (1 << bit % 8));
    ASSERT_TRUE(is_refused(wrong)) << bit;
  }
}

TEST(Manifest, AnyEndThatIsMissingIsNoticed) {
  const std::string text = to_text(example());
  const std::size_t end = text.find_last_not_of('\n') + 1;
  for (std::size_t bytes = 0; bytes < end; ++bytes)
    ASSERT_TRUE(is_refused(text.substr(0, bytes))) << bytes;
}

// The text with one line changed, and a checksum that is right, as someone would make it who wants
// to be believed.
std::string with_line(const std::string& line, const std::string& other) {
  std::string body = to_text(example());
  body = body.substr(0, body.find("sha256"));
  const std::size_t begin = body.find(line);
  EXPECT_NE(begin, std::string::npos) << line;
  body.replace(begin, line.size(), other);
  std::string text = with_checksum(body, "sha256");
  text.resize((text.size() + 4095) / 4096 * 4096, '\n');
  return text;
}

// As the version before has written it.
TEST(Manifest, NeedNotSayWhatRowsMean) {
  Manifest was = example();
  was.rows = {};
  const std::string text = to_text(was);
  EXPECT_TRUE(text.starts_with("spillway manifest 4\n"));
  EXPECT_EQ(parse_manifest(text, "manifest").rows, RowMeaning{});
  was = example();
  was.rows.automaton = "";
  EXPECT_EQ(parse_manifest(to_text(was), "manifest").rows, was.rows);
  EXPECT_TRUE(is_refused(with_line("manifest 5\n", "manifest 4\n")));
  EXPECT_TRUE(is_refused(with_line("layout " + std::string(64, '1') + "\n", "")));
}

TEST(Manifest, OfAnotherVersionIsToldFromOneThatIsDamaged) {
  for (const auto& [version, word] :
       {std::pair{"2", "an older"}, {"3", "an older"}, {"6", "a newer"}}) {
    const auto error = caught([&, number = version] {
      parse_manifest(with_line("manifest 5\n", fmt::format("manifest {}\n", number)), "manifest");
    });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->fault(), Fault::usage);
    EXPECT_NE(std::string(error->what()).find(word), std::string::npos) << error->what();
  }
  std::string text = to_text(example());
  text.replace(text.find("manifest 5"), 10, "manifest 6");
  EXPECT_TRUE(is_refused(text)) << "its checksum is wrong";
}

TEST(Manifest, LinesThatNobodyWritesAreRefused) {
  const std::string line = "next 4\n";
  EXPECT_FALSE(is_refused(with_line(line, line)));
  for (const char* other :
       {"next 4\nnext 4\n", "next 04\n", "next 4 \n", "next  4\n", "", "next 5x\n", "next -1\n",
        "nextt 4\n", "next 4\nsurprise\n", "next 99999999999999999999\n", "\nnext 4\n"})
    EXPECT_TRUE(is_refused(with_line(line, other))) << other;
}

TEST(Manifest, NumbersThatCannotBeAreRefused) {
  const std::pair<const char*, const char*> wrong[] = {
      {"row 3\n", "row 0\n"},
      {"row 3\n", "row 8193\n"},
      {"row 3\n", "row 1152921504606846976\n"},
      {"block 128 4 8192\n", "block 0 4 8192\n"},
      {"block 128 4 8192\n", "block 4096 4 8192\n"},
      {"block 128 4 8192\n", "block 128 0 8192\n"},
      {"block 128 4 8192\n", "block 128 129 8192\n"},
      {"block 128 4 8192\n", "block 128 4 0\n"},
      {"block 128 4 8192\n", "block 128 4 4096\n"},
      {"block 128 4 8192\n", "block 128 4 1099511627776\n"},
      {"block 128 4 8192\n", "block 128 4 8193\n"},
      {"seconds 1234.5\n", "seconds inf\n"},
      {"seconds 1234.5\n", "seconds nan\n"},
      {"seconds 1234.5\n", "seconds -1\n"},
      {"next 4\n", "next 18446744073709551615\n"},
      {"counters 4\n", "counters 1152921504606846976\n"},
      {"counters 4\n", "counters 3\n"},
      {"counters 4\n", ""},
      {"counter 1 12\n", "counter 1 0\n"},
      {"counter 1 12\n", "counter 4 12\n"},
      {"marks 3\n", "marks 2\n"},
      {"mark 1\n", "mark 3\n"},
      {"found runtime-error 0 0 1 2 3\n", "found runtime-error 0 3 1 2 3\n"},
      {"found runtime-error 0 0 1 2 3\n", "found runtime-error 0 0 1 2\n"},
      {"found runtime-error 0 0 1 2 3\n", "found runtime-error 0 0 1 2 3 4\n"},
      {"found runtime-error 0 0 1 2 3\n", "found cover 0 0 1 2 3\n"},
      {"found runtime-error 0 0 1 2 3\n", "found invariant 1 0 1 2 3\n"},
      {"found runtime-error 0 0 1 2 3\n", "found invariant 0 0 1 2 3\n"},
      {"file 1 77 2 3\n", "file 1 77 2 5\n"},
      {"file 1 77 2 3\n", "file 1 77 2 18446744073709551615\n"},
      {"file 5 78 18446744073709551615 4\n", "file 5 78 18446744073709551615 2\n"},
      {"file 5 78 18446744073709551615 4\n", "file 5 78 18446744073709551615 5\n"},
  };
  for (const auto& [line, other] : wrong) EXPECT_TRUE(is_refused(with_line(line, other))) << other;
}

TEST(Manifest, OfAnotherRunIsRefused) {
  MemoryDisk disk;
  const Manifest manifest = [] {
    Manifest of_one = example();
    of_one.generation = 1;
    return of_one;
  }();
  ManifestFiles(disk, manifest.run).write(manifest);
  EXPECT_EQ(ManifestFiles(disk, manifest.run).read(1).levels.size(), 3U);
  RunMark other_run = manifest.run;
  other_run.identity = Identity::drawn();
  RunMark other_config = manifest.run;
  other_config.config = std::string(64, 'e');
  RunMark other_model = manifest.run;
  other_model.model = std::string(64, 'e');
  for (const RunMark& other : {other_run, other_config, other_model}) {
    const auto error = caught([&] { ManifestFiles(disk, other).read(1); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->fault(), Fault::integrity);
    EXPECT_NE(std::string(error->what()).find("belongs to another"), std::string::npos)
        << error->what();
  }
}

// Not even that of a manifest of which only a damaged one is left.
TEST(ManifestFiles, NumbersOfGenerationsAreNotUsedAgain) {
  MemoryDisk disk;
  Manifest manifest = example();
  ManifestFiles files(disk, manifest.run);
  EXPECT_EQ(files.next_generation(), 1U);
  for (const std::uint64_t generation : {1U, 2U, 7U}) {
    manifest.generation = generation;
    files.write(manifest);
    EXPECT_EQ(files.next_generation(), generation + 1);
  }
  disk.remove("manifest-00000000000000000001");
  disk.bytes("manifest-00000000000000000007").at(50) ^= std::byte{1};
  EXPECT_EQ(ManifestFiles(disk, manifest.run).next_generation(), 8U);
}

// What the newest checkpoint was is known after a write that was torn, and not taken from another
// run.
TEST(NewestCheckpoint, OneOfItsSectorsIsEnough) {
  const Identity run = Identity::drawn();
  MemoryDisk disk;
  EXPECT_EQ(NewestCheckpoint(disk, run, true).fault().find("checkpoints: the file is missing"), 0U);
  NewestCheckpoint newest(disk, run, false);
  EXPECT_EQ(newest.fault(), "");
  for (std::uint64_t generation = 1; generation < 6; ++generation) {
    newest.record(generation);
    NewestCheckpoint again(disk, run, true);
    EXPECT_EQ(again.fault(), "");
    EXPECT_EQ(again.generation(), generation);
    EXPECT_NE(NewestCheckpoint(disk, Identity::drawn(), true).fault().find("another run"),
              std::string::npos);
    std::vector<std::byte>& bytes = disk.bytes(NewestCheckpoint::kName);
    const std::vector<std::byte> whole = bytes;
    std::uint64_t known = 0;
    for (const std::size_t sector : {0, 4096}) {
      bytes[sector + 60] ^= std::byte{1};
      const NewestCheckpoint one(disk, run, true);
      EXPECT_EQ(one.fault(), "");
      EXPECT_GE(one.generation() + 1, generation);
      known = std::max(known, one.generation());
      bytes = whole;
    }
    EXPECT_EQ(known, generation);
    bytes[60] ^= std::byte{1};
    bytes[4096 + 60] ^= std::byte{1};
    EXPECT_NE(NewestCheckpoint(disk, run, true).fault(), "");
    bytes = whole;
  }
}

}  // namespace
}  // namespace spillway
