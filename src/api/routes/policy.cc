#include "api/json/render.h"
#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/command.h"
#include "api/site_policy.h"

namespace ym::api {
namespace {

void write_one(JsonWriter& json, Context& context, JobId id) {
  json.field("id", to_string(id));
  const auto view = context.service.job(id);
  json.field("name", view ? view->job.name : "");
  json.field("user", view ? view->job.owner : "");
  json.field("queue", view ? view->job.queue : "");
}

void write_jobs(JsonWriter& json, Context& context, std::string_view key, const std::vector<JobId>& jobs) {
  json.key(key).begin_array();
  for (const auto job : jobs) {
    json.begin_object();
    write_one(json, context, job);
    json.end_object();
  }
  json.end_array();
}

void write_stops(JsonWriter& json, Context& context, std::string_view key,
                 const std::vector<engine::PolicyDiff::Stop>& stops) {
  json.key(key).begin_array();
  for (const auto& stop : stops) {
    json.begin_object();
    write_one(json, context, stop.job);
    const bool makes_room = stop.drained.empty();
    json.field("makes_room_for", makes_room ? std::optional(to_string(stop.makes_room_for)) : std::nullopt);
    json.field("drained_queue", makes_room ? std::nullopt : std::optional(stop.drained));
    json.key("lost_gpu_seconds").thousandths(stop.lost_gpu_ms);
    json.end_object();
  }
  json.end_array();
}

void write_moves(JsonWriter& json, Context& context, std::string_view key,
                 const std::vector<engine::PolicyDiff::Move>& moves) {
  json.key(key).begin_array();
  for (const auto& move : moves) {
    json.begin_object();
    write_one(json, context, move.job);
    json.field("before", move.before).field("after", move.after);
    json.end_object();
  }
  json.end_array();
}

Response render_diff(Context& context, const engine::PolicyDiff& diff) {
  JsonWriter json;
  json.begin_object().field("as_of", diff.as_of).field("waiting", diff.waiting);
  write_jobs(json, context, "starts", diff.starts);
  write_jobs(json, context, "keeps_waiting", diff.keeps_waiting);
  write_stops(json, context, "stops", diff.stops);
  write_stops(json, context, "spares", diff.spares);
  write_moves(json, context, "sooner", diff.sooner);
  write_moves(json, context, "later", diff.later);
  json.end_object();
  return json_response(std::move(json));
}

void compare(Context& context, engine::PolicyChange change, Responder responder) {
  context.service.compare(std::move(change), [&context, responder = std::move(responder)](auto diff) mutable {
    responder.send_from(
        [&context, diff = std::move(diff)] { return diff ? render_diff(context, *diff) : to_response(diff.error()); });
  });
}

}  // namespace

// The queues are checked as if they were applied.
void compare_policy(Context& context, Call call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  auto document = parse_policy(call.request.body);
  if (!document) return call.responder.send(to_response(document.error()));
  engine::PolicyChange change{.queues = document->queues.queues, .policy = {}};
  if (document->has_settings) change.policy = policy_of(document->settings);
  ApplyQueues check{
      .queues = std::move(document->queues.queues), .pointers = std::move(document->queues.pointers), .dry_run = true};
  context.service.execute(
      std::move(call.caller), std::move(check),
      [&context, change = std::move(change), responder = std::move(call.responder)](auto checked) mutable {
        if (checked) return compare(context, std::move(change), std::move(responder));
        responder.send_from([error = checked.error()] { return to_response(error); });
      });
}

}  // namespace ym::api
