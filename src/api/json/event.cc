#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "api/json/access.h"
#include "api/json/render.h"
#include "model/json/event_fields.h"

namespace ym::api {
namespace {

// Every event shows its job and attempt beside its data.
void show(JsonWriter& json, std::string_view name, JobId id) {
  if (name != "job") json.field(name, to_string(id));
}
void show(JsonWriter&, std::string_view, const AttemptKey&) {}
template <class Enum>
  requires std::is_enum_v<Enum>
void show(JsonWriter& json, std::string_view name, Enum value) {
  json.field(name, to_string(value));
}
template <class T>
concept Plain = std::is_arithmetic_v<T> || std::same_as<T, std::string> || std::same_as<T, Instant>;
template <Plain T>
void show(JsonWriter& json, std::string_view name, const T& value) {
  json.field(name, value);
}
template <Plain T>
void show(JsonWriter& json, std::string_view name, const std::optional<T>& value) {
  json.field(name, value);
}

template <class Entry>
constexpr bool kCanShow = std::same_as<Entry, json::Former>;
template <class Owner, class Member>
constexpr bool kCanShow<json::Field<Owner, Member>> =
    requires(JsonWriter& json, const Member& member) { show(json, "", member); };
template <class List>
constexpr bool kCanShowAll = false;
template <class... Entry>
constexpr bool kCanShowAll<const std::tuple<Entry...>> = std::conjunction_v<std::bool_constant<kCanShow<Entry>>...>;

// Objects and lists have a form of their own in the API, so a payload that contains one has an overload below. So has a
// payload with fields that the feed shows in other units or not at all.
template <class Payload>
concept ShownAsStored = json::Described<Payload> && kCanShowAll<decltype(json::Fields<Payload>::list)>;

// A payload has an overload or is shown as it is stored. Anything else does not compile.
struct DataWriter {
  JsonWriter& json;

  template <ShownAsStored Payload>
  void operator()(const Payload& event) const {
    json::for_each_member(json::Fields<Payload>::list,
                          [&](const auto& stored) { show(json, stored.name, event.*stored.member); });
  }
  void operator()(const ServerStarted& event) const {
    json.field("epoch", event.epoch).field("version", event.version);
  }
  void operator()(const JobSubmitted& event) const {
    const Job& job = event.job;
    json.field("name", job.name).field("user", job.owner).field("project", job.project);
    json.field("queue", job.queue).field("priority", job.priority).field("state", to_string(job.state));
    json.key("group_id");
    if (job.group) json.value(to_string(*job.group));
    else json.value(nullptr);
    json.field("group_index", job.group_index);
  }
  void operator()(const AttemptAdmitted& event) const { write_attempt(json.key("attempt"), event.attempt); }
  void operator()(const AttemptStopping& event) const {
    json.field("cause", to_string(event.cause)).field("stop_by", event.stop_by);
    json.field("yields_to", event.yields_to ? std::optional(to_string(*event.yields_to)) : std::nullopt);
    const bool preempted = event.cause == StopCause::preemption;
    const auto estimated = preempted ? std::optional(event.estimated_lost_gpu_ms) : std::nullopt;
    json.key("lost_gpu_seconds").thousandths(estimated);
    json.key("estimated_lost_gpu_seconds").thousandths(estimated);
    json.field("preemption", event.preemption ? std::optional(to_string(*event.preemption)) : std::nullopt);
    json.field("moves", event.preemption == PreemptionCause::consolidation);
    json.field("borrowed", event.preemption == PreemptionCause::borrow);
    json.field("resizes_to", event.resizes_to > 0 ? std::optional(event.resizes_to) : std::nullopt);
  }
  void operator()(const AttemptProgressed& event) const {
    const ProgressReport& report = event.report;
    json.field("step", report.step).field("total_steps", report.total_steps);
    write_metrics(json.key("metrics"), report.metrics);
    json.key("checkpoint");
    if (report.checkpoint) write_checkpoint(json, *report.checkpoint);
    else json.value(nullptr);
    json.field("completed", report.completed);
  }
  void operator()(const PlacementNominated& event) const { write_nomination(json.key("hold"), event.nomination); }
  void operator()(const CheckpointSkipped& event) const {
    write_checkpoint(json.key("checkpoint"), event.checkpoint);
    json.key("further_losses").begin_array();
    for (const FurtherLoss& more : event.further_losses) {
      json.begin_object().field("attempt", more.attempt);
      json.key("lost_gpu_seconds").thousandths(more.gpu_ms).end_object();
    }
    json.end_array();
  }
  void operator()(const RunTimePredicted& event) const {
    write_predicted(json.key("predicted_run_time"), event.run_time);
  }
  void operator()(const TaskEnded& event) const {
    json.field("task", event.task).field("ended_by", to_string(event.exit.by));
    json.field("exit_code", event.exit.exit_code).field("signal", event.exit.signal);
    json.field("message", event.exit.message).field("ended_at", event.exit.at);
  }
  void operator()(const AttemptEnded& event) const {
    json.field("ended_by", to_string(event.by)).field("exit_code", event.exit_code);
    json.field("signal", event.signal).field("message", event.message);
    json.key("lost_gpu_seconds").thousandths(event.lost_gpu_ms);
  }
  void operator()(const ClusterSet& event) const {
    json.field("name", event.row.name).field("executor", event.row.executor);
    json.field("available", event.row.available);
  }
  void operator()(const NodeSet& event) const { write_node_object(json.key("node"), event.row); }
  void operator()(const FlavorSet& event) const { json.field("name", event.row.name); }
  void operator()(const QueueSet& event) const { write_queue_object(json.key("queue"), event.row); }
  void operator()(const ReservationSet& event) const { write_reservation(json.key("reservation"), event.row); }
  void operator()(const PolicySet& event) const { write_settings(json.key("policy"), event.row.settings); }
  void operator()(const PrincipalSet& event) const { write_principal(json.key("principal"), event.row); }
  void operator()(const TokenSet& event) const { write_token(json.key("token"), event.row); }
  void operator()(const RoleSet& event) const { write_role(json.key("role"), event.row); }
  void operator()(const BindingSet& event) const { write_binding(json.key("binding"), event.row); }
  void operator()(const ProjectSet& event) const { write_project(json.key("project"), event.row); }
  void operator()(const ProvisionedGroupSet& event) const {
    write_provisioned_group(json.key("provisioned_group"), event.row);
  }
  void operator()(const HistorySegmentSet& event) const {
    const HistorySegment& row = event.row;
    json.key("history_segment").begin_object().field("name", row.name).field("from", row.from).field("to", row.to);
    json.field("jobs", row.jobs).field("bytes", row.bytes).field("sha256", row.sha256).end_object();
  }
  void operator()(const ErasureSet& event) const {
    const Erasure& row = event.row;
    json.key("erasure").begin_object().field("name", row.name).field("by", row.by).field("reason", row.reason);
    json.field("events", row.events).field("jobs", row.jobs).field("tokens", row.tokens);
    json.field("segments", row.segments).field("seals", row.seals.size()).end_object();
  }
  // What these store is not for clients. Of a claim it is a secret.
  void operator()(const BarrierOpened&) const {}
  void operator()(const UsageSampled&) const {}
};

}  // namespace

void write_event(JsonWriter& json, const Event& event, EventParts parts) {
  const bool whole = parts == EventParts::all;
  const auto job = job_of(event.payload);
  const auto attempt = attempt_of(event.payload);
  json.begin_object();
  json.field("seq", event.seq);
  json.field("type", type_name(event.payload));
  json.field("v", 1);
  json.field("time", event.time);
  json.field("actor", whole ? event.actor : "");
  json.field("reason", whole ? event.reason : "");
  json.field("job", job ? std::optional(to_string(*job)) : std::nullopt);
  json.field("attempt", attempt ? std::optional(attempt->number) : std::nullopt);
  json.key("data").begin_object();
  if (whole) std::visit(DataWriter{json}, event.payload);
  json.end_object().end_object();
}

}  // namespace ym::api
