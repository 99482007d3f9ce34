#include "folders.h"
#include "open/open_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "unit/caught.h"
#include "unit/temporary_folder.h"

namespace spillway {
namespace {

std::string refusal(const std::string& path) {
  const auto error = caught([&] { open_model(path, {}); });
  if (!error) return "accepted";
  EXPECT_EQ(error->fault(), Fault::model);
  return error->what();
}

std::string sha256sum(const std::string& path) {
  std::FILE* pipe = popen(fmt::format("sha256sum '{}'", path).c_str(), "r");
  char digits[65] = {};
  const std::size_t count = std::fread(digits, 1, 64, pipe);
  pclose(pipe);
  return {digits, count};
}

TEST(LoadModel, GraphsEndInGraph) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x.graph", "initial a\na -> b\n");
  const LoadedModel loaded = open_model(path, {});
  EXPECT_EQ(loaded.model->name(), path);
  EXPECT_EQ(loaded.path, path);
  EXPECT_EQ(loaded.sha256, "e048d8cb82277e9a9a6703ca83769a58e4212ffeaa5cdce919cc1f434784b255");
}

TEST(LoadModel, CompiledModelsEndInSo) {
  const LoadedModel loaded = open_model(model_file("pancake_9.so"), {});
  EXPECT_EQ(loaded.model->name(), "pancake");
  EXPECT_EQ(loaded.sha256, sha256sum(model_file("pancake_9.so")));
}

TEST(LoadModel, OtherEndingsAreNoModels) {
  const TemporaryFolder folder;
  for (const char* name : {"x.txt", "x", "x.graph.bak", "x.SO", ".graph"}) {
    const std::string path = folder.write(name, "initial a\n");
    const std::string ending = std::filesystem::path(path).extension().string();
    EXPECT_EQ(
        refusal(path),
        fmt::format("{}: '{}' is not a known kind of model; the name of a model ends in .m or "
                    ".murphi (Murphi), .dve (DVE), .so "
                    "(compiled) or .graph "
                    "(explicit graph)",
                    path, ending));
  }
}

TEST(LoadModel, AMissingFileIsSaidToBeMissing) {
  EXPECT_EQ(refusal("/no/such/x.graph"), "/no/such/x.graph: no such file");
  EXPECT_EQ(refusal("/no/such/x.so"), "/no/such/x.so: no such file");
  EXPECT_EQ(refusal(""), ": no such file");
}

TEST(LoadModel, ADirectoryIsNoModel) {
  const TemporaryFolder folder;
  folder.write("x.graph/y", "");
  const std::string path = folder.path() + "/x.graph";
  EXPECT_EQ(refusal(path), path + ": this is a directory, not a model");
}

TEST(LoadModel, OptionsThatALanguageDoesNotHaveAreRefused) {
  const TemporaryFolder folder;
  OpeningOptions constants, product;
  constants.constants["N"] = 1;
  product.product = true;
  const auto why = [&](const std::string& path, const OpeningOptions& options) {
    const auto error = caught([&] { open_model(path, options); });
    return error && error->fault() == Fault::usage ? error->what() : std::string("accepted");
  };
  EXPECT_EQ(why(folder.write("x.graph", "initial a\n"), constants),
            "--const: only models in Murphi and DVE have constants that can be set");
  EXPECT_EQ(why(folder.write("x.m", "var x: boolean; startstate x := true; end"), product),
            "--product: only systems in DVE have property processes");
}

TEST(LoadModel, AWrongGraphIsNamedByItsPath) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x.graph", "initial a\n?\n");
  EXPECT_TRUE(refusal(path).starts_with(path + ":2:1: ")) << refusal(path);
}

}  // namespace
}  // namespace spillway
