// A recording is read back, and the replay makes the same decisions.
#include <gtest/gtest.h>

#include <fstream>

#include "base/testing/sentences.h"
#include "control/site/policy.h"
#include "model/testing/random_history.h"
#include "recording/replay.h"
#include "recording/segment_reader.h"
#include "recording/segments.h"

namespace ym {
namespace {

using testing::expect_sentence;

namespace fs = std::filesystem;

class Recording : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    dir_ = fs::path(::testing::TempDir()) / ("ym-recording-" + std::string(test->name()));
    fs::remove_all(dir_);
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }

  std::vector<fs::path> segments() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(dir_)) found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
  }

  // Records a server's life: random events, and a decision now and then.
  void record(int steps, std::uint64_t segment_bytes = std::uint64_t{1} << 30) {
    testing::RandomHistory history(3);
    history.next(100);
    Tables tables = testing::unfinished(history.tables());
    Segments segments({.dir = dir_, .segment_bytes = segment_bytes, .version = "1.2"});
    segments.begin(tables, policy_);
    engine::State state = engine::State::load(tables);
    for (int step = 0; step < steps; ++step) {
      const auto batch = history.next(5);
      segments.follow(batch.events);
      for (const Event& event : batch.events) state.apply(event);
      const Instant now = history.tables().last_time;
      segments.decide(now, engine::decide(state, policy_, now));
      segments.flush();
    }
    tables_ = testing::unfinished(history.tables());
  }

  fs::path dir_;
  engine::Policy policy_;
  Tables tables_;  // at the end
};

TEST_F(Recording, DecidesTheSame) {
  record(60);
  const auto report = replay({.segments = segments()});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->version, "1.2");
  EXPECT_EQ(report->decisions, 60);
  EXPECT_EQ(report->same, 60);
  EXPECT_TRUE(report->differences.empty());
}

TEST_F(Recording, GivesBackTheStateThatItBeganWithAndWhatHappened) {
  record(40);
  auto reader = SegmentReader::open(segments().front());
  ASSERT_TRUE(reader) << reader.error().message;
  Tables tables = reader->tables();
  for (auto line = reader->next(); line && *line; line = reader->next())
    if (const auto* event = std::get_if<Event>(&**line)) apply(tables, *event);
  EXPECT_EQ(testing::unfinished(tables), tables_);
}

TEST_F(Recording, EachSegmentCanBeReplayedAlone) {
  record(200, 4000);
  ASSERT_GT(segments().size(), 2U);
  for (const auto& segment : segments()) {
    const auto report = replay({.segments = {segment}});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->same, report->decisions);
  }
}

TEST_F(Recording, KeepsAsMuchAsItMay) {
  testing::RandomHistory history(5);
  history.next(100);
  Segments segments({.dir = dir_, .most_bytes = 60'000, .segment_bytes = 10'000, .version = ""});
  segments.begin(testing::unfinished(history.tables()), policy_);
  for (int step = 0; step < 400; ++step) {
    segments.follow(history.next(5).events);
    segments.flush();
  }
  std::uintmax_t bytes = 0;
  for (const auto& segment : this->segments()) bytes += fs::file_size(segment);
  EXPECT_LT(bytes, 80'000U);
  EXPECT_GT(this->segments().size(), 1U);
}

TEST_F(Recording, ACrashCutsOffTheLastLineOnly) {
  record(60);
  const auto segment = segments().front();
  fs::resize_file(segment, fs::file_size(segment) - 100);
  const auto report = replay({.segments = {segment}});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_GT(report->decisions, 50);
  EXPECT_EQ(report->same, report->decisions);
}

Job job_of(std::uint64_t id) {
  JobSpec spec{.name = "train"};
  spec.resources.gpus = kMilli;
  return {.id = {id},
          .spec_id = {id},
          .spec = std::make_shared<const JobSpec>(spec),
          .name = "train",
          .queue = "default",
          .pending = ReasonCode::pending_evaluation};
}

Node node_of(const std::string& name) {
  Node node{.name = name, .cluster = "lab", .gpu_type = "t4"};
  for (const char* id : {"0", "1", "2", "3"}) node.devices.push_back({.id = id});
  return node;
}

// The first job runs on n1. The second one goes there, too, or to n2 if the placement is `spread`.
TEST_F(Recording, SaysWhatAnotherPolicyDecidesOtherwise) {
  Tables tables;
  const auto happens = [&](EventPayload what) {
    apply(tables, {.seq = tables.last_seq + 1, .payload = std::move(what)});
  };
  happens(ClusterSet{{.name = "lab", .executor = "simulated"}});
  happens(NodeSet{node_of("n1")});
  happens(NodeSet{node_of("n2")});
  happens(QueueSet{{.name = "default"}});
  happens(JobSubmitted{job_of(1)});
  Attempt attempt{.job = {1}, .number = 1, .cluster = "lab", .queue = "default", .flavor = "default"};
  attempt.placement = {{.task = 0, .node = "n1", .devices = {"0"}}};
  attempt.tasks.resize(1);
  happens(AttemptAdmitted{attempt});
  Segments segments({.dir = dir_, .version = "1.2"});
  segments.begin(tables, policy_);
  const std::vector submitted{Event{.seq = tables.last_seq + 1, .payload = JobSubmitted{job_of(2)}}};
  segments.follow(submitted);
  engine::State state = engine::State::load(tables);
  state.apply(submitted.front());
  segments.decide({1000}, engine::decide(state, policy_, {1000}));
  segments.flush();
  PolicySettings settings;
  settings.scoring = Scoring::spread;
  const auto report = replay({.segments = this->segments(), .settings = settings, .queues = {}});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->differences.size(), 1U);
  EXPECT_EQ(report->differences[0].recorded.decisions,
            std::vector<std::string>{"admit 00000002 cluster=lab flavor=default 0@n1:1"});
  EXPECT_EQ(report->differences[0].replayed.decisions,
            std::vector<std::string>{"admit 00000002 cluster=lab flavor=default 0@n2:0"});
}

TEST_F(Recording, APolicyIsReadBackWhole) {
  policy_ = {.fair_share = FairShare::instant,
             .scoring = Scoring::spread,
             .flavor_choice = FlavorChoice::cheapest,
             .consolidation = Consolidation::on,
             .resizing = Resizing::off,
             .resize_interval = minutes(3),
             .usage_kept = 4,
             .age_cap = minutes(7),
             .restart_cost = minutes(8),
             .reclaim_min_runtime_cap = minutes(9),
             .preemptions_per_hour = 2,
             .start_allowance = minutes(5),
             .hold_margin = minutes(6)};
  record(1);
  const auto reader = SegmentReader::open(segments().front());
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(reader->policy(), policy_);
  EXPECT_EQ(reader->former_scorings(), 0);
}

// A recording of a server with a placement by a learned table.
TEST_F(Recording, APlacementOfEarlierVersionsIsReadAsFgd) {
  auto line = LineWriter::policy({.scoring = Scoring::pack});
  line.replace(line.find("\"pack\""), 6, R"("final-waste","waste_table":{"shared":[],"whole":[[1,0,0,5]]})");
  std::ofstream(dir_ / "decisions-x.gz") << "{\"recording\":{\"format\":1}}\n" << line << line;
  const auto report = replay({.segments = {dir_ / "decisions-x.gz"}, .settings = {}, .queues = {}});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->former_scoring, 2);
  EXPECT_EQ(SegmentReader::open(dir_ / "decisions-x.gz")->policy().scoring, Scoring::fgd);
}

TEST_F(Recording, WhatIsNoneIsRefused) {
  for (const std::string text : {"", "submit,run_time\n", "{\"recording\":{\"format\":2}}\n",
                                 "{\"recording\":{\"format\":1}}\n{\"job\":{\"id\":1}}\n"}) {
    std::ofstream(dir_ / "decisions-x.gz") << text;
    const auto reader = SegmentReader::open(dir_ / "decisions-x.gz");
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().code, ErrorCode::corrupt);
    const std::string& all = reader.error().message;
    expect_sentence(all.substr(all.find("decisions-x.gz")));  // the folder is not the same everywhere
  }
  const auto missing = SegmentReader::open(dir_ / "none.gz");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace ym
