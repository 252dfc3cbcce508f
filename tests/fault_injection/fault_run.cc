#include "fault_injection/fault_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "fault_injection/history.h"
#include "fault_injection/plan.h"
#include "fault_injection/server_dies.h"
#include "fault_injection/simulated_environment.h"
#include "fault_injection/watch_events.h"
#include "fault_injection/watch_machines.h"
#include "fault_injection/watch_quota.h"
#include "fault_injection/watch_store.h"
#include "fault_injection/watch_waiting.h"

namespace ym::sim {
namespace {

constexpr Duration kLongest = hours(24 * 7);    // after this time something goes round in circles
constexpr Duration kRest = minutes(30);         // time without running jobs and requests
constexpr Duration kLongestStep = minutes(10);  // longest time between two looks
constexpr Duration kArchiveEvery = minutes(4);
constexpr Retention kKept{.jobs = minutes(10)};  // a run is busy for 40
constexpr std::uint64_t kOneArchivesOf = 3;      // runs, by their seeds: what a seed draws stays the same
constexpr std::int64_t kMostFailedStarts = 1000;

class FaultRun {
 public:
  explicit FaultRun(const FaultRunOptions& options)
      : options_(options),
        random_(options.seed),
        plan_(draw_plan(random_, options.canary)),
        around_(
            plan_.begin, options.canary, random_, [this](const FaultKind& fault) { count(fault); },
            [this](std::string_view what) { tell(what); }),
        clients_(options.canary, [this] { incarnation_->store().after_effect(); }),
        events_(findings_),
        quota_(findings_),
        waiting_(findings_),
        store_(findings_, clients_, history_),
        machines_(findings_, around_.machines(), clients_, {{std::string(kSameMachine), "n0"}}),
        restart_at_(plan_.begin),
        moved_at_(plan_.begin),
        archive_at_(plan_.begin + kArchiveEvery) {
    if (options.canary == Canary::disk_lies) around_.disk().lie_about_flushes();
  }

  FaultRunReport run() {
    findings_.disturbed(now());
    while (!over()) {
      happen();
      live();
      watch();
      around_.clock().advance_to(next());
    }
    finish();
    report_.violations = findings_.violations();
    report_.runs = static_cast<std::int64_t>(around_.machines().runs().size());
    report_.jobs = clients_.acknowledged();
    report_.moved = static_cast<std::int64_t>(history_.moved().size());
    return std::move(report_);
  }

 private:
  Instant now() const { return around_.clock().now(); }

  void tell(std::string_view what) const {
    if (!options_.tell) return;
    options_.tell(fmt::format("{:>9.3f} s  {}", static_cast<double>((now() - plan_.begin).ms) / 1000, what));
  }

  void count(const FaultKind& fault) {
    const std::string what = describe(fault);
    tell(what);
    report_.faults[what] += 1;
    findings_.disturbed(now());
    if (std::holds_alternative<ClockJumps>(fault)) store_.keys_may_be_forgotten();
  }

  // Events that do not depend on the server.
  void happen() {
    around_.machines().pass(now());
    while (!plan_.acts.empty() && plan_.acts.begin()->first <= now())
      clients_.act(plan_.acts.extract(plan_.acts.begin()).mapped(), now());
    if (around_.is_disturbed()) findings_.disturbed(now());
    guarded([this] { around_.end_what_is_over(); });
    while (!plan_.faults.empty() && plan_.faults.begin()->first <= now()) {
      const FaultKind fault = plan_.faults.extract(plan_.faults.begin()).mapped();
      guarded([&] { around_.strike(fault); });
    }
  }

  // The server may die in `act`.
  template <class Act>
  void guarded(const Act& act) {
    try {
      act();
    } catch (const ServerDies&) {
      fall();
    }
  }

  void fall() {
    around_.serve(nullptr);
    clients_.server_died(now());
    report_.commits += incarnation_->store().commits();
    incarnation_.reset();
    restart_at_ = now() + Duration{static_cast<std::int64_t>(1 + random_.below(30'000))};
    tell("the server is gone");
  }

  void live() {
    if (!incarnation_ && now() >= restart_at_) guarded([this] { start(); });
    if (!incarnation_) return;
    guarded([this] {
      clients_.send(incarnation_->server(), now());
      incarnation_->server().settle();
      archive();
    });
    const bool invents = options_.canary == Canary::end_is_invented && ++settled_ % 50 == 0;
    if (incarnation_ && invents) incarnation_->executors().begin()->second.invent_an_end();
  }

  // Old events leave the store in some of the runs.
  void archive() {
    if (options_.seed % kOneArchivesOf != 0 || now() < archive_at_) return;
    archive_at_ = now() + kArchiveEvery;
    history_.look(*incarnation_);
  }

  void start() {
    if (plan_.damages_state && report_.servers > 0) store_.damage(around_.disk(), random_, options_.canary);
    auto opened = around_.disk().open();
    if (!opened) return start_failed(opened.error());
    store_.look(**opened);
    const Incarnation::Options options{.steady = around_.clock(),
                                       .wall_is_ahead = around_.wall_is_ahead(),
                                       .desired = plan_.desired,
                                       .settings = plan_.settings,
                                       .machines = around_.machines(),
                                       .seed = random_.next(),
                                       .canary = options_.canary,
                                       .die = [this](const DieAtStep& when) {
                                         count(when);
                                         around_.kill(when.with_power);
                                       }};
    incarnation_.emplace(std::move(*opened), options);
    around_.serve(&*incarnation_);
    const auto begun =
        incarnation_->begin(options, [this](const auto& what, const auto& tables) { committed(*what.events, tables); });
    if (begun) return started();
    around_.serve(nullptr);
    incarnation_.reset();
    start_failed(begun.error());
  }

  void started() {
    if (options_.canary == Canary::restart_kills) around_.machines().kill_all(now());
    if (options_.canary == Canary::engine_hangs) incarnation_->server().stall_engine();
    findings_.disturbed(now());
    tell(fmt::format("server {} has begun", ++report_.servers));
  }

  // An error is expected while the disk fails. The start is tried again.
  void start_failed(const Error& error) {
    tell("no server starts: " + error.message);
    if (!around_.is_disturbed()) findings_.add(Promise::restart_is_harmless, "no server starts: " + error.message);
    restart_at_ = now() + seconds(5);
    failed_starts_ += 1;
  }

  void committed(const std::vector<Event>& events, const Tables& tables) {
    for (const Event& event : events) {
      report_.times = report_.times * 31 + static_cast<std::uint64_t>(event.time.ms);
      if (const auto job = job_of(event.payload); job && options_.tell)
        tell(fmt::format("  {} {} {} {}", event.seq, to_string(*job), type_name(event.payload), event.reason));
    }
    report_.events += static_cast<std::int64_t>(events.size());
    store_.committed(events.back().seq);
    events_.committed(events, tables);
    quota_.committed(events, tables);
  }

  void watch() {
    if (!incarnation_) findings_.disturbed(now());
    const bool disturbed = around_.is_disturbed() || !incarnation_;
    machines_.look(incarnation_ ? &incarnation_->tables() : nullptr, now());
    if (!disturbed) waiting_.look(incarnation_->tables(), now());
    if (disturbed || goes_on(incarnation_->tables())) moved_at_ = now();
  }

  bool goes_on(const Tables& tables) const {
    if (!plan_.acts.empty() || !plan_.faults.empty() || clients_.next()) return true;
    return std::ranges::any_of(tables.jobs, [&](const auto& entry) {
      const Job& job = entry.second;
      return is_active(job.state) || (job.not_before && *job.not_before > tables.last_time);
    });
  }

  bool over() const {
    return !findings_.violations().empty() || now() - moved_at_ > kRest || now() - plan_.begin > kLongest ||
           failed_starts_ > kMostFailedStarts;
  }

  Instant next() const {
    Instant next = now() + kLongestStep;
    const auto earliest = [&](std::optional<Instant> at) {
      if (at) next = std::min(next, *at);
    };
    if (!plan_.acts.empty()) earliest(plan_.acts.begin()->first);
    if (!plan_.faults.empty()) earliest(plan_.faults.begin()->first);
    earliest(around_.next_end());
    earliest(around_.machines().next());
    if (!incarnation_) earliest(restart_at_);
    if (incarnation_) earliest(clients_.next());
    if (incarnation_) earliest(incarnation_->next());
    return std::max(next, now() + Duration{1});
  }

  // A server that starts now must find the same state.
  void finish() {
    if (!findings_.violations().empty() || !incarnation_) return;
    if (now() - plan_.begin > kLongest) findings_.add(Promise::nothing_waits_silently, "it does not come to rest");
    waiting_.at_rest(incarnation_->tables());
    guarded([this] { around_.kill(false); });
    const auto last = around_.disk().open();
    if (!last) return start_failed(last.error());
    store_.look(**last);
    compare_ends(**last);
  }

  void compare_ends(Store& store) {
    auto reader = store.reader();
    if (!reader) return;
    std::vector<JobId> ids;
    for (const auto& [token, run] : around_.machines().runs()) ids.push_back(token.job);
    if (const auto attempts = (*reader)->attempts(ids)) machines_.compare_ends(*attempts);
  }

  const FaultRunOptions& options_;
  Random random_;
  Plan plan_;
  SimulatedEnvironment around_;
  Clients clients_;
  History history_{kKept};
  Findings findings_;
  EventWatch events_;
  QuotaWatch quota_;
  WaitingWatch waiting_;
  StoreWatch store_;
  MachineWatch machines_;
  std::optional<Incarnation> incarnation_;
  FaultRunReport report_;
  Instant restart_at_, moved_at_, archive_at_;
  std::int64_t failed_starts_ = 0, settled_ = 0;
};

}  // namespace

FaultRunReport run_with_faults(const FaultRunOptions& options) { return FaultRun(options).run(); }

}  // namespace ym::sim
