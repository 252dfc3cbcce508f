// How the objects of the API look as JSON.
//
// Keys and meanings are part of the API; what they are based on (stored rows) is not.
// Times are RFC 3339 UTC with milliseconds; GPUs and CPUs are numbers (8, 0.5), memory
// is bytes, GPU time is seconds of one GPU, except in a job's `spec`, which has the keys and
// units of ym.yaml.
#pragma once

#include <span>

#include "api/json/writer.h"
#include "control/views.h"

namespace ym::api {

// `summary`: only what the job asks for (nodes, resources).
enum class SpecDetail : std::uint8_t { full, summary, none };

// `now`: what a stop would lose grows with time. `more`: warnings beside those of its spec.
void write_job(JsonWriter& json, const Job& job, std::span<const Shared<Attempt>> attempts, Instant now,
               SpecDetail detail = SpecDetail::full, std::span<const std::string> more = {});
// `newest`: its newest checkpoint, where that is known.
void write_attempt(JsonWriter& json, const Attempt& attempt, const Checkpoint* newest = nullptr);
void write_predicted(JsonWriter& json, const PredictedRunTime& predicted);
void write_checkpoint(JsonWriter& json, const Checkpoint& checkpoint);
void write_metrics(JsonWriter& json, const std::map<std::string, double>& metrics);
void write_placement(JsonWriter& json, const std::vector<TaskPlacement>& placement);
void write_hold(JsonWriter& json, const Hold& hold);
void write_notice(JsonWriter& json, const Notice& notice);
// A job file that means the same: read back, it gives an equal spec.
void write_spec(JsonWriter& json, const JobSpec& spec);
void write_spec_summary(JsonWriter& json, const JobSpec& spec);
// `warnings`, a key of the object that shows the spec; nothing if there are none.
void write_warnings(JsonWriter& json, const JobSpec& spec, std::span<const std::string> more = {});
void write_warnings(JsonWriter& json, const std::vector<std::string>& warnings);
void write_explanation(JsonWriter& json, const Explanation& explanation);
void write_queue(JsonWriter& json, const QueueView& view);
void write_queue_object(JsonWriter& json, const Queue& queue);
void write_reservation(JsonWriter& json, const AdvanceReservation& reservation);
// Every setting as it holds now, and who has said so. `warnings`: of the document that set them.
void write_policy(JsonWriter& json, const PolicyView& policy, const std::vector<std::string>& warnings = {});
// Those that are said.
void write_settings(JsonWriter& json, const PolicySettings& settings);
void write_node(JsonWriter& json, const NodeView& view);
void write_node_object(JsonWriter& json, const Node& node);
void write_event(JsonWriter& json, const Event& event);

// An amount of a kind: thousandths as a number, memory in bytes.
void write_amount(JsonWriter& json, ResourceKind kind, std::int64_t amount);

}  // namespace ym::api
