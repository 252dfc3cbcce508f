// Controller: work that is due at a time.
#include <spdlog/spdlog.h>

#include <algorithm>

#include "control/attempts/launch.h"
#include "control/commands/reservation_commands.h"
#include "control/controller.h"

namespace ym {
namespace {

// An executor may write a file for each token.
constexpr int kRenewedAtOnce = 64;

}  // namespace

void Controller::do_due() {
  stage_backlog();
  progress_.stage_due(staging_);
  usage_.stage_due(staging_);
  run_times_.stage_due(staging_);
  stage_reservations_over(staging_);
  renew_tokens();
  report_lost_jobs();
  if (options_.audit) stage_records(options_.audit->take_due(staging_.now()));
}

void Controller::stage_records(std::vector<AuditRecord> records) {
  for (auto& record : records) staging_.add(std::move(record.actor), std::move(record.request));
}

std::optional<Instant> Controller::next_due() const {
  std::optional<Instant> next;
  if (run_times_.is_due()) next = staging_.now();
  for (const auto due :
       {progress_.next_due(), renewals_.next(), watch_.next(), usage_.next(state_),
        next_reservation_over(state_.tables), options_.audit ? options_.audit->next_due() : std::nullopt})
    if (due) next = std::min(next.value_or(*due), *due);
  return next;
}

void Controller::report_lost_jobs() {
  while (const auto key = watch_.overdue(staging_.now())) {
    const Job& job = state_.tables.jobs.at(key->job);
    spdlog::warn("job {}, attempt {}, is out of contact for {} minutes: {}", to_string(key->job), key->number,
                 ContactWatch::kAlarm.ms / minutes(1).ms, job.message);
  }
}

void Controller::renew_tokens() {
  const auto now = staging_.now();
  for (int i = 0; i < kRenewedAtOnce; ++i) {
    const auto key = renewals_.due(now);
    if (!key) return;
    const auto it = state_.tables.attempts.find(*key);
    if (it == state_.tables.attempts.end() || it->second.state == AttemptState::ended) {
      renewals_.erase(*key);
      continue;
    }
    renewals_.set(*key, now + JobTokens::kRenewedEvery);
    if (auto* executor = executor_of(it->second.cluster)) {
      if (auto contact = contact_of(state_.tables, it->second, options_.contacts, now))
        executor->deliver(it->second.token(), contact->token);
    }
  }
}

}  // namespace ym
