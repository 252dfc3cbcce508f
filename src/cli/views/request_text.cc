#include "cli/views/request_text.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <optional>
#include <utility>

#include "base/whole_number.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"
#include "model/cluster.h"
#include "model/resources.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct GpuRequest {
  std::string type, profile;  // empty: any; none
  std::int64_t slices = 0;
  double gpus = 0;  // in the units of quota
};

// "t4:2" -> "t4" and "2".
std::pair<std::string, std::string> typed(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) return {"", text};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

// "h100:8 | a100:8" -> "h100:8", and "h100 or a100".
std::pair<std::string, std::string> first_way(const std::string& text) {
  constexpr std::string_view kOr = " | ";
  const std::string first = text.substr(0, text.find(kOr));
  std::string types = typed(first).first;
  for (auto at = text.find(kOr); at != std::string::npos; at = text.find(kOr, at + 1))
    types += " or " + typed(text.substr(at + kOr.size())).first;
  return {first, types};
}

// "1g.10gb:2" or "h100:1g.10gb:2".
GpuRequest slices_of(const std::string& text) {
  auto [type, rest] = typed(text);
  if (slice_milli(type)) {
    type.clear();
    rest = text;
  }
  const auto [profile, count] = typed(rest);
  const auto slices = whole_number<std::int64_t>(count).value_or(0);
  const auto milli = slices * slice_milli(profile).value_or(0);
  return {.type = type, .profile = profile, .slices = slices, .gpus = static_cast<double>(milli) / 1000.0};
}

GpuRequest gpu_request(const json::value& job) {
  const auto mig = text_at(job, "spec/resources/mig"), share = text_at(job, "spec/resources/gpu_share");
  const auto [first, types] = first_way(!mig.empty()    ? mig
                                        : share.empty() ? text_at(job, "spec/resources/gpus")
                                                        : share);
  GpuRequest request;
  if (mig.empty()) {
    const auto parsed = parse_thousandths(typed(first).second);
    request = {.type = typed(first).first, .gpus = parsed ? static_cast<double>(*parsed) / 1000.0 : 0.0};
  } else {
    request = slices_of(first);
  }
  if (!request.type.empty()) request.type = types;
  return request;
}

std::string bytes_text(const json::value& value) {
  const auto bytes = parse_bytes(text_of(value));
  return bytes ? format_bytes(*bytes) : text_of(value);
}

// " x 2 t4 GPUs", " x 0.5 GPUs with 8GiB", " x 2 MIG 1g.10gb"; empty: none.
std::string devices_text(const json::value& job) {
  const auto [type, profile, slices, gpus] = gpu_request(job);
  if (gpus == 0) return "";
  const std::string of = type.empty() ? "" : type + " ";
  if (!profile.empty()) return fmt::format(" x {} {}MIG {}", slices, of, profile);
  const auto& memory = at(job, "spec/resources/gpu_memory");
  return fmt::format(" x {} {}GPU{}{}", format_number(gpus), of, gpus == 1 ? "" : "s",
                     memory.is_null() ? "" : " with " + bytes_text(memory));
}

// Nothing: the job has no groups.
std::optional<double> gpus_of_groups(const json::value& job) {
  if (const auto total = number_at(job, "spec/gpus")) return total;
  const auto groups = groups_of(job);
  double all = 0;
  for (const auto& group : groups) all += gpu_request(group).gpus * static_cast<double>(nodes_of(group).most);
  return groups.empty() ? std::nullopt : std::optional(all);
}

std::string wants_of_groups(const std::vector<json::value>& groups) {
  std::string text;
  for (const auto& group : groups)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", name_of(group), request_text(group));
  return text;
}

}  // namespace

// The groups of the job, each in the form of a job.
std::vector<json::value> groups_of(const json::value& job) {
  std::vector<json::value> groups;
  for (const auto& group : items_of(member(member(job, "spec"), "groups")))
    groups.push_back(json::object{{"name", member(group, "name")}, {"spec", group}});
  return groups;
}

NodeCount nodes_of(const json::value& job) {
  if (const auto groups = groups_of(job); !groups.empty()) {
    NodeCount all{0, 0};
    for (const auto& group : groups) all = {all.fewest + nodes_of(group).fewest, all.most + nodes_of(group).most};
    return all;
  }
  if (const auto nodes = integer_at(job, "spec/nodes")) return {*nodes, *nodes};
  return {integer_at(job, "spec/nodes/min").value_or(1), integer_at(job, "spec/nodes/max").value_or(1)};
}

std::string gpus_of(const json::value& job, std::size_t jobs) {
  if (!member(job, "spec").is_object()) return "-";
  if (const auto all = gpus_of_groups(job)) return format_number(*all * static_cast<double>(jobs));
  auto [fewest, most] = nodes_of(job);
  const auto placed = static_cast<std::int64_t>(items_of(member(last_attempt(job), "placement")).size());
  if (!is_waiting(job) && placed > 0) fewest = most = placed;
  const auto gpus = gpu_request(job).gpus * static_cast<double>(jobs);
  const auto least = format_number(gpus * static_cast<double>(fewest));
  return fewest == most || gpus == 0 ? least : least + "-" + format_number(gpus * static_cast<double>(most));
}

std::string request_text(const json::value& job) {
  if (const auto groups = groups_of(job); !groups.empty()) return wants_of_groups(groups);
  const auto [fewest, most] = nodes_of(job);
  std::string text = fewest == most ? fmt::format("{} node{}", most, most == 1 ? "" : "s")
                                    : fmt::format("{} to {} nodes", fewest, most);
  text += devices_text(job);
  if (const auto anchor = number_at(job, "spec/placement/anchor"))
    text += fmt::format(", {} of them on demand", format_number(*anchor));
  if (const auto cpus = text_at(job, "spec/resources/cpus"); !cpus.empty())
    text += fmt::format(", {} CPU{}", cpus, cpus == "1" ? "" : "s");
  const auto& memory = at(job, "spec/resources/memory");
  if (number_at(job, "spec/resources/memory") != 0.0 && !memory.is_null()) text += ", " + bytes_text(memory);
  return text;
}

}  // namespace ym::cli
