#include <algorithm>

#include "api/digest.h"
#include "api/json/render.h"
#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/command.h"

namespace ym::api {
namespace {

Response render_job(const Asker& asker, JobId id) {
  const auto view = asker.reads().job(asker.caller, id);
  if (!view) return to_response(view.error());
  if (!view->is_outline) record_read(asker, Permission::jobs_get, view->job->owner, "job:" + to_string(id));
  JsonWriter json;
  write_job(json, view->job, view->attempts, asker.reads().now());
  return json_response(std::move(json), is_done(view->job) ? 200 : 202);
}

std::optional<Response> refuse(const Call& call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return fault;
  return refuse_content(call.request);
}

void act_on_group(Call call, ChangeGroup::Act act) {
  const auto group = call.reads().resolve_group(call.caller, call.parameter("id"));
  if (!group) return call.responder.send(to_response(group.error()));
  run_command(std::move(call), ChangeGroup{*group, act}, [](const Asker& asker, const CommandReply& reply) {
    return items_response(asker, reply.jobs, true, std::ranges::all_of(reply.jobs, is_done) ? 200 : 202);
  });
}

// Acts on one job, or on all members of an array.
template <class Action>
void act(Call call, ChangeGroup::Act of_group) {
  if (auto refusal = refuse(call)) return call.responder.send(std::move(*refusal));
  const auto id = call.reads().resolve(call.caller, call.parameter("id"));
  if (!id && id.error().code == ErrorCode::ambiguous) return act_on_group(std::move(call), of_group);
  if (!id) return call.responder.send(to_response(id.error()));
  run_command(std::move(call), Action{*id},
              [job = *id](const Asker& asker, const CommandReply&) { return render_job(asker, job); });
}

Response render_retry(const Asker& asker, const CommandReply& reply) {
  if (reply.jobs.empty()) return to_response(Error{ErrorCode::internal, "the retry made no job"});
  const Job& job = reply.jobs.front();
  Response response = job_response(asker, job, 201);
  response.headers.push_back({"Location", "/api/v1/jobs/" + to_string(job.id)});
  if (reply.replayed) response.headers.push_back({"Idempotency-Replayed", "true"});
  return response;
}

}  // namespace

void cancel_job(Context&, Call call) { act<CancelJob>(std::move(call), ChangeGroup::Act::cancel); }
void hold_job(Context&, Call call) { act<HoldJob>(std::move(call), ChangeGroup::Act::hold); }
void release_job(Context&, Call call) { act<ReleaseJob>(std::move(call), ChangeGroup::Act::release); }

void retry_job(Context&, Call call) {
  if (auto refusal = refuse(call)) return call.responder.send(std::move(*refusal));
  auto key = idempotency_key(call.request);
  if (!key) return call.responder.send(std::move(key.error()));
  auto id = job_of_path(call);
  if (!id) return call.responder.send(std::move(id.error()));
  RetryJob command{.job = *id, .idempotency_key = std::move(*key)};
  if (command.idempotency_key) command.request_hash = sha256_hex("retry\n" + to_string(*id));
  run_command(std::move(call), std::move(command), render_retry);
}

}  // namespace ym::api
