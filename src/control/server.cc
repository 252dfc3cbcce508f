#include "control/server.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ym {

Result<std::unique_ptr<ControlServer>> ControlServer::start(Store& store, Controller::Executors executors,
                                                            const Clock& clock, ControlOptions options,
                                                            const DesiredState& desired) {
  auto contacts = JobContacts::make(options.api_url, options.job_token_key);
  if (!contacts) return std::unexpected(contacts.error());
  options.controller.contacts = std::move(*contacts);
  std::unique_ptr<ControlServer> server(new ControlServer(store, std::move(executors), clock, std::move(options)));
  if (auto opened = server->controller_.open(desired); !opened) return std::unexpected(opened.error());
  server->read_model_.reset(server->controller_.tables());
  server->token_book_.reset(server->controller_.tokens());
  server->news_.reset();  // the engine begins with all of it
  server->engine_ = std::make_unique<EngineThread>(
      engine::State::load(server->controller_.tables()), server->options_.policy, clock,
      [raw = server.get()](std::shared_ptr<const EngineReport> report) { raw->post(std::move(report)); });
  if (auto started = server->controller_.start_executors(server->make_sink()); !started) {
    return std::unexpected(started.error());
  }
  server->thread_ = std::thread([raw = server.get()] { raw->run(); });
  return server;
}

ControlServer::ControlServer(Store& store, Controller::Executors executors, const Clock& clock, ControlOptions options)
    : store_(store),
      executors_(executors),
      clock_(clock),
      options_(std::move(options)),
      controller_(store, std::move(executors), clock, options_.controller,
                  [this](const Committed& committed, const Tables& tables) { published(committed, tables); }) {}

ObservationSink ControlServer::make_sink() {
  sink_gate_->server = this;
  return [gate = sink_gate_](Observation observation) {
    const std::lock_guard lock(gate->mutex);
    if (gate->server) gate->server->post(std::move(observation));
  };
}

ControlServer::~ControlServer() {
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
  news_ = committed.events;
  std::vector<std::shared_ptr<EventListener>> listeners;
  {
    const std::lock_guard lock(listeners_mutex_);
    std::erase_if(listeners_, [](const auto& listener) { return listener.expired(); });
    for (const auto& listener : listeners_)
      if (auto alive = listener.lock()) listeners.push_back(std::move(alive));
  }
  for (const auto& listener : listeners) (*listener)(*committed.events);
}

std::shared_ptr<void> ControlServer::listen(EventListener listener) {
  auto handle = std::make_shared<EventListener>(std::move(listener));
  const std::lock_guard lock(listeners_mutex_);
  listeners_.push_back(handle);
  return handle;
}

Result<Secret> ControlServer::add_token(const std::string& principal, const std::string& role) {
  Secret token = make_token();
  TokenItem item{
      .record = {.hash = hash_token(token), .principal = principal, .role = role, .created_at = clock_.now()},
      .stored = {}};
  auto stored = item.stored.get_future();
  post(std::move(item));
  if (auto added = stored.get(); !added) return std::unexpected(added.error());
  return token;
}

Result<Caller> ControlServer::authenticate(const Secret& token) {
  if (!JobTokens::is_one(token.reveal())) return token_book_.authenticate(token);
  const auto attempt = options_.controller.contacts.check(token, clock_.now());
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
  counters.failed_commits = failed_commits_;
  counters.store_bytes = store_.bytes();
  return counters;
}

std::optional<std::string> ControlServer::not_ready() {
  if (pausing_) return "the last change could not be stored";
  return std::nullopt;
}

}  // namespace ym
