#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "api/json/render.h"
#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/command.h"
#include "control/site/policy.h"
#include "spec/documents.h"

namespace ym::api {
namespace {

// Most jobs of each list. Their total number is shown separately.
constexpr std::size_t kMostListed = 1'000;

JobId job_of(JobId job) { return job; }
JobId job_of(const engine::PolicyDiff::Stop& stop) { return stop.job; }
JobId job_of(const engine::PolicyDiff::Move& move) { return move.job; }

// The members beside the job.
void write_rest(JsonWriter&, JobId) {}
void write_rest(JsonWriter& json, const engine::PolicyDiff::Stop& stop) {
  const auto unless_empty = [](const std::string& queue) {
    return queue.empty() ? std::nullopt : std::optional(queue);
  };
  const bool makes_room = stop.drained.empty() && stop.shrunk.empty();
  json.field("makes_room_for", makes_room ? std::optional(to_string(stop.makes_room_for)) : std::nullopt);
  json.field("drained_queue", unless_empty(stop.drained)).field("shrunk_queue", unless_empty(stop.shrunk));
  json.key("lost_gpu_seconds").thousandths(stop.lost_gpu_ms);
}
void write_rest(JsonWriter& json, const engine::PolicyDiff::Move& move) {
  json.field("before", move.before).field("after", move.after);
}

template <class One>
void write_list(JsonWriter& json, const Asker& asker, std::string_view key, const std::vector<One>& all) {
  json.key(key).begin_array();
  for (const auto& one : std::span(all).first(std::min(all.size(), kMostListed))) {
    const JobId id = job_of(one);
    const auto view = asker.reads().job(asker.caller, id);
    json.begin_object().field("id", to_string(id));
    json.field("name", view ? view->job->name : "");
    json.field("user", view ? view->job->owner : "");
    json.field("queue", view ? view->job->queue : "");
    write_rest(json, one);
    json.end_object();
  }
  json.end_array();
}

using Warnings = std::vector<std::string>;

Response render_diff(const Asker& asker, const engine::PolicyDiff& diff, const Warnings& warnings) {
  JsonWriter json;
  json.begin_object().field("as_of", diff.as_of).field("until", diff.until).field("waiting", diff.waiting);
  json.key("totals").begin_object();
  json.field("starts", diff.starts.size()).field("keeps_waiting", diff.keeps_waiting.size());
  json.field("stops", diff.stops.size()).field("spares", diff.spares.size());
  json.field("sooner", diff.sooner.size()).field("later", diff.later.size());
  json.end_object();
  write_list(json, asker, "starts", diff.starts);
  write_list(json, asker, "keeps_waiting", diff.keeps_waiting);
  write_list(json, asker, "stops", diff.stops);
  write_list(json, asker, "spares", diff.spares);
  write_list(json, asker, "sooner", diff.sooner);
  write_list(json, asker, "later", diff.later);
  write_warnings(json, warnings);
  json.end_object();
  return json_response(std::move(json));
}

void compare(const Asker& asker, engine::PolicyChange change, Warnings warnings, Responder responder) {
  using Diff = Result<engine::PolicyDiff>;
  asker.backend->advice.compare(
      asker.caller, std::move(change),
      answer_to<Diff>(asker, std::move(responder), [warnings = std::move(warnings)](const Asker& still, Diff diff) {
        return diff ? render_diff(still, *diff, warnings) : to_response(diff.error());
      }));
}

// Applying a file without `stop` for a queue does not end a hold or a drain.
void keep_stops(const Asker& asker, const std::set<std::string>& says_stop, std::vector<Queue>& queues) {
  std::map<std::string, StopPolicy> now;
  for (const auto& view : asker.reads().queues(asker.caller)) now[view.queue.name] = view.queue.stop;
  for (auto& queue : queues)
    if (!says_stop.contains(queue.name) && now.contains(queue.name)) queue.stop = now.at(queue.name);
}

Response render_policy(const Asker& asker, const Warnings& warnings = {}) {
  JsonWriter json;
  write_policy(json, asker.reads().policy(asker.caller), warnings);
  return json_response(std::move(json));
}

}  // namespace

void get_policy(Context&, Call call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  call.responder.send(render_policy(call));
}

void apply_policy(Context&, Call call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  auto document = parse_policy(call.request.body);
  if (!document) return call.responder.send(to_response(document.error()));
  if (document->whole)
    return call.responder.send(to_response(
        fail_field("/clusters",
                   "belongs to a whole configuration: replace the server's file with it and send SIGHUP; only "
                   "`queues`, `scheduling` and `preemption` are allowed here")
            .error()));
  ApplyPolicy command{.settings = document->settings,
                      .queues = {.queues = std::move(document->queues.queues),
                                 .pointers = std::move(document->queues.pointers),
                                 .says_stop = std::move(document->queues.says_stop)}};
  std::string text = call.request.body;
  run_command(
      std::move(call), std::move(command),
      [warnings = std::move(document->warnings)](const Asker& asker, const CommandReply&) {
        return render_policy(asker, warnings);
      },
      std::move(text));
}

void reset_policy(Context&, Call call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  run_command(std::move(call), ResetPolicy{},
              [](const Asker& asker, const CommandReply&) { return render_policy(asker); });
}

// The queues are checked as when they are applied.
void compare_policy(Context&, Call call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  auto document = parse_policy(call.request.body);
  if (!document) return call.responder.send(to_response(document.error()));
  engine::PolicyChange change{.queues = document->queues.queues};
  keep_stops(call, document->queues.says_stop, change.queues);
  // Settings that were set while the server ran override a configuration.
  if (document->whole) document->settings = over(call.reads().policy(call.caller).set, document->settings);
  change.settings = [settings = document->settings, whole = document->whole](const engine::Policy& now) {
    return policy_of(settings, whole ? engine::Policy() : now);
  };
  ApplyQueues check{
      .queues = std::move(document->queues.queues), .pointers = std::move(document->queues.pointers), .dry_run = true};
  call.backend->commands.execute(
      call.caller, std::move(check),
      [asker = WeakAsker(call), change = std::move(change), text = call.request.body,
       warnings = std::move(document->warnings), responder = std::move(call.responder)](auto checked) mutable {
        const auto still = asker.lock();
        if (!still) return responder.send(busy_stopping());
        if (checked) return compare(*still, std::move(change), std::move(warnings), std::move(responder));
        responder.send_from(
            [error = checked.error(), text = std::move(text)] { return to_response(with_lines(error, text)); });
      });
}

}  // namespace ym::api
