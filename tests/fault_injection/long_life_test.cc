// A site that lives for half a year with pruning, logins and restarts: its database is as large as what it keeps, not
// as its age.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "fault_injection/clients.h"
#include "fault_injection/disk.h"
#include "fault_injection/findings.h"
#include "fault_injection/history.h"
#include "fault_injection/incarnation.h"
#include "fault_injection/machines.h"
#include "fault_injection/watch_store.h"
#include "store/conformance/must.h"

namespace ym::sim {
namespace {

using ym::testing::must;

constexpr Instant kFirstDay{1'767'225'600'000};  // 2026-01-01
constexpr int kDays = 180, kRestartEvery = 9;
constexpr Duration kDay = hours(24);
constexpr Retention kKeptOnSite{.jobs = hours(7 * 24), .audit = hours(30 * 24)};
// An event waits for its seal for a day, for a segment of a day, and for the look of the day.
constexpr Duration kLongestStay = kKeptOnSite.jobs + kDay + kDay + kDay;
// As control/serve/server.cc has it.
constexpr Duration kExpiredStay = hours(7 * 24);
// Both have four restarts. Before the first one, segments are not yet old enough to be deleted.
constexpr std::pair kEarly{46, 90}, kLate{136, 180};

using Sizes = std::map<std::string, std::uint64_t>;
using Ends = std::map<std::string, Instant>;  // of rows that expire, by name

bool is_within(int day, std::pair<int, int> days) { return day >= days.first && day < days.second; }

DesiredState one_machine() {
  Node node{.name = "n0", .cluster = "east", .gpu_type = "t4"};
  for (const auto* gpu : {"0", "1", "2", "3"}) node.devices.push_back({.id = gpu, .physical = gpu});
  node.cpus = 16'000;
  node.memory_bytes = std::int64_t{64} << 30;
  DesiredState site;
  site.clusters.push_back({.name = "east", .executor = "simulated"});
  site.nodes.push_back(std::move(node));
  site.auth = AuthSettings{.bindings = {{"admin", "ann", {}}}};
  return site;
}

JobSpec job_of_20_minutes(std::string name) {
  JobSpec spec{.name = std::move(name)};
  spec.run = {.form = Program::Form::argv, .words = {"simulated"}};
  spec.workdir = "/";
  spec.resources = {.gpus = kMilli, .cpus = 1000, .memory_bytes = std::int64_t{1} << 30};
  spec.env["SIMULATED_RUN_TIME"] = "20m";
  return spec;
}

class LongLife {
 public:
  LongLife() {
    start();
    auto waits = job_of_20_minutes("waits");
    waits.nodes = 9;
    clients_.act(SubmitSome{waits}, now());
    live_an_hour();
    waiting_ = clients_.submitted().at("key-0").answers.front().front();
    (void)ask(HoldJob{waiting_});
    (void)lent(ask(ExchangeProof{.service = "robot", .proof = "p", .lifetime = hours(400 * 24)}));
  }

  void live_a_day(int day) {
    day_ = day;
    for (int hour = 0; hour < 24; ++hour) {
      if (hour % 6 == 0)
        clients_.act(SubmitSome{job_of_20_minutes(fmt::format("job-{}-{}", day, hour)), hour == 6}, now());
      live_an_hour();
      if (hour == 9) log_in();
      // The job of this hour runs.
      if (hour == 12 && day % kRestartEvery == 0) restart();
    }
    const Instant forgotten = now() - kExpiredStay;
    (void)ask(ForgetExpired{forgotten});
    const auto& tables = server_->tables();
    expect_only_young(tables.access_tokens, tokens_, forgotten);
    expect_only_young(tables.bindings, bindings_, forgotten);
    read_on();
    history_.look(*server_);
    look();
  }

  void end() {
    restart();
    for (const auto& violation : findings_.violations())
      ADD_FAILURE() << name_of(violation.promise) << ": " << violation.what;
    EXPECT_EQ(clients_.acknowledged(), 1 + 4 * kDays);
    EXPECT_GT(history_.moved().size(), 10 * early_.at("events")) << "nearly all has left";
    EXPECT_GT(server_->tables().history_segments.begin()->second.from, 1u) << "old segments were deleted";
    for (const auto& [what, size] : late_) {
      const auto before = early_.at(what);
      // Pages that were freed, and the log before them, come and go.
      EXPECT_LE(size, before + before / (what == "bytes" ? 4 : 8)) << what;
    }
  }

 private:
  Instant now() const { return clock_.now(); }

  void start() {
    auto store = must(disk_.open());
    watch_.look(*store);
    grow_to({{"keys", must(store->load()).idempotency.size()}});
    const Incarnation::Options options{.steady = clock_,
                                       .wall_is_ahead = {},
                                       .desired = desired_,
                                       .settings = settings_,
                                       .machines = machines_,
                                       .seed = 1,
                                       .canary = Canary::none,
                                       .die = {}};
    server_.emplace(std::move(store), options);
    must(server_->begin(options,
                        [this](const Committed& what, const Tables&) { watch_.committed(what.events->back().seq); }));
    server_->server().settle();
  }

  void restart() {
    disk_.server_was_killed();
    clients_.server_died(now());
    server_.reset();
    start();
  }

  void live_an_hour() {
    clock_.advance_to(now() + hours(1));
    machines_.pass(now());
    clients_.send(server_->server(), now());
    server_->server().settle();
  }

  CommandReply ask(Command command) {
    std::optional<Result<CommandReply>> told;
    server_->server().execute(Caller::server(), std::move(command),
                              [&told](Result<CommandReply> reply) { told.emplace(std::move(reply)); });
    server_->server().settle();
    return must(std::move(told.value()));
  }

  std::string lent(const CommandReply& reply) {
    const AccessToken& token = reply.token.value().token;
    tokens_[token.name] = token.expires_at.value();
    return token.name;
  }

  void log_in() {
    for (const auto* user : {"bob", "eve", "zoe"}) {
      const auto name = lent(ask(LogIn{.issuer = "https://idp",
                                       .subject = user,
                                       .handle = user,
                                       .groups = {"crew"},
                                       .groups_max_age = kDay,
                                       .lifetime = hours(12),
                                       .issued_at = now()}));
      EXPECT_TRUE(server_->tables().access_tokens.contains(name));
    }
    const auto bound = ask(BindRole{"viewer", fmt::format("group:guests-{}", day_), {}, hours(8)}).binding.value();
    bindings_[bound.name] = bound.expires_at.value();
  }

  // Each stays for its time, and no longer.
  static void expect_only_young(const auto& rows, const Ends& ends, Instant forgotten) {
    for (const auto& [name, end] : ends) EXPECT_EQ(rows.contains(name), end >= forgotten) << name;
  }

  // A client that reads every day misses nothing, and no id comes twice.
  void read_on() {
    const auto reader = must(server_->store().reader());
    for (;;) {
      const auto page = must(reader->events({.after = cursor_}, 500));
      if (page.empty()) break;
      for (const Event& event : page) {
        EXPECT_EQ(event.seq, cursor_ + 1);
        cursor_ = event.seq;
        const auto* submitted = std::get_if<JobSubmitted>(&event.payload);
        if (submitted == nullptr) continue;
        EXPECT_GT(submitted->job.id.value, last_job_.value);
        last_job_ = submitted->job.id;
      }
    }
    EXPECT_EQ(cursor_, server_->tables().last_seq);
  }

  void look() {
    const auto reader = must(server_->store().reader());
    const Tables& tables = server_->tables();
    EXPECT_TRUE(tables.jobs.contains(waiting_));
    for (const auto& [id, job] : tables.jobs) EXPECT_TRUE(must(reader->job(id)) == job) << to_string(id);
    const auto first = must(reader->events({.after = 1}, 1)).at(0);
    EXPECT_LE((now() - first.time).ms, kLongestStay.ms) << "day " << day_;
    const auto& segments = tables.history_segments;
    if (!segments.empty()) EXPECT_EQ(first.seq, segments.rbegin()->second.to + 1);
    grow_to({{"events", tables.last_seq - first.seq + 2},
             {"jobs", must(reader->jobs(JobFilter{}, 10'000)).size()},
             {"tokens", tables.access_tokens.size()},
             {"bindings", tables.bindings.size()},
             {"principals", tables.principals.size()},
             {"usage", tables.usage.size()},
             {"segments", segments.size()},
             {"bytes", server_->store().bytes()}});
  }

  // Notes the largest of each.
  void grow_to(const Sizes& sizes) {
    for (const auto& [what, size] : sizes) {
      if (is_within(day_, kEarly)) early_[what] = std::max(early_[what], size);
      if (is_within(day_, kLate)) late_[what] = std::max(late_[what], size);
    }
  }

  const DesiredState desired_ = one_machine();
  const PolicySettings settings_;
  Disk disk_;
  VirtualClock clock_{kFirstDay};
  Machines machines_{Canary::none};
  Clients clients_{Canary::none, [] {}};
  History history_{kKeptOnSite};
  Findings findings_;
  StoreWatch watch_{findings_, clients_, history_};
  std::optional<Incarnation> server_;
  int day_ = 0;
  JobId waiting_, last_job_;
  std::uint64_t cursor_ = 0;
  Ends tokens_, bindings_;
  Sizes early_, late_;
};

TEST(LongLife, WhatIsKeptDoesNotGrowWithAge) {
  LongLife site;
  for (int day = 0; day < kDays; ++day) site.live_a_day(day);
  site.end();
}

}  // namespace
}  // namespace ym::sim
