#include <algorithm>

#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/command.h"
#include "api/routes/log_stream.h"

namespace ym::api {
namespace {

constexpr std::uint64_t kMaxTail = 1'000'000;

struct Wanted {
  LogRequest log;
  std::optional<std::int32_t> attempt;
};

std::expected<Wanted, Response> read_wanted(const Request& request) {
  Parameters parameters(request, {"attempt", "rank", "follow", "tail", "offset"});
  constexpr std::uint64_t kMaxInt = std::numeric_limits<std::int32_t>::max();
  Wanted wanted;
  if (const auto attempt = parameters.number("attempt", 1, kMaxInt))
    wanted.attempt = static_cast<std::int32_t>(*attempt);
  wanted.log.task = static_cast<std::int32_t>(parameters.number("rank", 0, kMaxInt).value_or(0));
  wanted.log.follow = parameters.flag("follow");
  wanted.log.last_lines = parameters.number("tail", 0, kMaxTail);
  const auto offset = parameters.number("offset", 0, std::numeric_limits<std::int64_t>::max());
  if (offset && wanted.log.last_lines) parameters.reject("offset", "cannot be given together with tail");
  wanted.log.offset = offset.value_or(0);
  if (auto fault = parameters.fault()) return std::unexpected(std::move(*fault));
  return wanted;
}

Response not_found(std::string message) { return to_response(Error{ErrorCode::not_found, std::move(message)}); }

// The attempt to read; nothing if there is none yet and the caller wants to wait.
std::expected<std::optional<std::int32_t>, Response> choose_attempt(const JobView& view, const Wanted& wanted) {
  const auto made = view.attempts.size();
  if (wanted.attempt && !view.attempt(*wanted.attempt)) {
    return std::unexpected(not_found(
        fmt::format("the job has {} attempt{} so far, no attempt {}", made, made == 1 ? "" : "s", *wanted.attempt)));
  }
  if (made == 0 && wanted.log.follow && !is_terminal(view.job->state)) return std::nullopt;
  if (made == 0) return std::unexpected(not_found("the job was never started, so it has no log"));
  return wanted.attempt.value_or(view.attempts.back()->number);
}

// An attempt of an elastic job may have fewer tasks than `nodes`.
std::optional<Response> refuse_rank(const JobView& view, std::optional<std::int32_t> attempt, std::int32_t rank) {
  if (!attempt || !view.job->spec->min_nodes) return std::nullopt;
  const auto tasks = view.attempt(*attempt)->placement.size();
  if (std::cmp_less(rank, tasks)) return std::nullopt;
  return not_found(fmt::format("ranks of attempt {} are 0 to {}", *attempt, tasks - 1));
}

}  // namespace

void read_job_log(Context& context, Call call) {
  auto wanted = read_wanted(call.request);
  if (!wanted) return call.responder.send(std::move(wanted.error()));
  auto id = job_of_path(call);
  if (!id) return call.responder.send(std::move(id.error()));
  const auto view = call.reads().job(call.caller, *id);
  if (!view) return call.responder.send(to_response(view.error()));
  if (wanted->log.task >= view->job->spec->nodes) {
    return call.responder.send(not_found(fmt::format("ranks are 0 to {}", view->job->spec->nodes - 1)));
  }
  auto attempt = choose_attempt(*view, *wanted);
  if (!attempt) return call.responder.send(std::move(attempt.error()));
  if (auto refusal = refuse_rank(*view, *attempt, wanted->log.task)) return call.responder.send(std::move(*refusal));
  wanted->log.job = *id;
  wanted->log.attempt = *attempt;
  // Whether it may is asked when the log is read.
  const Job& job = *view->job;
  if (allows(call.reads().access_of(call.caller), Permission::jobs_logs, target_of(job), job.owner))
    record_read(call, Permission::jobs_logs, job.owner, "job:" + to_string(*id));
  call.responder.send(Response{.poll = open_log(context.backends, context.users, call.caller, wanted->log)});
}

}  // namespace ym::api
