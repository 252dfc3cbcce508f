#include "store/rows/assembly.h"

#include <fmt/format.h>

#include <utility>

namespace ym::rows {
namespace {

std::unexpected<Error> not_whole(std::string message) { return fail(ErrorCode::corrupt, std::move(message)); }

}  // namespace

Assembly::Assembly(const Meta& meta) : meta_(meta) {
  state_.tables.last_seq = meta.last_seq;
  state_.tables.last_id = meta.last_id;
  state_.tables.epoch = meta.epoch;
  state_.tables.last_time = meta.last_time;
}

Result<void> Assembly::check_last(const std::optional<Event>& last) const {
  const auto seq = last ? last->seq : 0;
  const auto time = last ? last->time : Instant();
  if (seq == meta_.last_seq && time == meta_.last_time) return {};
  return not_whole(fmt::format("the last event is {}, but {} were written", seq, meta_.last_seq));
}

Result<void> Assembly::add(Job job) {
  if (is_terminal(job.state) || job.id.value > meta_.last_id)
    return not_whole(fmt::format("job {} is wrongly listed as unfinished", job.id.value));
  const auto id = job.id;
  state_.tables.jobs.insert_or_assign(id, std::move(job));
  return {};
}

void Assembly::add(Attempt attempt) {
  const auto key = attempt.key();
  state_.tables.attempts.insert_or_assign(key, std::move(attempt));
}

void Assembly::add(IdempotencyRecord record) {
  auto key = std::pair(record.principal, record.key);
  idempotency_.insert_or_assign(std::move(key), std::move(record));
}

Result<void> Assembly::check_jobs() const {
  if (std::ssize(state_.tables.jobs) == meta_.unfinished) return {};
  return not_whole(
      fmt::format("there are {} unfinished jobs, but there should be {}", state_.tables.jobs.size(), meta_.unfinished));
}

Result<void> Assembly::check_attempts() const {
  const auto& attempts = state_.tables.attempts;
  std::size_t expected = 0;
  for (const auto& [id, job] : state_.tables.jobs) {
    std::int32_t made = 0;
    for (auto it = attempts.lower_bound({id, 0}); it != attempts.end() && it->first.job == id; ++it, ++expected)
      if (it->second.follows(made)) made = it->first.number;
      else return not_whole(fmt::format("attempt {}.{} is missing", id.value, made + 1));
    if (made != job.attempts) return not_whole(fmt::format("attempt {}.{} is missing", id.value, job.attempts));
  }
  if (attempts.size() == expected) return {};
  return not_whole(fmt::format("there are {} attempts of jobs that have not ended, but there should be {}",
                               attempts.size(), expected));
}

LoadedState Assembly::take() {
  for (auto& [key, record] : std::exchange(idempotency_, {})) state_.idempotency.push_back(std::move(record));
  return std::move(state_);
}

}  // namespace ym::rows
