// The pages in the folder page/, as text in the program.  cmake/embed_pages.py puts them together
// from their parts when the program is built.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace spillway {

// A page with a gap, where its data stand.
struct PageText {
  std::span<const std::string_view> before, after;
};
extern const PageText kTracePage;      // one counterexample
extern const PageText kReportPage;     // a whole result
extern const PageText kDashboardPage;  // the same of a check that is running

// The page with these data.  REQUIRES: `json` is JSON in ASCII.
std::string page_with(const PageText& page, std::string_view json);

}  // namespace spillway
