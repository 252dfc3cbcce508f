#include "study/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <filesystem>

#include "recording/replay.h"
#include "spec/files/configuration_file.h"

namespace ym::study {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

// All segments of a folder, by name and so by time.
Result<std::vector<fs::path>> segments_of(const std::vector<std::string>& recordings) {
  std::vector<fs::path> segments;
  for (const fs::path recording : recordings) {
    std::error_code failed;
    if (!fs::is_directory(recording, failed)) {
      segments.push_back(recording);
      continue;
    }
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(recording, failed))
      if (entry.path().filename().string().starts_with("decisions-")) found.push_back(entry.path());
    if (found.empty())
      return fail(ErrorCode::invalid,
                  fmt::format("{}: has no recordings; `ym serve --record 1GiB` makes some", recording.string()));
    std::ranges::sort(found);
    segments.insert(segments.end(), found.begin(), found.end());
  }
  return segments;
}

json::object to_json(const DecidedLine& line) {
  json::array decisions;
  for (const auto& decision : line.decisions) decisions.emplace_back(decision);
  return {{"digest", line.digest}, {"decisions", std::move(decisions)}};
}

json::value time_of(const std::optional<Instant>& time) {
  return time ? json::value(to_rfc3339(*time)) : json::value(nullptr);
}

json::object to_json(const ReplayReport& report) {
  json::array differences;
  for (const auto& [recorded, replayed] : report.differences)
    differences.push_back(json::object{{"time", to_rfc3339(recorded.now)},
                                       {"version", recorded.version},
                                       {"recorded", to_json(recorded)},
                                       {"replayed", to_json(replayed)}});
  return {{"version", report.version},
          {"decisions", report.decisions},
          {"same", report.same},
          {"same_but_reasons", report.same_but_reasons},
          {"different", report.decisions - report.same - report.same_but_reasons},
          {"missed", report.missed},
          {"events", report.events},
          {"former_scoring", report.former_scoring},
          {"first", time_of(report.first)},
          {"last", time_of(report.last)},
          {"differences", std::move(differences)}};
}

}  // namespace

Result<json::object> replay_recordings(const ReplayArguments& arguments, const OnWarnings& on_warnings) {
  ReplayOptions options{.segments = {}, .settings = {}, .queues = {}, .most_differences = arguments.most_differences};
  auto segments = segments_of(arguments.recordings);
  if (!segments) return std::unexpected(segments.error());
  options.segments = std::move(*segments);
  if (!arguments.policy.empty()) {
    auto policy = load_policy(arguments.policy);
    if (!policy) return std::unexpected(policy.error());
    on_warnings(arguments.policy, policy->warnings);
    options.settings = policy->settings;
    options.queues = std::move(policy->queues.queues);
  }
  const auto report = replay(options);
  if (!report) return fail(ErrorCode::invalid, report.error().message);
  return to_json(*report);
}

}  // namespace ym::study
