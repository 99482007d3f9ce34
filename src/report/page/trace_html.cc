#include <nlohmann/json.hpp>

#include "report/page/page_texts.h"
#include "report/trace/trace_data.h"
#include "report/trace/trace_forms.h"

namespace spillway {

std::string trace_html(const SavedTrace& trace) {
  const auto handling = nlohmann::ordered_json::error_handler_t::replace;
  return page_with(kTracePage, trace_data(trace).dump(-1, ' ', true, handling));
}

}  // namespace spillway
