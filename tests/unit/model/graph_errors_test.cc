// What is wrong with a graph is said with line, column, the line itself, and a caret below the
// place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>

#include "language/graph/graph_model.h"
#include "unit/caught.h"
#include "unit/temporary_folder.h"

namespace spillway {
namespace {

struct Wrong {
  const char* line;
  std::size_t column;  // from 1
  const char* why;
};
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.line; }

class GraphError : public testing::TestWithParam<Wrong> {};

INSTANTIATE_TEST_SUITE_P(
    Of, GraphError,
    testing::Values(
        Wrong{"a => b", 3, "unexpected character '='"},
        Wrong{"  @", 3, "unexpected character '@'"},  //
        Wrong{"a -> \"b", 6, "the quoted name does not end on this line"},
        Wrong{"a -> \"b\\", 6, "the quoted name does not end on this line"},
        Wrong{"-> b", 1, "a statement must begin with a name"},
        Wrong{"  : b", 3, "a statement must begin with a name"},
        Wrong{"a", 1, "'a' is not a statement; did you mean 'a -> ...'?"},
        Wrong{"Initial a", 1, "'Initial' is not a statement; did you mean 'initial'?"},
        Wrong{"a b -> c", 1, "'a' is not a statement; did you mean 'a -> ...'?"},
        Wrong{"state", 6, "the name of a state is missing"},
        Wrong{"initial", 8, "the name of a state is missing"},
        Wrong{"accepting", 10, "the name of a state is missing"},
        Wrong{"bad", 4, "the name of a state is missing"},
        Wrong{"bad p:", 7, "the name of a state is missing"},
        Wrong{"state a : b", 9, "the name of a state is expected here"},
        Wrong{"initial a -> b", 11, "the name of a state is expected here"},
        Wrong{"a ->", 5, "the state at the end of the edge is missing"},
        Wrong{"a -> : r", 9, "the state at the end of the edge is missing"},
        Wrong{"a -> b -> c", 8, "the name of a state is expected here"},
        Wrong{"a -> b :", 8, "the name of a state is expected here"},
        Wrong{"a -> b : r : s", 8, "the name of a state is expected here"},
        Wrong{"assert p a", 1, "write: assert NAME : STATE ..."},
        Wrong{"assert p:", 1, "write: assert NAME : STATE ..."},
        Wrong{"proposition true: a", 13,
              "'true' is a constant in formulas and cannot name a proposition"},
        Wrong{"proposition \"0\" : a", 13,
              "'0' is a constant in formulas and cannot name a proposition"},
        Wrong{"error a", 1, "write: error STATE : \"MESSAGE\""},
        Wrong{"error a b : m", 1, "write: error STATE : \"MESSAGE\""},
        Wrong{"error a : m n", 1, "write: error STATE : \"MESSAGE\""},
        Wrong{"deadlock", 1, "write: deadlock off, deadlock stuck or deadlock stuttering"},
        Wrong{"deadlock maybe", 1, "write: deadlock off, deadlock stuck or deadlock stuttering"},
        Wrong{"  deadlock off off", 3,
              "write: deadlock off, deadlock stuck or deadlock stuttering"},
        Wrong{"assert invariant: a", 1, "'invariant' is already a property of another kind"},
        Wrong{"bad assertion: a", 1, "'assertion' is already a property of another kind"}));

TEST_P(GraphError, NamesThePlace) {
  const Wrong& wrong = GetParam();
  const std::string text = fmt::format(
      "initial a  # fine\nbad invariant: "
      "a\nassert assertion: a\n\n{}\nb -> c\n",
      wrong.line);
  const auto error = caught([&] { GraphModel("some.graph", text); });
  ASSERT_TRUE(error) << "accepted: " << wrong.line;
  EXPECT_EQ(error->fault(), Fault::model);
  EXPECT_EQ(error->what(), fmt::format("some.graph:5:{}: {}", wrong.column, wrong.why));
}

// Where a name must stand, an arrow or a colon is none.
class NoName : public testing::TestWithParam<Wrong> {};

INSTANTIATE_TEST_SUITE_P(Of, NoName,
                         testing::Values(Wrong{"a -> b : ->", 10, ""}, Wrong{"a -> b : :", 10, ""},
                                         Wrong{"bad : : b", 5, ""}, Wrong{"assert : : b", 8, ""},
                                         Wrong{"error b : ->", 11, ""}));

TEST_P(NoName, IsRefusedWhereANameMustStand) {
  const auto error =
      caught([] { GraphModel("g", fmt::format("initial a\n{}\n", GetParam().line)); });
  ASSERT_TRUE(error) << "accepted: " << GetParam().line;
  EXPECT_TRUE(std::string(error->what()).starts_with(fmt::format("g:2:{}: ", GetParam().column)))
      << error->what();
}

TEST(GraphErrors, AGraphNeedsAnInitialState) {
  const auto error = caught([] { GraphModel("g", "a -> b\n"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::model);
  EXPECT_TRUE(std::string(error->what()).starts_with("g:1:1: the graph has no initial state"))
      << error->what();
  EXPECT_TRUE(caught([] { GraphModel("g", ""); })) << "nor is an empty one a graph";
}

TEST(GraphErrors, AStateFailsInOneWayOnly) {
  const auto error = caught([] { GraphModel("g", "initial a\nerror a: \"one\"\nassert p: a\n"); });
  ASSERT_TRUE(error);
  EXPECT_TRUE(std::string(error->what()).starts_with("g:3:1: 'a' already fails")) << error->what();
}

TEST(GraphErrors, AByteOrderMarkIsNoPartOfTheText) {
  EXPECT_FALSE(caught([] { GraphModel("g", "\xef\xbb\xbfinitial a\n"); }));
}

TEST(GraphErrors, FilesOfAnySizeAreReadToTheirEnd) {
  const TemporaryFolder folder;
  for (const std::size_t bytes :
       {std::size_t{100}, std::size_t{65536}, std::size_t{65537}, std::size_t{200000}}) {
    std::string text = "initial a\n#";
    text.resize(bytes - 8, '#');
    text += "\na -> b\n";
    EXPECT_EQ(GraphModel::from_file(folder.write("x.graph", text))->row_bits(), 1U);
    text += "?";
    EXPECT_TRUE(caught([&] { GraphModel::from_file(folder.write("x.graph", text)); })) << bytes;
  }
  const auto empty = caught([&] { GraphModel::from_file(folder.write("x.graph", "")); });
  ASSERT_TRUE(empty);
  EXPECT_NE(std::string(empty->what()).find("no initial state"), std::string::npos);
}

TEST(GraphErrors, AFileThatDoesNotExistIsNamed) {
  const auto error = caught([] { GraphModel::from_file("/no/such/file.graph"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::model);
  EXPECT_STREQ(error->what(), "/no/such/file.graph: the file cannot be read");
}

// A folder can be opened, but not read.  What cannot be read to its end must not be taken for a
// whole graph.
TEST(GraphErrors, AReadErrorIsNotTheEndOfTheFile) {
  const std::string folder = std::filesystem::temp_directory_path().string();
  const auto error = caught([&] { GraphModel::from_file(folder); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->what(), folder + ": the file cannot be read");
}

}  // namespace
}  // namespace spillway
