#include "cli/views/event_text.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "cli/views/job_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

void add(std::string& text, std::string_view key, const std::string& value) {
  if (!value.empty()) text += fmt::format("{}{}={}", text.empty() ? "" : "  ", key, value);
}

void add_nomination(std::string& text, const json::value& nomination) {
  std::string preempted_jobs;
  for (const auto& preempted : items_of(member(nomination, "victims")))
    preempted_jobs += (preempted_jobs.empty() ? "" : ",") + text_of(preempted);
  add(text, "place", where(nomination, true));
  add(text, "stops", preempted_jobs);
  add(text, "expires_at", text_at(nomination, "expires_at"));
}

void add_node(std::string& text, const json::value& node) {
  const auto* schedulable = member(node, "schedulable").if_bool();
  add(text, "node", text_at(node, "name"));
  add(text, "drained", schedulable != nullptr && !*schedulable ? "true" : "false");
  add(text, "withheld", text_at(node, "withheld"));
  add(text, "message", text_at(node, "message"));
}

// "scheduling.age_cap=3h": the settings that are set.
void add_settings(std::string& text, const json::value& policy) {
  for (const auto& [section, settings] : policy.get_object())
    if (settings.is_object())
      for (const auto& [name, value] : settings.get_object())
        add(text, fmt::format("{}.{}", std::string_view(section), std::string_view(name)), text_of(value));
}

// Shows only members that fit into the line.
void add_object(std::string& text, std::string_view key, const json::value& value) {
  if (key == "node") return add_node(text, value);
  if (key == "policy") return add_settings(text, value);
  if (key == "queue" || key == "reservation") return add(text, key, text_at(value, "name"));
  if (key == "hold") return add_nomination(text, value);
  if (key == "checkpoint") {
    add(text, "checkpoint", text_at(value, "uri"));
    return add(text, "checkpoint_step", text_at(value, "step"));
  }
  if (key != "metrics") return;
  for (const auto& [name, number] : value.get_object()) add(text, std::string_view(name), text_of(number));
}

// A line has no room for lists, except this one.
void add_list(std::string& text, std::string_view key, const json::value& value) {
  if (key != "further_losses") return;
  for (const auto& more : items_of(value))
    add(text, fmt::format("further_lost_gpu_seconds_of_attempt_{}", text_at(more, "attempt")),
        text_at(more, "lost_gpu_seconds"));
}

// `false` is left out, unless it says that a cluster cannot be reached. The name of the estimate already says that the
// loss is expected.
bool is_said(const json::object& data, std::string_view key, const json::value& value) {
  if (value.is_bool() && !value.get_bool()) return key == "available";
  return key != "lost_gpu_seconds" || !data.contains("estimated_lost_gpu_seconds");
}

}  // namespace

std::string event_details(const json::value& event) {
  std::string text = text_at(event, "reason");
  const auto* data = member(event, "data").if_object();
  if (data == nullptr) return text;
  for (const auto& [name, value] : *data) {
    const std::string_view key(name.data(), name.size());
    if (!is_said(*data, key, value)) continue;
    if (value.is_array()) add_list(text, key, value);
    else if (value.is_object()) add_object(text, key, value);
    else add(text, key, text_of(value));
  }
  return text;
}

}  // namespace ym::cli
