// Renders the objects of the API as JSON.
//
// Keys and their meanings are part of the API. The stored rows are not. Times are RFC 3339 UTC with milliseconds; GPUs
// and CPUs are numbers (8, 0.5), memory is in bytes, GPU time in seconds of one GPU. A job's `spec` is an exception: it
// has the keys and units of a job file.
#pragma once

#include <span>

#include "api/json/writer.h"
#include "control/views.h"

namespace ym::api {

// `summary`: only what the job requests (nodes, resources).
enum class SpecDetail : std::uint8_t { full, summary, none };

// `now`: the cost of a stop depends on it. `more`: warnings beside those of the spec.
void write_job(JsonWriter& json, const Job& job, std::span<const Shared<Attempt>> attempts, Instant now,
               SpecDetail detail = SpecDetail::full, std::span<const std::string> more = {});
// `newest`: its newest checkpoint, if it is known.
void write_attempt(JsonWriter& json, const Attempt& attempt, const Checkpoint* newest = nullptr);
void write_predicted(JsonWriter& json, const PredictedRunTime& predicted);
void write_checkpoint(JsonWriter& json, const Checkpoint& checkpoint);
void write_metrics(JsonWriter& json, const std::map<std::string, double>& metrics);
void write_placement(JsonWriter& json, const std::vector<TaskPlacement>& placement);
void write_nomination(JsonWriter& json, const NominatedPlacement& nomination);
void write_notice(JsonWriter& json, const Notice& notice);
// A job file for the same spec: reading it gives an equal spec.
void write_spec(JsonWriter& json, const JobSpec& spec);
void write_spec_summary(JsonWriter& json, const JobSpec& spec);
// Writes `warnings`, a key of the object that shows the spec; nothing if there are none.
void write_warnings(JsonWriter& json, const JobSpec& spec, std::span<const std::string> more = {});
void write_warnings(JsonWriter& json, const std::vector<std::string>& warnings);
void write_explanation(JsonWriter& json, const Explanation& explanation);
void write_queue(JsonWriter& json, const QueueView& view);
void write_queue_object(JsonWriter& json, const Queue& queue);
void write_reservation(JsonWriter& json, const AdvanceReservation& reservation);
// Every setting that applies now, and its source. `warnings`: about the document that set them.
void write_policy(JsonWriter& json, const PolicyView& policy, const std::vector<std::string>& warnings = {});
// Only the settings that are set.
void write_settings(JsonWriter& json, const PolicySettings& settings);
void write_node(JsonWriter& json, const NodeView& view);
void write_node_object(JsonWriter& json, const Node& node);
enum class EventParts : std::uint8_t {
  all,
  outline  // no actor, no reason, no data
};
void write_event(JsonWriter& json, const Event& event, EventParts parts = EventParts::all);

// An amount of a kind: thousandths as a number, memory in bytes.
void write_amount(JsonWriter& json, ResourceKind kind, std::int64_t amount);

}  // namespace ym::api
