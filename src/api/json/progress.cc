// Progress of a job, the cost of a stop, and its nominated placement.
#include "api/json/render.h"

namespace ym::api {

void write_checkpoint(JsonWriter& json, const Checkpoint& checkpoint) {
  json.begin_object();
  json.field("uri", checkpoint.uri);
  json.field("step", checkpoint.step);
  json.field("durable_at", checkpoint.durable_at);
  json.field("attempt", checkpoint.attempt);
  json.end_object();
}

void write_metrics(JsonWriter& json, const std::map<std::string, double>& metrics) {
  json.begin_object();
  for (const auto& [name, number] : metrics) json.field(name, number);
  json.end_object();
}

void write_nomination(JsonWriter& json, const NominatedPlacement& nomination) {
  json.begin_object();
  json.field("cluster", nomination.cluster);
  json.field("flavor", nomination.flavor);
  write_placement(json.key("placement"), nomination.placement);
  json.key("victims").begin_array();
  for (const JobId preempted : nomination.preempted_jobs) json.value(to_string(preempted));
  json.end_array();
  json.field("expires_at", nomination.expires_at);
  json.end_object();
}

void write_notice(JsonWriter& json, const Notice& notice) {
  json.begin_object();
  json.field("reason", to_string(notice.cause));
  json.field("deadline", notice.deadline);
  json.key("grace_seconds").thousandths(notice.grace.ms);
  json.end_object();
}

}  // namespace ym::api
