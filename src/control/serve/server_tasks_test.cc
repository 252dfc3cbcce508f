// Answers to task agents, from a leading server and from one that another server has replaced.
#include "control/serve/server.h"
#include "control/testing/server_fixture.h"

namespace ym::testing {
namespace {

// Answers as the test says, for all callers.
class SaidLink final : public TaskLink {
 public:
  void refuse(std::optional<ErrorCode> code) { refused_ = code; }

  Result<std::string> report(const TaskKey&, std::string_view) override {
    if (const auto code = refused_.load()) return fail(*code, "refused");
    return "orders";
  }
  Result<std::optional<std::string>> orders(const TaskKey&, std::string_view, std::uint64_t) override {
    if (const auto code = refused_.load()) return fail(*code, "refused");
    return std::optional<std::string>("orders");
  }
  std::shared_ptr<void> watch(const AttemptKey&, std::function<void()>) override { return nullptr; }

 private:
  std::atomic<std::optional<ErrorCode>> refused_;
};

class LinkedExecutor final : public RecordingExecutor {
 public:
  TaskLink* task_link() override { return &link; }
  SaidLink link;
};

// One server of several on a state, with a connection and an executor of its own.
class Member {
 public:
  Member(const std::shared_ptr<MemoryDisk>& disk, const Clock& clock) : store(make_memory_store(disk)) {
    auto started =
        ControlServer::start(store, {{"lab", &executor}}, clock,
                             {.controller = {.version = "test", .usage_kept = {}}, .on_replaced = [](const Error&) {}},
                             {.clusters = {{.name = "lab", .executor = "slurm"}}, .nodes = {node("n1", 4)}});
    EXPECT_TRUE(started);
    if (started) server = std::move(*started);
  }

  // The answer to a task agent: nothing if it gets orders.
  std::optional<ErrorCode> says(AttemptKey attempt, bool by_report = true) {
    const auto link = server->task_link(Caller::server(), attempt);
    if (!link) return link.error().code;
    if (by_report) return code_of((*link)->report({attempt, 0}, "{}"));
    return code_of((*link)->orders({attempt, 0}, "nonce", 0));
  }

  FlakyStore store;
  LinkedExecutor executor;
  std::unique_ptr<ControlServer> server;

 private:
  template <class T>
  static std::optional<ErrorCode> code_of(const Result<T>& answer) {
    return answer ? std::nullopt : std::optional(answer.error().code);
  }
};

class ServerTasks : public ::testing::Test {
 protected:
  Member& begin() { return *members_.emplace_back(std::make_unique<Member>(disk_, clock_)); }

  // Launched by this server.
  AttemptKey attempt_by(Member& member) {
    std::promise<Result<CommandReply>> answered;
    member.server->execute({.principal = "alice"}, SubmitJobs{.specs = {spec_of("train")}},
                           [&](Result<CommandReply> reply) { answered.set_value(std::move(reply)); });
    const JobId job = answered.get_future().get()->jobs.at(0)->id;
    EXPECT_TRUE(eventually([&] { return !member.executor.launched().empty(); }));
    return {job, 1};
  }
  // The server may be about to publish a change of its own, and must be asked again then.
  static bool has_the_final_error(Member& member, AttemptKey attempt, ErrorCode word, bool by_report = true) {
    return eventually([&] { return member.says(attempt, by_report) == word; });
  }

  static constexpr AttemptKey kNever{{4711}, 1};

  const std::shared_ptr<MemoryDisk> disk_ = make_memory_disk();
  BootClock clock_;
  std::vector<std::unique_ptr<Member>> members_;
};

TEST_F(ServerTasks, TheOneThatLeadsHasTheLastWord) {
  Member& only = begin();
  const auto attempt = attempt_by(only);
  EXPECT_EQ(only.says(attempt), std::nullopt);
  for (const auto word : {ErrorCode::not_found, ErrorCode::conflict}) {
    only.executor.link.refuse(word);
    for (const bool by_report : {true, false})
      for (const auto asked : {attempt, kNever}) EXPECT_TRUE(has_the_final_error(only, asked, word, by_report));
  }
}

// Whether the launch was lost with a restored state or never existed: the task registry knows.
TEST_F(ServerTasks, OfAnUnknownAttemptTheTaskRegistryIsAsked) {
  Member& only = begin();
  attempt_by(only);
  only.executor.link.refuse(ErrorCode::unavailable);
  for (const bool by_report : {true, false})
    EXPECT_TRUE(has_the_final_error(only, kNever, ErrorCode::unavailable, by_report));
  EXPECT_TRUE(eventually([&] { return only.server->task_link(Caller::server(), kNever).has_value(); }));
}

TEST_F(ServerTasks, OneThatWasTakenOverFromEndsNothing) {
  Member& old = begin();
  const auto known = attempt_by(old);
  Member& next = begin();
  const auto unknown = attempt_by(next);
  EXPECT_EQ(old.says(unknown), ErrorCode::unavailable) << "what the newer one has begun";
  EXPECT_EQ(old.says(kNever), ErrorCode::unavailable);
  EXPECT_EQ(old.says(known), std::nullopt);
  // The newer server may have opened the launch barrier for a task agent that the old one does not know.
  for (const auto word : {ErrorCode::not_found, ErrorCode::conflict}) {
    old.executor.link.refuse(word);
    for (const bool by_report : {true, false}) EXPECT_EQ(old.says(known, by_report), ErrorCode::unavailable);
  }
  old.executor.link.refuse(ErrorCode::invalid);
  EXPECT_EQ(old.says(known), ErrorCode::invalid) << "ends nobody";
  next.executor.link.refuse(ErrorCode::not_found);
  EXPECT_TRUE(has_the_final_error(next, kNever, ErrorCode::not_found));
  EXPECT_TRUE(has_the_final_error(next, unknown, ErrorCode::not_found));
}

TEST_F(ServerTasks, OfWhatHasEndedTheNewOneHasTheLastWord) {
  Member& old = begin();
  const auto ended = attempt_by(old);
  old.executor.report({old.executor.launched().at(0).token, exits(0)});
  ASSERT_TRUE(eventually([&] {
    const auto view = old.server->reads().job(Caller::server(), ended.job);
    return view && is_terminal(view->job->state);
  })) << "before another one begins";
  old.executor.link.refuse(ErrorCode::not_found);
  EXPECT_TRUE(has_the_final_error(old, ended, ErrorCode::not_found));
  Member& next = begin();
  EXPECT_EQ(old.says(ended), ErrorCode::unavailable);
  next.executor.link.refuse(ErrorCode::not_found);
  EXPECT_TRUE(has_the_final_error(next, ended, ErrorCode::not_found));
}

TEST_F(ServerTasks, AServerThatCannotAskTheStoreEndsNothing) {
  Member& only = begin();
  only.store.be_away(true);
  EXPECT_EQ(only.says(kNever), ErrorCode::unavailable);
  only.store.be_away(false);
  only.executor.link.refuse(ErrorCode::not_found);
  EXPECT_TRUE(has_the_final_error(only, kNever, ErrorCode::not_found));
}

// No caller waits with it.
TEST_F(ServerTasks, AStoreThatHangsIsNotAsked) {
  Member& only = begin();
  only.store.hold(true);
  only.server->execute({.principal = "alice"}, SubmitJobs{.specs = {spec_of("train")}}, [](const auto&) {});
  ASSERT_TRUE(eventually([&] { return only.server->reads().not_ready().has_value(); }));
  EXPECT_EQ(only.says(kNever), ErrorCode::unavailable);
  only.store.hold(false);
  only.executor.link.refuse(ErrorCode::not_found);
  EXPECT_TRUE(has_the_final_error(only, kNever, ErrorCode::not_found));
}

}  // namespace
}  // namespace ym::testing
