#include "sim/report/page.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/assert.h"
#include "sim/report/embedded.h"

namespace ym::sim {
namespace {

// A "<" in a string must not end the script element.
std::string as_script_data(const boost::json::object& report) {
  std::string data;
  for (const char c : boost::json::serialize(report)) data += c == '<' ? "\\u003c" : std::string(1, c);
  return data;
}

}  // namespace

std::string to_page(const boost::json::object& report) {
  const std::string data = as_script_data(report);
  std::string page;
  std::string_view frame = page_frame();
  for (const auto& [mark, content] : {std::pair<std::string_view, std::string_view>("{{REPORT}}", data),
                                      {"{{CHART}}", chart_library()},
                                      {"{{SCRIPT}}", page_script()}}) {
    const auto found = frame.find(mark);
    YM_ASSERT(found != std::string_view::npos);
    page.append(frame.substr(0, found)).append(content);
    frame.remove_prefix(found + mark.size());
  }
  return page.append(frame);
}

Result<void> write_page(const std::string& path, const boost::json::object& report) {
  const std::string page = to_page(report);
  std::FILE* file = std::fopen(path.c_str(), "we");
  const bool written = file != nullptr && std::fwrite(page.data(), 1, page.size(), file) == page.size();
  if (file != nullptr && std::fclose(file) == 0 && written) return {};
  return fail(ErrorCode::io, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

}  // namespace ym::sim
