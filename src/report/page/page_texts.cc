#include "report/page/page_texts.h"

namespace spillway {

std::string page_with(const PageText& page, std::string_view json) {
  std::string text;
  for (const std::string_view part : page.before) text += part;
  // Nothing in the data can end the element that they stand in.
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else if (c == '>')
      text += "\\u003e";
    else if (c == '&')
      text += "\\u0026";
    else
      text += c;
  }
  for (const std::string_view part : page.after) text += part;
  return text;
}

}  // namespace spillway
