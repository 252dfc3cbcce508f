#include "control/serve/standby_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "control/access/token_import.h"

namespace ym {
namespace {

constexpr std::size_t kRegularPage = 1000;

// A leader of an earlier version changes tokens without events, so its state is read again after this time.
constexpr std::chrono::minutes kOldTokensKept{1};

}  // namespace

StandbyServer::Standing StandbyServer::behind(const std::string& leader, const std::string& url) {
  if (leader.empty()) return {.message = "this server stands by, and no server leads at the moment"};
  if (url.empty()) return {.message = fmt::format("this server stands by; {} leads", leader)};
  return {.message = fmt::format("this server stands by; {} leads at {}", leader, url), .leader_url = url};
}

StandbyServer::StandbyServer(Source source, std::function<Standing()> standing, const Settings& settings,
                             const Clock& clock)
    : source_(std::move(source)),
      standing_(std::move(standing)),
      access_(settings.access),
      clock_(clock),
      reads_(read_model_, access_book_, listeners_, clock, make_sources()),
      state_(engine::State::load({})) {
  read_model_.set_file_policy(settings.policy);
}

void StandbyServer::set_access_mode(AccessMode mode) {
  access_ = mode;
  access_book_.set_mode(mode);
}

Reads::Sources StandbyServer::make_sources() {
  return {.reader = source_.reader,
          .usage = [this] { return usage(); },
          .check_job_token = [this](const Secret& token) { return check_job_token(token); },
          .not_ready = [this]() -> std::optional<std::string> { return standing_().message; }};
}

Result<void> StandbyServer::begin() {
  auto loaded = source_.load();
  if (!loaded) return std::unexpected(loaded.error());
  auto reader = source_.reader();
  if (!reader) return std::unexpected(reader.error());
  const auto key = source_.job_token_key();
  if (!key) return std::unexpected(key.error());
  auto job_tokens = JobTokens::with_key(*key);
  if (!job_tokens) return std::unexpected(job_tokens.error());
  tables_ = std::move(loaded->tables);
  state_ = engine::State::load(tables_);
  reader_ = std::move(*reader);
  read_model_.reset(tables_);
  const auto imported = import_of(tables_, loaded->tokens);
  access_book_.reset(tables_, access_, imported);
  access_book_.set_mode(access_);  // it may have changed meanwhile
  read_again_at_ = imported.empty() ? std::nullopt : std::optional(Steady::now() + kOldTokensKept);
  {
    const std::lock_guard lock(mutex_);
    job_tokens_ = std::move(*job_tokens);
  }
  note_usage();
  loaded_ = true;
  return {};
}

// Takes all stored events at once, so that they end where a commit ends: later events of the same commit may be about a
// job that has ended.
Result<void> StandbyServer::follow() {
  if (!loaded_ || (read_again_at_ && *read_again_at_ <= Steady::now())) return begin();
  std::vector<Event> events;
  auto after = tables_.last_seq;
  while (true) {
    auto page = reader_->events({.after = after}, kRegularPage);
    if (!page) return std::unexpected(page.error());
    if (page->empty()) break;
    // The next event is no longer stored, so the whole state is loaded again.
    if (page->front().seq != after + 1) return begin();
    after = page->back().seq;
    events.insert(events.end(), std::make_move_iterator(page->begin()), std::make_move_iterator(page->end()));
  }
  // A new leader imports the old tokens.
  const auto begins_to_lead = [](const Event& event) { return std::holds_alternative<ServerStarted>(event.payload); };
  if (read_again_at_ && std::ranges::any_of(events, begins_to_lead)) return begin();
  // An erasure changes rows and events that this server has read.
  const auto erases = [](const Event& event) { return std::holds_alternative<ErasureSet>(event.payload); };
  if (std::ranges::any_of(events, erases)) return begin();
  if (!events.empty()) take(std::move(events));
  return {};
}

void StandbyServer::take(std::vector<Event> events) {
  Committed committed;
  Touched touched;
  for (const auto& event : events) {
    apply(tables_, event, &touched);
    state_.apply(event);
    if (const auto* finished = std::get_if<JobFinished>(&event.payload)) committed.finished.push_back(finished->job);
  }
  committed.events = std::make_shared<const std::vector<Event>>(std::move(events));
  read_model_.publish(committed, tables_);
  access_book_.follow(*committed.events);
  for (const auto job : committed.finished) forget(tables_, job);
  note_usage();
  listeners_.tell(*committed.events);
}

void StandbyServer::note_usage() {
  Reads::Usage usage{.queues = engine::queue_usage(state_), .budgets = engine::budget_usage(state_, clock_.now())};
  const std::lock_guard lock(mutex_);
  usage_ = std::move(usage);
}

Reads::Usage StandbyServer::usage() const {
  const std::lock_guard lock(mutex_);
  return usage_;
}

Result<AttemptKey> StandbyServer::check_job_token(const Secret& token) const {
  const std::lock_guard lock(mutex_);
  if (!job_tokens_) return fail(ErrorCode::unavailable, std::string(kStateNotRead));
  return job_tokens_->check(token, clock_.now());
}

std::unexpected<Error> StandbyServer::refused() const {
  auto standing = standing_();
  Error error{.code = standing.code, .message = std::move(standing.message), .retryable = standing.retryable};
  if (!standing.leader_url.empty()) error.fields.push_back({"/leader", std::move(standing.leader_url)});
  return std::unexpected(std::move(error));
}

std::unexpected<Error> StandbyServer::refused_to_task() const {
  auto refusal = refused();
  refusal.error().code = ErrorCode::unavailable;
  refusal.error().retryable = true;
  return refusal;
}

void StandbyServer::execute(Caller caller, Command, Reply reply) {
  reply(caller.attempt ? refused_to_task() : refused());
}

void StandbyServer::note(AuditRecord record) {
  const auto request = record.request;
  const std::string actor = record.actor;
  if (!audit_.note(std::move(record))) return;
  (void)audit_.take_due(clock_.now());
  audit_.stored();
  spdlog::info("audit: {} {} {} {}, from {}", to_string(request.outcome), actor, request.verb, request.object,
               request.source);
}

void StandbyServer::compare(const Caller&, engine::PolicyChange, CompareReply reply) { reply(refused()); }

void StandbyServer::read_log(const Caller&, LogQuery, LogReply reply) { reply(refused()); }

Result<TaskLink*> StandbyServer::task_link(const Caller&, AttemptKey) { return refused_to_task(); }

// Only the leader can say that there is no such attempt: it may be too new to be followed here.
Result<std::optional<Notice>> StandbyServer::notice(const Caller& caller, AttemptKey attempt) {
  auto notice = notice_of(reads_.job(caller, attempt.job), attempt);
  if (!notice && notice.error().code == ErrorCode::not_found) return refused_to_task();
  return notice;
}

Result<Explanation> StandbyServer::why(const Caller& caller, JobId id) {
  const auto view = reads_.job(caller, id);
  if (!view) return std::unexpected(view.error());
  Explanation explanation{.state = view->job->state, .message = view->job->message};
  if (view->job->state != JobState::queued && view->job->state != JobState::held) return explanation;
  explanation.dominant = engine::reason_of(view->job->pending.value_or(ReasonCode::pending_evaluation));
  explanation.code_only = true;
  if (const auto within = read_model_.promised_wait_of(view->job); within && view->job->state == JobState::queued)
    explanation.promise = {.within = *within, .by = view->job->waits_since + *within};
  return explanation;
}

}  // namespace ym
