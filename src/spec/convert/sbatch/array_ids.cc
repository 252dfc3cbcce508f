#include "spec/convert/sbatch/array_ids.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "model/keys/job.h"

namespace ym::convert {
namespace {

constexpr std::int64_t kLargestId = 4'000'000;  // Slurm's upper bound for the limit of a cluster
constexpr std::string_view kId = "SLURM_ARRAY_TASK_ID";

struct Told {
  std::string_view variable;
  std::int64_t (*value)(const ArrayIds&);
};
constexpr std::array<Told, 4> kTold{
    {{"SLURM_ARRAY_TASK_COUNT", [](const ArrayIds& array) { return std::int64_t{std::ssize(array.ids)}; }},
     {"SLURM_ARRAY_TASK_MIN", [](const ArrayIds& array) { return array.ids.front(); }},
     {"SLURM_ARRAY_TASK_MAX", [](const ArrayIds& array) { return array.ids.back(); }},
     {"SLURM_ARRAY_TASK_STEP", [](const ArrayIds& array) { return array.step(); }}}};

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > kLargestId) return std::nullopt;
  return value;
}

// "7", "1-9" or "1-9:2". False: none of these.
bool add_range(std::string_view text, std::vector<std::int64_t>& ids) {
  const auto colon = text.find(':'), dash = text.substr(0, colon).find('-');
  if (colon != text.npos && dash == text.npos) return false;
  const auto first = number(text.substr(0, std::min(dash, colon)));
  const auto last = dash == text.npos ? first : number(text.substr(dash + 1, colon - std::min(colon, dash + 1)));
  const auto step = colon == text.npos ? std::optional<std::int64_t>(1) : number(text.substr(colon + 1));
  if (!first || !last || !step || *step == 0 || *last < *first) return false;
  // One more than the limit is enough to refuse the array.
  for (auto id = *first; id <= *last && std::ssize(ids) <= keys::kMostMembers; id += *step) ids.push_back(id);
  return true;
}

bool is_even(const ArrayIds& array) {
  for (std::size_t i = 1; i < array.ids.size(); ++i)
    if (array.ids[i] - array.ids[i - 1] != array.step()) return false;
  return true;
}

std::string line_of_id(const ArrayIds& array) {
  if (!is_even(array))
    return fmt::format("export {}=\"$(set -- {}; shift \"$YM_ARRAY_INDEX\"; echo \"$1\")\"\n", kId,
                       fmt::join(array.ids, " "));
  const auto times = array.step() == 1 ? "" : fmt::format("{} * ", array.step());
  const auto plus = array.ids.front() == 0 ? "" : fmt::format(" + {}", array.ids.front());
  return fmt::format("export {}=$(({}YM_ARRAY_INDEX{}))\n", kId, times, plus);
}

}  // namespace

Result<ArrayIds> parse_array_ids(std::string_view text) {
  const auto bad = [&](std::string_view why) { return fail(ErrorCode::invalid, fmt::format("'{}' {}", text, why)); };
  ArrayIds array{.written = std::string(text), .ids = {}};
  const auto percent = text.find('%');
  if (percent != text.npos) {
    const auto at_once = number(text.substr(percent + 1));
    if (!at_once || *at_once == 0) return bad("has no number after %; write for example 0-9%2");
    array.at_once = *at_once;
  }
  for (auto rest = text.substr(0, percent);;) {
    const auto comma = rest.find(',');
    if (!add_range(rest.substr(0, comma), array.ids))
      return bad("is not an array of Slurm; write for example 0-9, 1,3,7 or 0-15:4");
    if (comma == rest.npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (std::ssize(array.ids) > keys::kMostMembers)
    return bad(
        fmt::format("has more than {} members, the limit of a job file; split it into several", keys::kMostMembers));
  std::ranges::sort(array.ids);
  const auto again = std::ranges::unique(array.ids);
  array.ids.erase(again.begin(), again.end());
  return array;
}

std::string array_head(const ArrayIds& array, const std::vector<std::string>& read) {
  auto lines =
      fmt::format("# The ids of --array={}: YM_ARRAY_INDEX counts from 0.\n", array.written) + line_of_id(array);
  for (const auto& [variable, value] : kTold)
    if (std::ranges::find(read, variable) != read.end()) lines += fmt::format("export {}={}\n", variable, value(array));
  return lines;
}

bool is_set_by_array_head(std::string_view variable) {
  return variable == kId || std::ranges::find(kTold, variable, &Told::variable) != kTold.end();
}

}  // namespace ym::convert
