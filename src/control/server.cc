#include "control/server.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ym {
namespace {

// After a commit that failed: how long until what was kept is tried again.
constexpr auto kRetryPause = std::chrono::milliseconds(200);
// Bounds the size of one transaction, and with it the wait of those behind it.
constexpr std::size_t kMaxBatch = 1024;

}  // namespace

Result<std::unique_ptr<ControlServer>> ControlServer::start(Store& store, Controller::Executors executors,
                                                            const Clock& clock, ControlOptions options,
                                                            const DesiredState& desired) {
  std::unique_ptr<ControlServer> server(new ControlServer(store, std::move(executors), clock, std::move(options)));
  if (auto opened = server->controller_.open(desired); !opened) return std::unexpected(opened.error());
  server->read_model_.reset(server->controller_.tables());
  server->token_book_.reset(server->controller_.tokens());
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

void ControlServer::post(Item item) {
  {
    const std::lock_guard lock(inbox_mutex_);
    inbox_.push_back(std::move(item));
  }
  inbox_filled_.notify_one();
}

void ControlServer::execute(Caller caller, Command command, Reply reply) {
  post(CommandItem{std::move(caller), std::move(command), std::move(reply)});
}

void ControlServer::reconfigure(DesiredState desired) { post(std::move(desired)); }

void ControlServer::run() {
  std::vector<Item> batch;
  for (bool pending = false;;) {
    {
      std::unique_lock lock(inbox_mutex_);
      const auto ready = [&] { return stopping_ || !inbox_.empty(); };
      if (pending) inbox_filled_.wait_for(lock, kRetryPause, ready);
      else inbox_filled_.wait(lock, ready);
      if (stopping_ && inbox_.empty()) return;
      const auto count = std::min(inbox_.size(), kMaxBatch);
      const auto end = inbox_.begin() + static_cast<std::ptrdiff_t>(count);
      batch.assign(std::make_move_iterator(inbox_.begin()), std::make_move_iterator(end));
      inbox_.erase(inbox_.begin(), end);
    }
    bool plan_taken = false;
    for (auto& item : batch) stage(item, plan_taken);
    const auto committed = controller_.commit();
    last_commit_failed_ = !committed;
    if (!committed) failed_commits_ += 1;
    if (plan_taken) engine_->settled(committed ? EngineThread::PlanFate::stored : EngineThread::PlanFate::lost);
    pending = controller_.has_staged();
    batch.clear();
  }
}

void ControlServer::stage(Item& item, bool& plan_taken) {
  if (auto* command = std::get_if<CommandItem>(&item)) {
    controller_.stage(command->caller, command->command, std::move(command->reply));
  } else if (auto* observation = std::get_if<Observation>(&item)) {
    controller_.stage(std::move(*observation));
  } else if (const auto* report = std::get_if<PlanItem>(&item)) {
    controller_.stage((*report)->plan);
    plan_taken = true;
  } else {
    controller_.stage_configuration(std::get<DesiredState>(item));
  }
}

void ControlServer::published(const Committed& committed, const Tables& tables) {
  read_model_.publish(committed, tables);
  if (engine_) engine_->follow(committed.events);
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
  const TokenRecord record{.hash = hash_token(token), .principal = principal, .role = role, .created_at = clock_.now()};
  if (auto added = controller_.add_token(record); !added) return std::unexpected(added.error());
  token_book_.reset(controller_.tokens());
  return token;
}

Counters ControlServer::counters() {
  Counters counters = read_model_.counters();
  const auto report = engine_->report();
  counters.cycles = report->cycles;
  counters.failed_commits = failed_commits_;
  return counters;
}

std::optional<std::string> ControlServer::not_ready() {
  if (last_commit_failed_) return "the last change could not be stored";
  return std::nullopt;
}

}  // namespace ym
