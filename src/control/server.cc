#include "control/server.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

namespace ym {

Result<std::unique_ptr<ControlServer>> ControlServer::start(Store& store, Controller::Executors executors,
                                                            const Clock& clock, ControlOptions options,
                                                            const DesiredState& desired) {
  auto contacts = JobContacts::make(options.api_url, options.job_token_key, options.advertised_url);
  if (!contacts) return std::unexpected(contacts.error());
  options.controller.contacts = std::move(*contacts);
  std::unique_ptr<ControlServer> server(new ControlServer(store, std::move(executors), clock, std::move(options)));
  if (auto opened = server->loop_.open(desired); !opened) return std::unexpected(opened.error());
  const Controller& controller = server->loop_.controller();
  server->read_model_.reset(controller.tables());
  server->read_model_.set_file_policy(server->loop_.options().settings);
  server->token_book_.reset(controller.tokens());
  // Before the engine: what executors say of devices at their start lies in the inbox before the first plan does.
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
  return server;
}

ControlServer::ControlServer(Store& store, Controller::Executors executors, const Clock& clock, ControlOptions options)
    : store_(store),
      executors_(executors),
      clock_(clock),
      reads_(read_model_, [&store] { return store.reader(); }),
      loop_(store, std::move(executors), clock, std::move(options),
            {.steady_now = [] { return std::chrono::steady_clock::now(); },
             .committed = [this](const Committed& news, const Tables& tables) { published(news, tables); },
             .reconfigured = [this](const PolicySettings& settings) { read_model_.set_file_policy(settings); }}) {
  for (const auto& [cluster, executor] : executors_) log_readers_[cluster];
  for (const auto& [cluster, executor] : executors_)
    if (auto* link = executor->task_link())
      task_links_.try_emplace(cluster, *link, [this](Error error) { return last_word(std::move(error)); });
}

ObservationSink ControlServer::make_sink() {
  sink_gate_->server = this;
  return [gate = sink_gate_](Observation observation) {
    const std::lock_guard lock(gate->mutex);
    if (gate->server) gate->server->post(std::move(observation));
  };
}

ControlServer::~ControlServer() { stop(); }

void ControlServer::stop() {
  {
    const std::lock_guard lock(sink_gate_->mutex);
    sink_gate_->server = nullptr;
  }
  {
    const std::lock_guard lock(inbox_mutex_);
    stopping_ = true;
  }
  inbox_filled_.notify_all();
  if (thread_.joinable()) thread_.join();
  engine_.reset();
}

void ControlServer::published(const Committed& committed, const Tables& tables) {
  read_model_.publish(committed, tables);
  listeners_.tell(*committed.events);
}

void ControlServer::change_tokens(TokenCommand command, TokenAnswer answer) {
  const bool rotates = std::holds_alternative<RotateAdminToken>(command);
  TokenItem item{
      .change = [this, command = std::move(command)](
                    const std::vector<TokenRecord>& present) { return change_of(command, present, clock_.now()); },
      .stored =
          [this, rotates, answer = std::move(answer)](Result<TokenReply> reply) mutable {
            if (reply) tokens_changed(*reply, rotates);
            answer(std::move(reply));
          }};
  post(std::move(item));
}

void ControlServer::tokens_changed(const TokenReply& reply, bool rotates) {
  token_book_.reset(loop_.controller().tokens());
  const auto& told = loop_.options().admin_rotated;
  if (rotates && told) told(reply.token.principal, *reply.secret);
}

Result<TokenReply> ControlServer::change_tokens_now(TokenCommand command) {
  std::promise<Result<TokenReply>> told;
  auto stored = told.get_future();
  change_tokens(std::move(command), [&](Result<TokenReply> reply) { told.set_value(std::move(reply)); });
  return stored.get();
}

Result<Caller> ControlServer::authenticate(const Secret& token) {
  if (!JobTokens::is_one(token.reveal())) return token_book_.authenticate(token);
  const auto attempt = loop_.options().controller.contacts.check(token, clock_.now());
  if (!attempt) return std::unexpected(attempt.error());
  return Caller{.principal = "job:" + to_string(attempt->job), .role = std::string(kJobRole), .attempt = *attempt};
}

std::vector<NodeView> ControlServer::nodes() {
  auto views = read_model_.nodes();
  std::map<std::string, std::map<std::string, std::string>> by_cluster;
  for (const auto& [cluster, executor] : executors_) by_cluster[cluster] = executor->enforcement();
  for (auto& view : views) view.enforcement = by_cluster[view.node.cluster];
  return views;
}

Counters ControlServer::counters() {
  Counters counters = read_model_.counters(clock_.now());
  const auto report = engine_->report();
  counters.cycles = report->cycles;
  counters.failed_commits = loop_.failed_commits();
  counters.store_bytes = store_.bytes();
  return counters;
}

std::optional<std::string> ControlServer::not_ready() {
  if (const auto stuck = stuck_for()) return fmt::format("the store has not answered for {} s", stuck->count());
  if (loop_.pausing()) return "the last change could not be stored";
  return std::nullopt;
}

}  // namespace ym
