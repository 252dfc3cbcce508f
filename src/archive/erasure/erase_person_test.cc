#include "archive/erasure/erase_person.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <fstream>
#include <functional>
#include <iterator>
#include <string_view>

#include "archive/archiver.h"
#include "archive/history_view.h"
#include "archive/segment_check.h"
#include "archive/segment_file.h"
#include "control/audit/verification.h"
#include "store/conformance/must.h"
#include "store/sqlite/sqlite_store.h"

namespace ym {
namespace {

namespace fs = std::filesystem;
using ym::testing::must;

constexpr Instant kBegin{1'790'000'000'000};

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A store with two users, their jobs and records, and the seals of all that.
class ErasePerson : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "ym-erase-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
    store_ = must(open_sqlite_store(dir_ / "state", {.initialise = true}));
    (void)must(store_->load());
    add(ServerStarted{.epoch = 1, .version = "1"}, "server");
    for (const auto* user : {"kanarie", "bob", "root"}) {
      add(PrincipalSet{{.name = user, .handle = user, .display = "Display of " + std::string(user), .email = "m@x"}});
      add(TokenSet{{.name = fmt::format("t{}", tables_.last_seq),
                    .hash = "00",
                    .principal = user,
                    .created_by = user,
                    .note = "laptop"}});
    }
    add(BindingSet{{.name = "b1", .role = "admin", .grantee = {Grantee::Kind::principal, "root"}, .scope = {}}});
  }
  void TearDown() override {
    store_.reset();
    fs::remove_all(dir_);
  }

  void add(EventPayload payload, const std::string& actor = "kanarie") {
    std::vector<Event> events{
        {.seq = tables_.last_seq + 1, .time = now_, .actor = actor, .reason = "", .payload = std::move(payload)}};
    Touched touched;
    apply(tables_, events.front(), &touched);
    must(store_->commit(make_commit(tables_, touched, std::move(events))));
  }
  JobId submit(const std::string& owner, bool ends = true) {
    const JobId id{tables_.last_id + 2};
    auto spec = std::make_shared<JobSpec>();
    spec->name = "secret-name";
    spec->run.words = {"secret-word"};
    Job job{.id = id,
            .spec_id = SpecId{id.value - 1},
            .spec = spec,
            .name = "secret-name",
            .project = "default",
            .owner = owner,
            .queue = "default"};
    job.pending = ReasonCode::pending_evaluation;
    job.submitted_at = job.waits_since = job.arrived_at = now_;
    add(JobSubmitted{job}, owner);
    if (ends) add(CancelRequested{id}, owner);
    if (ends) add(JobFinished{id, JobState::cancelled, "cancelled by " + owner}, "server");
    return id;
  }
  void seal() {
    const auto leaves = must(read_leaves(*must(store_->reader()), head_.to, kMostSealed));
    LogSealed made = make_seal(head_, leaves);
    head_ = {.to = made.to, .chain = made.chain};
    heads_.push_back(head_);
    add(std::move(made), "server");
  }
  void archive() {
    Archiver archiver(
        dir_ / "history",
        {.reader = [this] { return store_->reader(); },
         .now = [this] { return now_; },
         .segments = [this] { return segments(); },
         .add = [this](const HistorySegment& row) { return add(HistorySegmentSet{row}, "server"), Result<void>(); },
         .remove = [](const HistorySegment&) { return Result<void>(); },
         .prune = [this](std::uint64_t to, std::size_t limit) { return store_->prune(to, limit); },
         .erasures = [this] { return erasures(); }});
    archiver.set(Retention{.jobs = hours(1)});
    must(archiver.look());
  }
  std::vector<HistorySegment> segments() {
    std::vector<HistorySegment> rows;
    for (const auto& [name, row] : tables_.history_segments) rows.push_back(row);
    return rows;
  }
  std::vector<Erasure> erasures() {
    std::vector<Erasure> rows;
    for (const auto& [name, row] : tables_.erasures) rows.push_back(row);
    return rows;
  }
  Result<ErasedPerson> erase(std::string name = "kanarie", bool keep_jobs = false) {
    auto erased = erase_person(*store_, {.name = std::move(name),
                                         .pseudonym = "erased-0000000" + std::to_string(++count_),
                                         .own_user = "operator",
                                         .reason = "asked",
                                         .keep_jobs = keep_jobs,
                                         .segments = dir_ / "history",
                                         .delete_logs = delete_logs_,
                                         .now = now_});
    tables_ = must(store_->load()).tables;
    return erased;
  }
  VerifiedPart verify() {
    const auto reader = must(store_->reader());
    const auto erased = must(confirmed_seals(*reader, erasures()));
    const auto rows = segments();
    VerifiedTo at = rows.empty() ? VerifiedTo{} : VerifiedTo{{rows.back().to, rows.back().chain}, rows.back().seal};
    VerifiedPart all;
    for (bool more = true; more; at = all.end) {
      auto part = must(verify_part(*reader, at, tables_.last_seq, erased));
      part.heads.insert(part.heads.begin(), all.heads.begin(), all.heads.end());
      all = std::move(part);
      more = all.more && !all.fault;
    }
    return all;
  }
  std::int64_t unproved() {
    const auto shown = must(show_history({.wanted = HistoryOptions::Wanted::verify, .folder = dir_ / "history"}));
    std::int64_t sum = 0;
    for (const auto& row : shown.at("items").as_array()) sum += row.at("unproved").to_number<std::int64_t>();
    return sum;
  }
  bool state_has(std::string_view text) {
    bool found = false;
    for (const auto& entry : fs::recursive_directory_iterator(dir_)) {
      if (!entry.is_regular_file()) continue;
      if (!entry.path().string().ends_with(".gz")) found = found || content_of(entry.path()).contains(text);
      else
        for (auto lines = must(SegmentLines::open(entry.path()));;) {
          const auto line = must(lines.next());
          if (!line) break;
          found = found || boost::json::serialize(*line).contains(text);
        }
    }
    return found;
  }

  fs::path dir_;
  std::unique_ptr<Store> store_;
  Tables tables_;
  SealHead head_;
  std::vector<SealHead> heads_;
  Instant now_ = kBegin;
  std::function<Result<void>(const std::vector<JobId>&)> delete_logs_;
  int count_ = 0;
};

TEST_F(ErasePerson, NothingOfItIsLeftAndTheChainHolds) {
  submit("kanarie");
  const auto of_bob = submit("bob");
  seal();
  add(RequestAudited{.verb = "jobs.get", .object = "job:1", .source = "10.9.8.7"});
  seal();
  const auto erased = must(erase());
  EXPECT_EQ(erased.jobs.size(), 1u);
  EXPECT_EQ(erased.row.tokens, 1);
  for (const auto* gone : {"kanarie", "10.9.8.7", "Display of kanarie"}) EXPECT_FALSE(state_has(gone)) << gone;
  EXPECT_TRUE(state_has("Display of bob"));
  EXPECT_TRUE(state_has("secret-word")) << "bob's job stays";
  const auto checked = verify();
  EXPECT_FALSE(checked.fault) << checked.fault->what;
  EXPECT_EQ(checked.heads, heads_) << "kept heads stay right";
  const auto reader = must(store_->reader());
  EXPECT_EQ(must(reader->job(of_bob))->owner, "bob");
  const auto job = must(reader->job(erased.jobs.front()));
  EXPECT_EQ(job->owner, erased.row.name);
  EXPECT_EQ(job->name, "erased");
  EXPECT_EQ(job->spec->run.words, std::vector<std::string>{"erased"});
  const Principal& tombstone = tables_.principals.at(erased.row.name);
  EXPECT_TRUE(tombstone.disabled_at);
  EXPECT_FALSE(tables_.principals.contains("kanarie"));
  EXPECT_FALSE(tables_.access_tokens.contains("t2"));
  seal();
  EXPECT_FALSE(verify().fault);
}

TEST_F(ErasePerson, TheEventsFoldToTheRows) {
  submit("kanarie");
  seal();
  (void)must(erase());
  Tables folded;
  const auto reader = must(store_->reader());
  for (const auto& event : must(reader->events({}, 10'000))) {
    apply(folded, event);
    if (const auto* finished = std::get_if<JobFinished>(&event.payload)) forget(folded, finished->job);
  }
  EXPECT_EQ(folded, tables_);
}

TEST_F(ErasePerson, SegmentsAreWrittenAnew) {
  submit("kanarie");
  submit("bob");
  seal();
  now_ = kBegin + hours(5);
  submit("bob");
  seal();
  archive();
  ASSERT_EQ(segments().size(), 1u);
  const auto before = segments().front();
  const auto erased = must(erase());
  EXPECT_EQ(erased.row.segments, 1);
  ASSERT_EQ(segments().size(), 1u);
  EXPECT_NE(segments().front().name, before.name);
  EXPECT_EQ(segments().front().chain, before.chain);
  EXPECT_FALSE(fs::exists(dir_ / "history" / before.name));
  const auto checked = must(check_segment(dir_ / "history" / segments().front().name));
  EXPECT_EQ(checked.erased, 1u);
  EXPECT_EQ(checked.end.chain, before.chain);
  EXPECT_FALSE(state_has("kanarie"));
  EXPECT_FALSE(verify().fault);
  now_ = kBegin + hours(24);
  add(RequestAudited{.verb = "jobs.get"}, "bob");
  seal();
  now_ = kBegin + hours(48);
  add(RequestAudited{.verb = "jobs.get"}, "bob");
  seal();
  archive();
  EXPECT_EQ(segments().size(), 2u) << "a later segment has seals that the erasure explains";
  for (const auto& row : segments()) EXPECT_TRUE(check_segment(dir_ / "history" / row.name)) << row.name;
  EXPECT_EQ(unproved(), 0) << "the second one has the event of the erasure";
  fs::rename(dir_ / "history" / segments().back().name, dir_ / "later");
  EXPECT_EQ(unproved(), 1);
  fs::rename(dir_ / "later", dir_ / "history" / segments().back().name);
  EXPECT_FALSE(verify().fault);
}

TEST_F(ErasePerson, WhatAnIntruderChangedIsNotHidden) {
  seal();
  auto changed = must(must(store_->reader())->events({.after = 1}, 1)).front();
  std::get<PrincipalSet>(changed.payload).row.email = "eve@x";
  must(store_->rewrite({.events = {changed}, .specs = {}, .principal = ""}, Commit{}));
  const auto erased = erase();
  ASSERT_FALSE(erased);
  EXPECT_EQ(erased.error().code, ErrorCode::corrupt);
  EXPECT_TRUE(tables_.principals.contains("kanarie")) << "nothing was changed";
}

// With the new hash in the list, the event and its list fit each other. The chain shows it.
TEST_F(ErasePerson, AListThatAnIntruderChangedIsNotMadeRight) {
  add(RequestAudited{.verb = "jobs.get", .object = "job:1"}, "bob");
  seal();
  const auto reader = must(store_->reader());
  auto events = must(reader->events({}, 100));
  const auto of_bob = std::ranges::find_if(events, [](const Event& event) { return event.actor == "bob"; });
  ASSERT_NE(of_bob, events.end());
  std::get<RequestAudited>(of_bob->payload).object = "job:2";
  must(store_->rewrite({.events = {*of_bob}, .specs = {}, .principal = ""}, Commit{}));
  const auto leaves = must(read_leaves(*must(store_->reader()), of_bob->seq - 1, 1));
  Event seal = events.back();
  auto& list = std::get<LogSealed>(seal.payload);
  list = with_leaves(list, {{of_bob->seq, leaves.front().hash}}).value();
  must(store_->rewrite({.events = {seal}, .specs = {}, .principal = ""}, Commit{}));
  EXPECT_EQ(erase().error().code, ErrorCode::corrupt);
  EXPECT_TRUE(tables_.erasures.empty());
  EXPECT_TRUE(verify().fault);
}

TEST_F(ErasePerson, AnOlderDatabaseDoesNotDeleteNewerSegments) {
  submit("kanarie");
  seal();
  now_ = kBegin + hours(5);
  submit("bob");
  seal();
  archive();
  ASSERT_EQ(segments().size(), 1u);
  const auto row = segments().front();
  const auto newer = dir_ / "history" / segment_name(row.from, row.to, "0123456789abcdef");
  fs::rename(dir_ / "history" / row.name, newer);
  EXPECT_EQ(erase().error().code, ErrorCode::corrupt);
  EXPECT_TRUE(fs::exists(newer));
}

TEST_F(ErasePerson, AJobThatBeganInADeletedSegmentIsKnownFromItsEnd) {
  const auto job = submit("kanarie", false);
  seal();
  now_ = kBegin + hours(24);
  add(JobFinished{job, JobState::failed, "said-a-secret"}, "server");
  seal();
  archive();
  now_ = kBegin + hours(48);
  add(RequestAudited{.verb = "jobs.get"}, "bob");
  seal();
  archive();
  ASSERT_EQ(segments().size(), 2u);
  const auto first = segments().front();
  add(HistorySegmentRemoved{first.name}, "server");
  fs::remove(dir_ / "history" / first.name);
  ASSERT_TRUE(state_has("said-a-secret"));
  EXPECT_EQ(must(erase()).jobs, std::vector<JobId>{job});
  EXPECT_FALSE(state_has("said-a-secret"));
  EXPECT_FALSE(state_has("kanarie"));
  EXPECT_FALSE(verify().fault);
  EXPECT_EQ(must(check_segment(dir_ / "history" / segments().front().name)).erased, 1u);
}

TEST_F(ErasePerson, LogsAreDeletedBeforeTheirJobsAreForgotten) {
  const auto job = submit("kanarie");
  seal();
  std::vector<JobId> asked;
  bool works = false;
  delete_logs_ = [&](const std::vector<JobId>& jobs) -> Result<void> {
    asked = jobs;
    return works ? Result<void>() : fail(ErrorCode::io, "the disk");
  };
  EXPECT_EQ(erase().error().code, ErrorCode::io);
  EXPECT_TRUE(tables_.principals.contains("kanarie")) << "a second run finds the same jobs";
  works = true;
  must(erase());
  EXPECT_EQ(asked, std::vector<JobId>{job});
}

TEST_F(ErasePerson, AnAdministratorThatCannotActIsNone) {
  BindingSet other{{.name = "b2", .role = "admin", .grantee = {Grantee::Kind::principal, "bob"}, .scope = {}}};
  other.row.expires_at = now_;
  add(other);
  EXPECT_EQ(erase("root").error().code, ErrorCode::conflict) << "the binding has expired";
  other.row.expires_at.reset();
  add(other);
  PrincipalSet bob{tables_.principals.at("bob")};
  bob.row.provisioned =
      Provisioned{.user_name = "bob@x", .external_id = "", .state = ProvisionedState::inactive, .groups = {}};
  add(bob);
  EXPECT_EQ(erase("root").error().code, ErrorCode::conflict) << "the provider disabled bob";
  bob.row.provisioned->state = ProvisionedState::active;
  add(bob);
  must(erase("root"));
}

TEST_F(ErasePerson, RefusesWhatItMayNotErase) {
  EXPECT_EQ(erase("eve").error().code, ErrorCode::not_found);
  EXPECT_EQ(erase("root").error().code, ErrorCode::conflict) << "the last administrator";
  add(PrincipalSet{{.name = "operator", .handle = "operator"}}, "server");
  EXPECT_EQ(erase("operator").error().code, ErrorCode::conflict) << "the server's own user";
  submit("kanarie", false);
  EXPECT_EQ(erase().error().code, ErrorCode::conflict) << "an unfinished job";
  must(erase("bob"));
  EXPECT_EQ(erase("bob").error().code, ErrorCode::not_found);
  EXPECT_EQ(erase("erased-00000005").error().code, ErrorCode::not_found) << "a pseudonym is no person";
}

TEST_F(ErasePerson, KeepsWhatItsJobsRanIfAsked) {
  const auto job = submit("kanarie");
  seal();
  (void)must(erase("kanarie", true));
  EXPECT_EQ(must(must(store_->reader())->job(job))->spec->run.words, std::vector<std::string>{"secret-word"});
  EXPECT_FALSE(state_has("kanarie"));
  EXPECT_FALSE(verify().fault);
}

TEST_F(ErasePerson, TwoErasuresExplainOneSeal) {
  submit("kanarie");
  submit("bob");
  seal();
  (void)must(erase());
  seal();
  (void)must(erase("bob"));
  seal();
  const auto checked = verify();
  EXPECT_FALSE(checked.fault) << checked.fault->what;
  EXPECT_EQ(checked.heads, heads_);
}

}  // namespace
}  // namespace ym
