#include "executor/slurm/jobs/parts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/testing/sentences.h"
#include "executor/slurm/inventory.h"
#include "executor/slurm/jobs/sbatch_words.h"
#include "executor/slurm/jobs/script.h"
#include "executor/slurm/power_up_jobs.h"

namespace ym::slurm {
namespace {

using Hosts = std::vector<std::string>;

LaunchRequest gang(const Hosts& nodes, JobSpec spec = {}) {
  spec.nodes = static_cast<std::int32_t>(nodes.size());
  LaunchRequest request{.token = {JobId{1}, 1, 7}};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    request.nodes.push_back({.name = nodes[i], .gpu_type = "h100"});
    request.placement.push_back({.task = static_cast<std::int32_t>(i), .node = nodes[i]});
  }
  request.spec = std::make_shared<const JobSpec>(std::move(spec));
  return request;
}

JobSpec two_gpus() {
  JobSpec spec;
  spec.resources = {.gpus = 2 * kMilli, .cpus = 1500, .memory_bytes = kGiB};
  return spec;
}

TEST(Parts, AnEvenGangIsOneJobInItsOwnOrder) {
  const auto parts = plan_parts(gang({"n3", "n1", "n2"}, two_gpus()), SlurmPlacement::ours);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 1U);
  EXPECT_EQ(parts->front(),
            (Part{.nodes = {"n3", "n1", "n2"}, .cpus = 2, .memory_bytes = kGiB, .gpus = 2, .gpu_type = "h100"}));
}

TEST(Parts, WhatIsUnevenBecomesSeveral) {
  const auto parts = plan_parts(gang({"n1", "n1", "n2", "n2", "n3", "n1"}), SlurmPlacement::ours);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 2U);
  EXPECT_EQ((*parts)[0].nodes, (Hosts{"n1", "n2"}));
  EXPECT_EQ((*parts)[0].tasks(), 4);
  EXPECT_EQ((*parts)[1].nodes, (Hosts{"n3", "n1"}));
  EXPECT_EQ((*parts)[1].first_task, 4);
}

TEST(Parts, GroupsThatWantOtherThingsAreJobsOfTheirOwn) {
  auto spec = two_gpus();
  spec.groups = {{.name = "a", .nodes = 2, .resources = spec.resources}, {.name = "b", .nodes = 1}};
  const auto parts = plan_parts(gang({"n1", "n2", "n3"}, spec), SlurmPlacement::delegated);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 2U);
  EXPECT_EQ((*parts)[1].first_task, 2);
  EXPECT_EQ((*parts)[1].gpus, 0);
  EXPECT_EQ(part_name({JobId{1}, 1, 7}, "x", 1, 2), "ym-" + to_string(Token{JobId{1}, 1, 7}) + "-x.p1");
}

TEST(Parts, ANameHasTheLaunchOfThePart) {
  const Token token{JobId{1}, 1, 7};
  EXPECT_EQ(token_of_part(part_name(token, "x", 0, 1), "x"), token);
  EXPECT_EQ(token_of_part(part_name(token, "x", 1, 2), "x"), token);
  EXPECT_FALSE(token_of_part(part_name(token, "x", 0, 1), "y"));
  EXPECT_FALSE(token_of_part(part_name(token, "x", 0, 1) + ".q1", "x"));
  EXPECT_FALSE(token_of_part("ym-1.1-x", "x"));
  EXPECT_FALSE(token_of_part("train", "x"));
}

TEST(Parts, WhereAttemptsRanTheirClaimsSay) {
  LiveAttempt live{.request = gang({"n1", "n2"}), .tasks = std::vector<TaskStatus>(2)};
  EXPECT_FALSE(was_let_in(live));
  live.tasks[1].claim = TaskClaim{.nonce = "a", .node = "n7"};
  EXPECT_TRUE(was_let_in(live));
  EXPECT_EQ(part_of_claims(live).nodes, (Hosts{"n1", "n7"})) << "without a word of its own: where it was placed";
}

TEST(Parts, WhatSlurmCannotGiveIsRefusedInWords) {
  auto share = two_gpus();
  share.resources.gpus = 500;
  auto slice = two_gpus();
  slice.resources.profile = "1g.10gb";
  for (const auto& spec : {share, slice})
    ym::testing::expect_refused(plan_parts(gang({"n1"}, spec), SlurmPlacement::ours), ErrorCode::invalid);
  EXPECT_FALSE(plan_parts(gang({"n1 --uid=0"}), SlurmPlacement::ours));
  EXPECT_FALSE(plan_parts(gang({"--uid=0"}), SlurmPlacement::ours));
}

// -1: no limit; -2: an error.
std::int64_t minutes_of(const JobSpec& spec, const SlurmOptions& options, const Facts& facts) {
  const auto minutes = minutes_for(spec, options, facts);
  return minutes ? minutes->value_or(-1) : -2;
}

TEST(Parts, TheTimeLimitHasRoomForTheGraceAndFitsThePartition) {
  JobSpec spec;
  spec.stop.grace = seconds(30);
  spec.time_limit = minutes(10);
  Facts facts{.partitions = {{"train", {.is_default = true, .most_minutes = 60}}}};
  EXPECT_EQ(minutes_of(spec, {}, facts), 13);
  spec.time_limit = minutes(59);
  EXPECT_EQ(minutes_of(spec, {}, facts), 60);
  spec.time_limit = minutes(60);
  EXPECT_EQ(minutes_of(spec, {}, facts), -2);
  spec.time_limit.reset();
  EXPECT_EQ(minutes_of(spec, {}, facts), 60);
  EXPECT_EQ(minutes_of(spec, {.partition = "other"}, facts), -1);
}

TEST(Script, HoldsNothingButQuotedWordsOfOurs) {
  const AgentContact contact{.task_url = "http://h/x", .token = Secret{"a'b$(touch evil)"}, .launch = {JobId{1}, 1, 7}};
  const Part part{.nodes = {"n2", "n1"}, .gpus = 2};
  const auto script = make_script(part, contact, {.wrapper = "/opt/it's/ym-task", .log_dir = "/logs dir"}, true, true);
  EXPECT_NE(script.find("export YM_TASK_TOKEN='a'\\''b$(touch evil)'\n"), std::string::npos) << script;
  EXPECT_NE(script.find(" --distribution=arbitrary --nodelist=n2,n1 "), std::string::npos) << script;
  EXPECT_NE(script.find("'/opt/it'\\''s/ym-task'\n"), std::string::npos) << script;
  EXPECT_NE(script.find("--output='/logs dir/" + to_string(JobId{1}) + "/1/0+%t.log'"), std::string::npos) << script;
}

TEST(Script, OneTaskNeedsNoStep) {
  const Part part{.first_task = 3, .nodes = {"n2"}};
  const auto script = make_script(part, {}, {.wrapper = "/w"}, false, true);
  EXPECT_EQ(script.find("srun"), std::string::npos);
  EXPECT_NE(script.find("YM_TASK_BASE='3'"), std::string::npos);
  EXPECT_NE(make_script(part, {}, {.wrapper = "/w"}, true, true).find("srun"), std::string::npos);
}

TEST(Sbatch, IsAnArgumentVectorWithoutSecrets) {
  const Submission made{.name = "ym-1.1.7",
                        .comment = "yardmaster/x y",
                        .nodes = 2,
                        .memory_mib = 100,
                        .gpu_type = "h100",
                        .gpus_per_node = 4,
                        .node_list = {"n1", "n2"},
                        .minutes = 5,
                        .script = "secret"};
  const auto words = sbatch_words(made, {.partition = "train"});
  const auto has = [&](const std::string& word) { return std::ranges::find(words, word) != words.end(); };
  EXPECT_TRUE(has("--gres=gpu:h100:4") && has("--nodelist=n1,n2") && has("--time=5") && has("--mem=100M"));
  EXPECT_TRUE(has("--dependency=singleton") && has("--no-requeue") && has("--partition=train"));
  for (const auto& word : words) EXPECT_EQ(word.find("secret"), std::string::npos);
}

TEST(Inventory, WhatOthersHoldIsNotOffered) {
  const NodeRow row{.name = "n1",
                    .cpus = 16,
                    .cpus_used = 6,
                    .memory_mib = 1000,
                    .memory_mib_used = 300,
                    .gres = "gpu:h100:4",
                    .gres_used = "gpu:h100:3(IDX:0-2)",
                    .features = {"ib", "rack=r1"},
                    .partitions = {"train"},
                    .states = {"MIXED"}};
  Ours ours{.cpus = 2, .memory_mib = 100, .gpus = {{"h100", 1}}, .devices = {"3"}};
  const auto nodes = make_nodes({row}, {}, {.cluster = "lab", .partition = "train"}, {{"n1", ours}});
  ASSERT_EQ(nodes.size(), 1U);
  const auto& node = nodes.front();
  EXPECT_EQ(node.cpus, 12 * kMilli);
  EXPECT_EQ(node.memory_bytes, std::int64_t{800} << 20);
  ASSERT_EQ(node.devices.size(), 4U);
  EXPECT_FALSE(node.devices[0].foreign || node.devices[3].foreign);
  EXPECT_TRUE(node.devices[1].foreign && node.devices[2].foreign);
  EXPECT_EQ(node.labels, (std::map<std::string, std::string>{{"ib", "true"}, {"partition", "train"}, {"rack", "r1"}}));
  EXPECT_TRUE(node.in_service());
}

// It has the whole node if Slurm allocates whole nodes; otherwise other jobs may use the rest.
TEST(Inventory, WhatWakesANodeIsNotTakenOff) {
  const NodeRow row{.name = "c1",
                    .cpus = 16,
                    .cpus_used = 16,
                    .memory_mib = 1000,
                    .memory_mib_used = 116,
                    .gres = "gpu:h100:4",
                    .gres_used = "gpu:h100:4(IDX:0-3)",
                    .partitions = {"train"}};
  const Ours ours{.woken = true};
  const auto offered = [&](const Facts& facts) {
    return make_nodes({row}, facts, {.cluster = "lab", .partition = "train"}, {{"c1", ours}}).front();
  };
  for (const Facts& whole : {Facts{.partitions = {{"train", {.whole_nodes = true}}}}, Facts{.whole_nodes = true}}) {
    EXPECT_EQ(offered(whole).cpus, 16 * kMilli);
    EXPECT_EQ(offered(whole).memory_bytes, std::int64_t{1000} << 20);
    EXPECT_TRUE(std::ranges::none_of(offered(whole).devices, &Device::foreign));
  }
  const Facts shared{.partitions = {{"train", {}}, {"other", {.whole_nodes = true}}}};
  EXPECT_EQ(offered(shared).cpus, kMostPowerUpCpus * kMilli);
  EXPECT_EQ(offered(shared).memory_bytes, std::int64_t{900} << 20);
  EXPECT_TRUE(std::ranges::all_of(offered(shared).devices, &Device::foreign));
}

TEST(Inventory, NodesOfOtherPartitionsAndDrainedOnes) {
  const NodeRow out{.name = "n1", .partitions = {"debug"}};
  const NodeRow drained{.name = "n2", .cpus = 4, .partitions = {"train"}, .states = {"IDLE", "DRAIN"}, .reason = "fan"};
  const auto nodes = make_nodes({out, drained}, {.partitions = {{"train", {.is_default = true}}}}, {}, {});
  ASSERT_EQ(nodes.size(), 1U);
  ym::testing::expect_sentence(nodes.front().withheld);
}

// More in use than there are, or unknown ones: a wrong answer of Slurm never gives a node more than it has.
TEST(Inventory, NonsenseNumbersAreBounded) {
  const NodeRow row{.name = "n1",
                    .cpus = 4,
                    .cpus_used = 900,
                    .memory_mib = 10,
                    .memory_mib_used = 99,
                    .gres = "gpu:t4:900",
                    .gres_used = "gpu:t4:1000"};
  const auto nodes = make_nodes({row}, {}, {}, {});
  EXPECT_EQ(nodes.front().cpus, 0);
  EXPECT_EQ(nodes.front().memory_bytes, 0);
  EXPECT_EQ(nodes.front().devices.size(), kMaxDevicesPerNode);
  EXPECT_TRUE(std::ranges::all_of(nodes.front().devices, &Device::foreign));
}

}  // namespace
}  // namespace ym::slurm
