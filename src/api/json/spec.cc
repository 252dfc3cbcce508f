#include "api/json/keys.h"
#include "api/json/render.h"
#include "spec/job/warnings.h"

namespace ym::api {

void write_spec(JsonWriter& json, const JobSpec& spec) { write(json, spec, keys::MapOf<JobSpec>{}); }

void write_warnings(JsonWriter& json, const JobSpec& spec, std::span<const std::string> more) {
  auto warnings = warnings_of(spec);
  warnings.insert(warnings.end(), more.begin(), more.end());
  write_warnings(json, warnings);
}

void write_warnings(JsonWriter& json, const std::vector<std::string>& warnings) {
  if (!warnings.empty()) write(json.key("warnings"), warnings, keys::ListOf{keys::Text{}, "warnings"});
}

// For a job with groups, only the totals.
void write_spec_summary(JsonWriter& json, const JobSpec& spec) {
  json.begin_object();
  json.key("nodes");
  if (spec.min_nodes) json.begin_object().field("min", *spec.min_nodes).field("max", spec.nodes).end_object();
  else json.value(spec.nodes);
  write(json.key("resources"), spec.resources, keys::MapOf<TaskResources>{});
  if (!spec.groups.empty()) json.key("gpus").thousandths(spec.total()[ResourceKind::gpus]);
  json.end_object();
}

}  // namespace ym::api
