// The reading half of ControlServer: live rows from the read model, history from the
// store.
#include <fmt/format.h>

#include <algorithm>

#include "control/server.h"

namespace ym {

class ControlServer::ReaderLease {
 public:
  ReaderLease(ControlServer& server, std::unique_ptr<StoreReader> reader)
      : server_(&server), reader_(std::move(reader)) {}
  ReaderLease(ReaderLease&&) noexcept = default;
  ReaderLease& operator=(ReaderLease&&) = delete;
  ReaderLease(const ReaderLease&) = delete;
  ReaderLease& operator=(const ReaderLease&) = delete;
  ~ReaderLease() {
    if (!reader_) return;
    const std::lock_guard lock(server_->readers_mutex_);
    server_->idle_readers_.push_back(std::move(reader_));
  }
  StoreReader* operator->() const { return reader_.get(); }

 private:
  ControlServer* server_;
  std::unique_ptr<StoreReader> reader_;
};

Result<ControlServer::ReaderLease> ControlServer::lease_reader() {
  {
    const std::lock_guard lock(readers_mutex_);
    if (!idle_readers_.empty()) {
      auto reader = std::move(idle_readers_.back());
      idle_readers_.pop_back();
      return ReaderLease(*this, std::move(reader));
    }
  }
  auto reader = store_.reader();
  if (!reader) return std::unexpected(reader.error());
  return ReaderLease(*this, std::move(*reader));
}

namespace {

// More than this many array members are not listed one by one in a message.
constexpr std::size_t kShownMembers = 3;

std::unexpected<Error> no_such_job(std::string_view name) {
  return fail(ErrorCode::not_found,
              fmt::format("there is no job '{}' (names stand for your unfinished jobs; a job that "
                          "has ended is found by its id)",
                          name));
}

}  // namespace

Result<JobId> ControlServer::resolve(const Caller& caller, std::string_view id_or_name) {
  if (const auto id = parse_job_id(id_or_name)) {
    if (read_model_.job(*id)) return *id;
    auto reader = lease_reader();
    if (!reader) return std::unexpected(reader.error());
    auto ended = (*reader)->job(*id);
    if (!ended) return std::unexpected(ended.error());
    if (*ended) return *id;
  }
  if (const auto id = read_model_.newest_named(caller.principal, std::string(id_or_name))) return *id;
  // "train" where there are train-0, train-1, ...: the name of an array.
  JobFilter members{.owner = caller.principal};
  std::vector<std::string> names;
  for (std::size_t index = 0; index <= kShownMembers; ++index) {
    const auto name = fmt::format("{}-{}", id_or_name, index);
    if (read_model_.newest_named(caller.principal, name)) names.push_back(name);
  }
  if (names.empty()) return newest_ended(caller, id_or_name);
  return fail(ErrorCode::ambiguous,
              fmt::format("'{}' is an array; name a member, for example '{}'", id_or_name, names.front()));
}

// Nothing unfinished has the name: whoever types it means the one that has just ended.
Result<JobId> ControlServer::newest_ended(const Caller& caller, std::string_view name) {
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  auto ended = (*reader)->jobs({.owner = caller.principal, .name = std::string(name)}, 1);
  if (!ended) return std::unexpected(ended.error());
  if (ended->empty()) return no_such_job(name);
  return ended->front().id;
}

Result<JobView> ControlServer::job(JobId id) {
  if (const auto live = read_model_.job(id)) return *live;
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  auto found = (*reader)->job(id);
  if (!found) return std::unexpected(found.error());
  if (!*found) return no_such_job(to_string(id));
  auto attempts = (*reader)->attempts(id);
  if (!attempts) return std::unexpected(attempts.error());
  return JobView{std::move(**found), std::move(*attempts)};
}

Result<std::vector<JobView>> ControlServer::history_page(const JobFilter& filter, std::size_t limit) {
  JobFilter ended = filter;
  if (ended.states.empty()) {
    ended.states = {JobState::succeeded, JobState::failed, JobState::cancelled, JobState::timed_out};
  } else {
    std::erase_if(ended.states, [](JobState state) { return !is_terminal(state); });
    if (ended.states.empty()) return std::vector<JobView>{};
  }
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  auto jobs = (*reader)->jobs(ended, limit);
  if (!jobs) return std::unexpected(jobs.error());
  std::vector<JobId> ids;
  for (const auto& job : *jobs) ids.push_back(job.id);
  auto attempts = (*reader)->attempts(ids);
  if (!attempts) return std::unexpected(attempts.error());
  std::map<JobId, std::vector<Attempt>> by_job;
  for (auto& attempt : *attempts) by_job[attempt.job].push_back(std::move(attempt));
  std::vector<JobView> views;
  for (auto& job : *jobs) {
    const auto id = job.id;
    views.push_back({std::move(job), std::move(by_job[id])});
  }
  return views;
}

Result<JobPage> ControlServer::jobs(const JobFilter& filter, std::size_t limit) {
  // Live rows first: a job that ends in between is then seen twice, never not at all.
  const auto live = read_model_.jobs(filter, limit + 1);
  auto ended = history_page(filter, limit + 1);
  if (!ended) return std::unexpected(ended.error());
  std::map<JobId, JobView> merged;
  for (const auto& view : live.jobs) merged.insert_or_assign(view->job.id, *view);
  for (auto& view : *ended) merged.insert_or_assign(view.job.id, std::move(view));
  JobPage page{.as_of = live.as_of};
  for (auto it = merged.rbegin(); it != merged.rend(); ++it) {
    if (page.items.size() == limit) {
      page.next = page.items.back().job.id;
      break;
    }
    page.items.push_back(std::move(it->second));
  }
  return page;
}

Result<Explanation> ControlServer::why(JobId id) {
  const auto view = read_model_.job(id);
  if (!view) {
    auto ended = job(id);
    if (!ended) return std::unexpected(ended.error());
    return fail(ErrorCode::conflict,
                fmt::format("job {} does not wait: it is {}", to_string(id), to_string(ended->job.state)));
  }
  if (view->job.state != JobState::queued && view->job.state != JobState::held) {
    return fail(ErrorCode::conflict,
                fmt::format("job {} does not wait: it is {}", to_string(id), to_string(view->job.state)));
  }
  const auto report = engine_->report();
  const auto& plan = report->plan;
  Explanation explanation;
  explanation.dominant.code = view->job.pending.value_or(ReasonCode::pending_evaluation);
  const auto mine = std::ranges::find(plan.verdicts, id, &engine::Verdict::job);
  if (mine == plan.verdicts.end()) return explanation;
  explanation.dominant = plan.reasons.at(mine->reason);
  for (const auto also : mine->also) explanation.also.push_back(plan.reasons.at(also));
  constexpr std::size_t kShown = 20;
  for (auto it = plan.verdicts.begin(); it != mine; ++it) {
    const auto ahead = read_model_.job(it->job);
    if (!ahead || ahead->job.state != JobState::queued) continue;
    explanation.ahead_total += 1;
    if (explanation.ahead.size() < kShown) explanation.ahead.push_back(ahead->job);
  }
  return explanation;
}

Result<EventPage> ControlServer::events(const EventFilter& filter, std::size_t limit) {
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  // Read before the page: everything up to here is in the store.
  EventPage page{.as_of = read_model_.last_seq()};
  auto events = (*reader)->events(filter, limit);
  if (!events) return std::unexpected(events.error());
  page.items = std::move(*events);
  return page;
}

Result<LogChunk> ControlServer::log(const LogQuery& query) {
  const auto view = job(query.attempt.job);
  if (!view) return std::unexpected(view.error());
  const auto attempt = std::ranges::find(view->attempts, query.attempt.number, &Attempt::number);
  if (attempt == view->attempts.end()) {
    return fail(ErrorCode::not_found,
                fmt::format("job {} has no attempt {}", to_string(query.attempt.job), query.attempt.number));
  }
  if (query.task < 0 || static_cast<std::size_t>(query.task) >= attempt->tasks.size()) {
    return fail(ErrorCode::not_found,
                fmt::format("attempt {} has the ranks 0 to {}", query.attempt.number, attempt->tasks.size() - 1));
  }
  const auto executor = executors_.find(attempt->cluster);
  if (executor == executors_.end()) {
    return fail(ErrorCode::not_found, fmt::format("cluster '{}' is not connected", attempt->cluster));
  }
  return executor->second->read_log(query);
}

}  // namespace ym
