#include "executor/local/attempt/raw_report.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/plain_file.h"
#include "base/whole_number.h"
#include "executor/local/attempt/layout.h"

namespace ym::local {
namespace {

std::optional<std::int64_t> take_number(std::string_view& line) {
  const auto end = line.find(' ');
  if (end == std::string_view::npos) return std::nullopt;
  const auto value = whole_number<std::int64_t>(line.substr(0, end));
  if (value) line.remove_prefix(end + 1);
  return value;
}

}  // namespace

std::string encode(const RawReport& report) {
  return std::to_string(report.number) + " " + std::to_string(report.at.ms) + " " + report.text;
}

std::optional<RawReport> parse_raw_report(std::string_view line) {
  const auto number = take_number(line);
  const auto at = number ? take_number(line) : std::nullopt;
  if (!at || *number < 1) return std::nullopt;
  return RawReport{.number = *number, .at = {*at}, .text = std::string(line)};
}

std::string as_one_line(std::string text) {
  if (text.size() > kMaxReport) text.resize(kMaxReport + 1);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::optional<std::string> read_marker(int user_folder) {
  const auto fd = open_plain_file(user_folder, kProgressFile);
  if (!fd) return std::nullopt;
  std::string text(kMaxReport + 1, '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::read(fd->get(), text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  text.resize(done);
  return as_one_line(std::move(text));
}

}  // namespace ym::local
