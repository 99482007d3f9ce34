// Feeds a fuzzer with the files in folders instead of what libFuzzer makes up: replay FOLDER...
// It takes a compiler without libFuzzer and code that is not instrumented for one.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int count, char** folders) {
  int files = 0;
  for (int i = 1; i < count; ++i) {
    for (const auto& file : std::filesystem::directory_iterator(folders[i])) {
      std::printf("%s\n", file.path().c_str());  // before it: it may end the program
      std::fflush(stdout);
      std::ifstream stream(file.path(), std::ios::binary);
      const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++files;
    }
  }
  std::printf("%d inputs\n", files);
  return files == 0;
}
