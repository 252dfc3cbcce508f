#include "control/serve/server.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <algorithm>
#include <chrono>
#include <future>
#include <iterator>
#include <utility>

namespace ym {
namespace {

// Bounds the size of one transaction, and so the wait of the items behind it.
constexpr std::size_t kMaxBatch = 1024;

// A batch that takes longer waits for a database that is away. New commands then get an error instead of waiting too.
constexpr std::chrono::seconds kLongBatch{3};

ControlOptions noting_in(DenialBook& denials, AuditIntake& audit, ControlOptions options) {
  options.controller.denials = &denials;
  options.controller.audit = &audit;
  return options;
}

std::chrono::steady_clock::duration steady_now() { return std::chrono::steady_clock::now().time_since_epoch(); }

}  // namespace

Result<std::unique_ptr<ControlServer>> ControlServer::start(Store& store, Controller::Executors executors,
                                                            const Clock& clock, ControlOptions options,
                                                            const DesiredState& desired) {
  auto contacts = JobContacts::make(options.api_url, options.job_token_key, options.advertised_url, options.ca_file);
  if (!contacts) return std::unexpected(contacts.error());
  options.controller.contacts = std::move(*contacts);
  std::unique_ptr<ControlServer> server(new ControlServer(store, std::move(executors), clock, std::move(options)));
  if (auto opened = server->loop_.open(desired); !opened) return std::unexpected(opened.error());
  const Controller& controller = server->loop_.controller();
  server->read_model_.reset(controller.tables());
  server->read_model_.set_file_policy(server->loop_.options().settings);
  server->access_book_.reset(controller.tables(), mode_of(desired.auth));
  // Before the engine: what executors report of devices at their start is in the inbox before the first plan.
  if (auto started = server->loop_.start_executors(server->make_sink()); !started)
    return std::unexpected(started.error());
  DecisionLog* const log = server->loop_.options().decision_log;
  const engine::Policy policy = server->loop_.policy_now();
  if (log) log->began(controller.tables(), policy);
  server->engine_ = std::make_unique<EngineThread>(
      engine::State::load(controller.tables()), policy, clock,
      [raw = server.get()](std::shared_ptr<const EngineReport> report) { raw->post(std::move(report)); }, log);
  server->loop_.connect(*server->engine_);
  server->thread_ = std::thread([raw = server.get()] { raw->run(); });
  server->start_sealer();
  return server;
}

ControlServer::ControlServer(Store& store, Controller::Executors executors, const Clock& clock, ControlOptions options)
    : store_(store),
      executors_(executors),
      clock_(clock),
      reads_(read_model_, access_book_, listeners_, clock, make_sources()),
      loop_(store, std::move(executors), clock, noting_in(access_book_.denials(), audit_, std::move(options)),
            {.steady_now = [] { return std::chrono::steady_clock::now(); },
             .committed = [this](const Committed& news, const Tables& tables) { published(news, tables); },
             .reconfigured =
                 [this](const PolicySettings& settings, AccessMode mode) {
                   read_model_.set_file_policy(settings);
                   access_book_.set_mode(mode);
                 }}) {
  for (const auto& [cluster, executor] : executors_) log_readers_[cluster];
  for (const auto& [cluster, executor] : executors_)
    if (auto* link = executor->task_link())
      task_links_.try_emplace(cluster, *link, [this](Error error) { return final_error(std::move(error)); });
}

Reads::Sources ControlServer::make_sources() {
  return {.reader = [this] { return store_.reader(); },
          .usage = [this] { return usage(); },
          .check_job_token =
              [this](const Secret& token) { return loop_.options().controller.contacts.check(token, clock_.now()); },
          .not_ready = [this] { return not_ready(); },
          .enforcement = [this] { return enforcement(); },
          .add_counts = [this](Counters& counters) { add_counts(counters); }};
}

ObservationSink ControlServer::make_sink() {
  sink_target_->server = this;
  return [target = sink_target_](Observation observation) {
    const std::lock_guard lock(target->mutex);
    if (target->server) target->server->post(std::move(observation));
  };
}

ControlServer::~ControlServer() { stop(); }

void ControlServer::start_sealer() {
  const auto& options = loop_.options();
  if (!options.seal_every) return;
  sealer_ = std::make_unique<Sealer>(
      Sealer::Ports{.reader = [this] { return store_.reader(); },
                    .last_seq = [this] { return read_model_.last_seq(); },
                    .store = [this](LogSealed seal, std::uint64_t after) { post(AuditItem{std::move(seal), after}); },
                    .sealed = options.sealed},
      *options.seal_every);
}

void ControlServer::stop() {
  if (sealer_) sealer_->request_stop();
  {
    const std::lock_guard lock(sink_target_->mutex);
    sink_target_->server = nullptr;
  }
  {
    const std::lock_guard lock(inbox_mutex_);
    stopping_ = true;
  }
  inbox_filled_.notify_all();
  if (thread_.joinable()) thread_.join();
  sealer_.reset();
  engine_.reset();
}

void ControlServer::published(const Committed& committed, const Tables& tables) {
  read_model_.publish(committed, tables);
  access_book_.follow(*committed.events);
  listeners_.tell(*committed.events);
}

// The server's own file may have the old token.
Reply ControlServer::telling_of_rotation(const Command& command, Reply reply) const {
  const auto& told = loop_.options().admin_rotated;
  if (!told || !std::holds_alternative<RotateAdminToken>(command)) return reply;
  return [told, reply = std::move(reply)](Result<CommandReply> answer) mutable {
    if (answer) told(answer->token->token.principal, *answer->token->secret);
    reply(std::move(answer));
  };
}

Result<CommandReply> ControlServer::execute_now(Command command, std::string_view agent) {
  std::promise<Result<CommandReply>> told;
  auto stored = told.get_future();
  Caller self = Caller::server();
  if (!agent.empty())
    self.origin = std::make_shared<const RequestOrigin>(RequestOrigin{.source = "local", .agent = std::string(agent)});
  execute(std::move(self), std::move(command), [&](Result<CommandReply> reply) { told.set_value(std::move(reply)); });
  return stored.get();
}

Reads::Usage ControlServer::usage() const {
  const auto report = engine_->report();
  return {.queues = report->usage, .budgets = report->budgets};
}

Reads::Enforcement ControlServer::enforcement() const {
  Reads::Enforcement by_cluster;
  for (const auto& [cluster, executor] : executors_) by_cluster[cluster] = executor->enforcement();
  return by_cluster;
}

void ControlServer::add_counts(Counters& counters) const {
  counters.cycles = engine_->report()->cycles;
  counters.failed_commits = loop_.failed_commits();
  counters.store_bytes = store_.bytes();
  if (const auto& archive = loop_.options().archive) counters.archive = archive();
}

std::optional<std::string> ControlServer::not_ready() const {
  if (const auto stuck = stuck_for()) return fmt::format("the store has not answered for {} s", stuck->count());
  if (loop_.pausing()) return "the last change could not be stored";
  return std::nullopt;
}

void ControlServer::post(ControlItem item) {
  {
    const std::lock_guard lock(inbox_mutex_);
    inbox_.push_back(std::move(item));
  }
  inbox_filled_.notify_one();
}

std::optional<std::chrono::seconds> ControlServer::stuck_for() const {
  const auto since = busy_since_.load();
  if (since == since.zero() || steady_now() - since < kLongBatch) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::seconds>(steady_now() - since);
}

void ControlServer::execute(Caller caller, Command command, Reply reply) {
  if (const auto stuck = stuck_for())
    return reply(
        std::unexpected(not_stored({.message = fmt::format("the store has not answered for {} s", stuck->count())})));
  auto ended = ended_job_of(command);
  if (caller.kind == CallerKind::principal) reply = telling_of_rotation(command, std::move(reply));
  post(CommandItem{std::move(caller), std::move(command), std::move(reply), std::move(ended)});
}

void ControlServer::note(AuditRecord record) {
  if (audit_.note(std::move(record))) post(AuditItem{});
}

Result<Pruned> ControlServer::prune(std::uint64_t to, std::size_t limit) {
  constexpr std::chrono::seconds kTimeout{60};
  const auto told = std::make_shared<std::promise<Result<Pruned>>>();
  auto done = told->get_future();
  post(PruneItem{to, limit, [told](Result<Pruned> pruned) { told->set_value(std::move(pruned)); }});
  // A server that stops answers nothing.
  if (done.wait_for(kTimeout) != std::future_status::ready)
    return fail(ErrorCode::unavailable, "the server did not come to it in time");
  return done.get();
}

void ControlServer::tend_tokens() {
  constexpr Duration kBetween = hours(1);
  // A token stays a while after its end, so that the proof that it was given for is not taken a second time.
  constexpr Duration kExpiredKept = hours(7 * 24);
  const Instant now = clock_.now();
  auto used = access_book_.take_used(now);
  if (!used.empty()) execute(Caller::server(), NoteTokenUse{std::move(used)}, [](const auto&) {});
  if (now - expired_removed_at_ < kBetween) return;
  expired_removed_at_ = now;
  execute(Caller::server(), ForgetExpired{now - kExpiredKept}, [](const auto&) {});
}

void ControlServer::reconfigure(DesiredState desired, const PolicySettings& settings, engine::Policy base,
                                std::function<void()> in_force) {
  post(ConfigurationItem{std::move(desired), settings, base, std::move(in_force)});
}

void ControlServer::run() {
  while (auto batch = wait_for_batch()) {
    busy_since_ = steady_now();
    loop_.take(*batch);
    busy_since_ = steady_now().zero();
  }
  loop_.store_progress();
}

// Nothing: it is time to stop. Empty: a pause is over and items were kept, or work is due.
std::optional<std::vector<ControlItem>> ControlServer::wait_for_batch() {
  std::unique_lock lock(inbox_mutex_);
  const auto ready = [&] { return stopping_ || !inbox_.empty(); };
  if (const auto until = loop_.idle_until()) inbox_filled_.wait_until(lock, *until, ready);
  else inbox_filled_.wait(lock, ready);
  if (stopping_ && inbox_.empty()) return std::nullopt;
  auto end = inbox_.begin() + static_cast<std::ptrdiff_t>(std::min(inbox_.size(), kMaxBatch));
  // What comes after a new configuration is decided by it.
  const auto reload = std::ranges::find_if(
      inbox_.begin(), end, [](const auto& item) { return std::holds_alternative<ConfigurationItem>(item); });
  if (reload != end) end = reload + 1;
  std::vector<ControlItem> batch(std::make_move_iterator(inbox_.begin()), std::make_move_iterator(end));
  inbox_.erase(inbox_.begin(), end);
  return batch;
}

}  // namespace ym
