// How the objects of the API look as JSON.
//
// Keys and meanings are part of the API; what they are based on (stored rows) is not.
// Times are RFC 3339 UTC with milliseconds; GPUs and CPUs are numbers (8, 0.5), memory
// is bytes, except in a job's `spec`, which has the keys and units of ym.yaml.
#pragma once

#include <span>

#include "api/json/writer.h"
#include "control/service.h"

namespace ym::api {

// `summary`: only what the job asks for (nodes, resources).
enum class SpecDetail : std::uint8_t { full, summary, none };

void write_job(JsonWriter& json, const Job& job, std::span<const Attempt> attempts,
               SpecDetail detail = SpecDetail::full);
void write_attempt(JsonWriter& json, const Attempt& attempt);
// A job file that means the same: read back, it gives an equal spec.
void write_spec(JsonWriter& json, const JobSpec& spec);
void write_spec_summary(JsonWriter& json, const JobSpec& spec);
void write_explanation(JsonWriter& json, const Explanation& explanation);
void write_queue(JsonWriter& json, const QueueView& view);
void write_queue_object(JsonWriter& json, const Queue& queue);
void write_node(JsonWriter& json, const NodeView& view);
void write_node_object(JsonWriter& json, const Node& node);
void write_event(JsonWriter& json, const Event& event);

// An amount of a kind: thousandths as a number, memory in bytes.
void write_amount(JsonWriter& json, ResourceKind kind, std::int64_t amount);

}  // namespace ym::api
