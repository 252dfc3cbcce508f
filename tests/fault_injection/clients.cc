#include "fault_injection/clients.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ym::sim {
namespace {

constexpr Duration kPause = seconds(1);

const Caller& caller() {
  static const Caller ann{.principal = "ann"};
  return ann;
}

}  // namespace

std::optional<JobId> Clients::job(std::size_t number) const {
  return jobs_.empty() ? std::nullopt : std::optional(jobs_[number % jobs_.size()]);
}

void Clients::act(const ClientAct& act, Instant now) {
  if (const auto* some = std::get_if<SubmitSome>(&act)) {
    const std::string key = fmt::format("key-{}", requests_.size());
    ask({.command = SubmitJobs{.specs = {some->spec}, .idempotency_key = key, .request_hash = key},
         .key = key,
         .times = some->again ? 2 : 1,
         .at = now});
  } else if (const auto* on = std::get_if<ActOnJob>(&act)) {
    act_on(*on, now);
  } else if (const auto* node = std::get_if<SwitchNode>(&act)) {
    ask({.command = SetNodeSchedulable{.node = node->node, .schedulable = node->schedulable}, .key = {}, .at = now});
  } else {
    ask({.command = ApplyQueues{.queues = {std::get<ChangeQueue>(act).queue}}, .key = {}, .at = now});
  }
}

void Clients::act_on(const ActOnJob& act, Instant now) {
  const auto id = job(act.job);
  if (!id) return;
  Request request{.command = HoldJob{*id}, .key = {}, .at = now};
  if (act.act == ActOnJob::Act::cancel) request.command = CancelJob{*id}, request.cancels = *id;
  if (act.act == ActOnJob::Act::release) request.command = ReleaseJob{*id};
  if (act.act == ActOnJob::Act::retry) request.command = RetryJob{*id};
  const bool holds = act.act == ActOnJob::Act::hold;
  ask(std::move(request));
  // A held job is released, so that it does not wait for ever.
  if (holds) ask({.command = ReleaseJob{*id}, .key = {}, .at = now + minutes(5)});
}

void Clients::send(StepServer& server, Instant now) {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    Request& request = requests_[i];
    if (request.is_out || request.times == 0 || request.at > now) continue;
    request.is_out = true;
    Command command = request.command;
    auto* submit = std::get_if<SubmitJobs>(&command);
    if (submit && canary_ == Canary::key_is_dropped) submit->idempotency_key.reset();
    server.execute(caller(), std::move(command),
                   [this, i, now](const Result<CommandReply>& reply) { take(i, reply, now); });
  }
}

// A request that cannot be served now is sent again. All other answers are final.
void Clients::take(std::size_t number, const Result<CommandReply>& reply, Instant now) {
  Request& request = requests_[number];
  request.is_out = false;
  request.at = now + kPause;
  if (!reply && reply.error().code == ErrorCode::unavailable) return;
  request.times -= 1;
  if (reply && !request.key.empty()) {
    Submitted& submitted = submitted_[request.key];
    std::vector<JobId> made;
    for (const Job& job : reply->jobs) made.push_back(job.id);
    if (submitted.answers.empty()) jobs_.insert(jobs_.end(), made.begin(), made.end());
    submitted.answers.push_back(std::move(made));
  }
  if (reply && request.cancels) cancelled_[*request.cancels] = now;
  answered_();
}

void Clients::server_died(Instant now) {
  for (Request& request : requests_)
    if (std::exchange(request.is_out, false)) request.at = now + kPause;
}

std::optional<Instant> Clients::next() const {
  std::optional<Instant> next;
  for (const Request& request : requests_)
    if (!request.is_out && request.times > 0) next = std::min(next.value_or(request.at), request.at);
  return next;
}

}  // namespace ym::sim
