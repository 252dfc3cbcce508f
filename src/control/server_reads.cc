// The reading half of ControlServer: live rows from the read model, history from the
// store.
#include <fmt/format.h>

#include <algorithm>

#include "control/reader_lease.h"
#include "control/why_it_runs.h"

namespace ym {

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

std::unexpected<Error> no_such_job(JobId id) {
  return fail(ErrorCode::not_found, fmt::format("there is no job {}", to_string(id)));
}

}  // namespace

std::unexpected<Error> ControlServer::no_such_attempt(AttemptKey key) {
  return fail(ErrorCode::not_found, fmt::format("job {} has no attempt {}", to_string(key.job), key.number));
}

// Here, on the caller's thread, so that what is said of jobs that are long over (the reports of
// one that does not end, say) costs the control thread no look into the store.
std::shared_ptr<const JobView> ControlServer::ended_job_of(const Command& command) {
  const auto id = std::visit(
      [](const auto& what) -> std::optional<JobId> {
        if constexpr (requires { JobId{what.job}; }) return what.job;
        else if constexpr (requires { what.attempt.job; }) return what.attempt.job;
        else return std::nullopt;
      },
      command);
  if (!id || read_model_.job(*id)) return nullptr;
  auto found = stored_job(*id);
  if (!found || !is_terminal(found->job.state)) return nullptr;
  return std::make_shared<const JobView>(std::move(*found));
}

Result<JobView> ControlServer::job(JobId id) {
  const auto live = read_model_.job(id);
  if (!live) return stored_job(id);
  JobView view = *live;
  if (view.attempts.empty() || view.attempts.front().number == 1) return view;
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  auto attempts = (*reader)->attempts(id);
  if (!attempts) return std::unexpected(attempts.error());
  std::erase_if(*attempts, [first = view.attempts.front().number](const Attempt& a) { return a.number >= first; });
  view.attempts.insert(view.attempts.begin(), std::make_move_iterator(attempts->begin()),
                       std::make_move_iterator(attempts->end()));
  return view;
}

Result<JobView> ControlServer::stored_job(JobId id) {
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  auto found = (*reader)->job(id);
  if (!found) return std::unexpected(found.error());
  if (!*found) return no_such_job(id);
  auto attempts = (*reader)->attempts(id);
  if (!attempts) return std::unexpected(attempts.error());
  return JobView{std::move(**found), std::move(*attempts)};
}

// Where the history goes on behind a page that is shorter than was asked for.
Result<std::optional<JobId>> ControlServer::cut_of(StoreReader& reader, JobFilter filter, const std::vector<Job>& page,
                                                   std::size_t limit) {
  if (page.empty() || page.size() >= limit) return std::nullopt;
  filter.before = page.back().id;
  const auto behind = reader.jobs(filter, 1);
  if (!behind) return std::unexpected(behind.error());
  return behind->empty() ? std::nullopt : filter.before;
}

Result<ControlServer::HistoryPage> ControlServer::history_page(const JobFilter& filter, std::size_t limit) {
  JobFilter ended = filter;
  if (ended.states.empty()) {
    ended.states = {JobState::succeeded, JobState::failed, JobState::cancelled, JobState::timed_out};
  } else {
    std::erase_if(ended.states, [](JobState state) { return !is_terminal(state); });
    if (ended.states.empty()) return HistoryPage{};
  }
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  auto jobs = reader->get().jobs(ended, limit);
  if (!jobs) return std::unexpected(jobs.error());
  const auto cut_at = cut_of(reader->get(), ended, *jobs, limit);
  if (!cut_at) return std::unexpected(cut_at.error());
  std::vector<JobId> ids;
  for (const auto& job : *jobs) ids.push_back(job.id);
  auto attempts = reader->get().attempts(ids);
  if (!attempts) return std::unexpected(attempts.error());
  std::map<JobId, std::vector<Attempt>> by_job;
  for (auto& attempt : *attempts) by_job[attempt.job].push_back(std::move(attempt));
  HistoryPage page{.cut_at = *cut_at};
  for (auto& job : *jobs) {
    const auto id = job.id;
    page.views.push_back({std::move(job), std::move(by_job[id])});
  }
  return page;
}

Result<JobPage> ControlServer::jobs(const JobFilter& filter, std::size_t limit) {
  // Live rows first: a job that ends in between is then seen twice, never not at all.
  const auto live = read_model_.jobs(filter, limit + 1);
  auto ended = history_page(filter, limit + 1);
  if (!ended) return std::unexpected(ended.error());
  std::map<JobId, JobView> merged;
  for (const auto& view : live.jobs) merged.insert_or_assign(view->job.id, *view);
  for (auto& view : ended->views) merged.insert_or_assign(view.job.id, std::move(view));
  JobPage page{.as_of = live.as_of};
  for (auto it = merged.rbegin(); it != merged.rend(); ++it) {
    // Past what was read of the history, rows would be missing between live ones.
    const bool cut = ended->cut_at && it->first < *ended->cut_at;
    if (page.items.size() == limit || cut) {
      page.next = page.items.back().job.id;
      break;
    }
    page.items.push_back(std::move(it->second));
  }
  if (!page.next && ended->cut_at && !page.items.empty()) page.next = page.items.back().job.id;
  return page;
}

std::vector<QueueView> ControlServer::queues() {
  const auto report = engine_->report();
  auto views = read_model_.queues(report->usage);
  for (QueueView& view : views)
    if (const auto used = report->budgets.find(view.queue.name); used != report->budgets.end())
      view.budgets_used = used->second;
  return views;
}

Result<Explanation> ControlServer::why(JobId id) {
  const auto view = read_model_.job(id);
  if (!view) {
    const auto ended = job(id);
    if (!ended) return std::unexpected(ended.error());
    return Explanation{.state = ended->job.state, .message = ended->job.message};
  }
  Explanation explanation{.state = view->job.state, .message = view->job.message};
  if (is_active(view->job.state)) {
    explanation.because = reasons_to_run(*view);
    explanation.deadline = deadline_of_running(*view);
  }
  if (view->job.state != JobState::queued && view->job.state != JobState::held) return explanation;
  if (const auto within = read_model_.promised_wait_of(view->job); within && view->job.state == JobState::queued)
    explanation.promise = {.within = *within, .by = view->job.waits_since + *within};
  const auto report = engine_->report();
  const auto& plan = report->plan;
  explanation.dominant.emplace().code = view->job.pending.value_or(ReasonCode::pending_evaluation);
  const auto mine = std::ranges::find(plan.verdicts, id, &engine::Verdict::job);
  if (mine == plan.verdicts.end()) return explanation;
  explanation.dominant = plan.dominant(*mine);
  for (const auto also : plan.answer_to(*mine).also) explanation.also.push_back(plan.reasons.at(also));
  const auto promised = std::ranges::find(plan.reservations, id, &engine::Reservation::job);
  if (promised != plan.reservations.end()) explanation.reservation = *promised;
  const auto advised = std::ranges::find(plan.advice, id, &engine::MoveAdvice::job);
  if (advised != plan.advice.end()) explanation.advice = *advised;
  constexpr std::size_t kShown = 20;
  const auto ahead = read_model_.queued({plan.verdicts.begin(), mine}, kShown);
  for (const auto& shown : ahead.first) explanation.ahead.push_back(shown->job);
  explanation.ahead_total = ahead.total;
  if (explanation.dominant->code != ReasonCode::held) look_ahead(explanation, id);
  return explanation;
}

std::vector<std::string> ControlServer::reasons_to_run(const JobView& view) {
  const auto all = queues();
  const auto own = std::ranges::find(all, view.attempts.back().queue, [](const auto& one) { return one.queue.name; });
  return own == all.end() ? std::vector<std::string>() : why_it_runs(view, *own, now());
}

void ControlServer::look_ahead(Explanation& explanation, JobId id) {
  const auto outlook = engine_->outlook(id);
  if (outlook->forecast.version == 0) return;
  explanation.forecast = {.as_of = outlook->forecast.as_of, .until = outlook->forecast.until};
  if (const auto changes = outlook->sooner.find(id); changes != outlook->sooner.end())
    explanation.sooner = changes->second;
  if (const auto verdict = outlook->deadlines.find(id); verdict != outlook->deadlines.end())
    explanation.deadline = verdict->second;
  const auto start = outlook->forecast.starts.find(id);
  if (start == outlook->forecast.starts.end()) return;
  // What should have been by now is still to come.
  engine::PredictedStart when = start->second;
  when.low = std::max(when.low, now());
  when.median = std::max(when.median, now());
  if (when.high) when.high = std::max(*when.high, now());
  explanation.predicted_start = when;
}

Result<EventPage> ControlServer::events(const EventFilter& filter, std::size_t limit) {
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  // Read before the page: everything up to here is in the store.
  EventPage page{.as_of = read_model_.last_seq()};
  auto events = (*reader)->events(filter, limit);
  if (!events) return std::unexpected(events.error());
  page.items = std::move(*events);
  if (page.items.empty()) return page;
  const auto behind = (*reader)->events({.job = filter.job, .after = page.items.back().seq}, 1);
  if (!behind) return std::unexpected(behind.error());
  page.more = !behind->empty();
  return page;
}

Result<std::optional<Notice>> ControlServer::notice(AttemptKey key) {
  const auto view = job(key.job);
  if (!view) return std::unexpected(view.error());
  const auto attempt = std::ranges::find(view->attempts, key.number, &Attempt::number);
  if (attempt == view->attempts.end()) return no_such_attempt(key);
  if (!attempt->stop_cause || !attempt->stop_by) return std::optional<Notice>();
  return Notice{.cause = *attempt->stop_cause, .deadline = *attempt->stop_by, .grace = view->job.spec->stop.grace};
}

}  // namespace ym
