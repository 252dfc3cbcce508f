#include "spec/testing/support.h"

namespace ym::spec {
namespace {

using ::testing::ElementsAre;

constexpr std::string_view kLab = R"(
clusters:
  - name: lab
    executor: local
    nodes:
      - {names: "n[1-5]", gpus: "T4:4", cpus: 16, memory: 64GiB, labels: {rack: r1}}
flavors:
  - {name: t4, match: {gpu: t4}, price_per_gpu_hour: 0.35, spot: true}
queues:
  - name: org
    children:
      - {name: a, quota: {t4: {gpus: {nominal: 8, borrow: 4}, cpus: 64}}, policy: {order: fifo, preempt: lower-priority}}
      - {name: b, quota: {t4: {gpus: 12, memory: 96GiB}}, age_cap: 2h}
scheduling: {age_cap: 90m, start_allowance: 3m, fair_share: instant, placement: best-fit, consolidation: on, resize: off, resize_interval: 2h, usage_half_life: 1d}
)";

TEST(Configuration, ReadsTheExampleOfTheDesign) {
  const auto read = parse_configuration(kLab);
  ASSERT_TRUE(read) << message(read);
  ASSERT_EQ(read->clusters.size(), 1u);
  EXPECT_EQ(read->clusters[0].cluster.name, "lab");
  EXPECT_FALSE(read->clusters[0].discover);
  ASSERT_EQ(read->clusters[0].nodes.size(), 5u);
  const auto& node = read->clusters[0].nodes[4];
  EXPECT_EQ(node.name, "n5");
  EXPECT_EQ(node.cluster, "lab");
  EXPECT_EQ(node.gpu_type, "t4");
  ASSERT_EQ(node.devices.size(), 4u);
  EXPECT_EQ(node.devices[3].id, "3");
  EXPECT_EQ(node.cpus, 16'000);
  EXPECT_EQ(node.memory_bytes, 64 * kGiB);
  EXPECT_EQ(node.labels.at("rack"), "r1");
  ASSERT_EQ(read->flavors.size(), 1u);
  EXPECT_EQ(read->flavors[0].price_micros_per_gpu_hour, 350'000);
  EXPECT_TRUE(read->flavors[0].spot);
  EXPECT_EQ(read->settings.age_cap, minutes(90));
  EXPECT_EQ(read->settings.start_allowance, minutes(3));
  EXPECT_EQ(read->settings.fair_share, FairShare::instant);
  EXPECT_EQ(read->settings.scoring, Scoring::best_fit);
  EXPECT_EQ(read->settings.consolidation, Consolidation::on);
  EXPECT_EQ(read->settings.resizing, Resizing::off);
  EXPECT_EQ(read->settings.resize_interval, hours(2));
  EXPECT_EQ(read->settings.usage_half_life, hours(24));
}

TEST(Configuration, WhatAnEarlierVersionHadIsReadAndWarnedAbout) {
  const auto read = parse_configuration("scheduling:\n  placement: final-waste\n  waste_table: table.json\n");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->settings.scoring, Scoring::fgd);
  ASSERT_EQ(read->warnings.size(), 2u);
  for (const auto& warning : read->warnings) expect_sentence(warning);
  EXPECT_THAT(parse_configuration(kLab)->warnings, ::testing::IsEmpty());
  const auto policy = parse_policy("scheduling: {waste_table: table.json}");
  ASSERT_TRUE(policy) << message(policy);
  EXPECT_EQ(policy->settings.scoring, std::nullopt);
  EXPECT_EQ(policy->warnings.size(), 1U);
}

TEST(Configuration, ListsParentsBeforeChildren) {
  const auto queues = parse_configuration(kLab)->queues;
  ASSERT_EQ(queues.size(), 3u);
  EXPECT_EQ(queues[0].name, "org");
  EXPECT_FALSE(queues[0].quota);
  EXPECT_EQ(queues[1].parent, "org");
  const auto& a = queues[1].quota->at("t4");
  EXPECT_EQ(a[2], (Quota{.nominal = 8000, .borrowing_limit = 4000, .lending_limit = {}}));
  EXPECT_EQ(a[0], (Quota{.nominal = 64'000, .borrowing_limit = {}, .lending_limit = {}}));
  EXPECT_FALSE(a[1]);
  EXPECT_EQ(queues[2].quota->at("t4")[1]->nominal, 96 * kGiB);
  EXPECT_EQ(queues[2].age_cap, hours(2));
  EXPECT_EQ(queues[1].preempt, PreemptRule::lower_priority);
}

TEST(Configuration, KeepsTheOrderOfFlavors) {
  const auto read = parse_configuration(
      "flavors: [{name: z}, {name: b}, {name: m}]\n"
      "queues: [{name: a, quota: {m: {gpus: 1}, z: {gpus: 2}, b: {gpus: 3}}}]");
  ASSERT_TRUE(read) << message(read);
  std::string tried;
  for (const auto& [flavor, kinds] : *read->queues.at(0).quota) tried += flavor;
  EXPECT_EQ(tried, "mzb");
  EXPECT_EQ(read->flavors[0].rank, 0);
  EXPECT_EQ(read->flavors[2].rank, 2);
}

TEST(Configuration, AnInnerQueueMayLendWhatItsChildrenBring) {
  const auto read = parse_configuration(
      "queues: [{name: org, quota: {default: {gpus: {nominal: 0, lend: 6}}},"
      " children: [{name: a, quota: {default: {gpus: {nominal: 8, lend: 2}}}}]}]");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->queues[0].quota->at("default")[2]->lending_limit, 6000);
  expect_refused(
      parse_configuration("queues: [{name: org, children: [], quota: {default: {gpus: {nominal: 0, lend: 6}}}}]"),
      ErrorCode::invalid, "/queues/0/quota/default/gpus/lend");
}

TEST(Configuration, EmptyMeansThisMachine) {
  const auto read = parse_configuration("# nothing\n");
  ASSERT_TRUE(read) << message(read);
  ASSERT_EQ(read->clusters.size(), 1u);
  EXPECT_EQ(read->clusters[0].cluster.name, "local");
  EXPECT_TRUE(read->clusters[0].discover);
  EXPECT_TRUE(read->queues.empty());
}

TEST(Configuration, NodesNeedOnlyANameAndHaveACpuForEachGpu) {
  const auto read = parse_configuration("clusters: [{name: x, nodes: [{names: a, gpus: 4}, {names: b}]}]");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->clusters[0].nodes[0].cpus, 4000);
  EXPECT_EQ(read->clusters[0].nodes[0].gpu_type, "");
  EXPECT_EQ(read->clusters[0].nodes[1].cpus, 1000);
}

struct Bad {
  std::string_view yaml, pointer;
};

void expect_refusals(std::initializer_list<Bad> list) {
  for (const auto& [yaml, pointer] : list) expect_refused(parse_configuration(yaml), ErrorCode::invalid, pointer);
}

TEST(Configuration, SaysWhatIsWrongWithClustersAndFlavors) {
  expect_refusals({
      {"clusters: [{name: a, executor: pbs}]", "/clusters/0/executor"},
      {"clusters: [{name: a}, {name: a, nodes: [{names: n}]}]", "/clusters/1"},
      {"clusters: [{name: a}, {name: b}]", "/clusters/1"},
      {"clusters: [{name: a, nodes: []}]", "/clusters/0/nodes"},
      {"clusters: [{name: a, nodes: [{names: 'n[1-3]'}, {names: n2}]}]", "/clusters/0/nodes/1/names"},
      {"clusters: [{name: a, nodes: [{gpus: 1}]}]", "/clusters/0/nodes/0/names"},
      {"flavors: [{name: t4}, {name: t4}]", "/flavors/1"},
      {"flavors: [{name: t4, match: {cluster: moon}}]", "/flavors/0/match/cluster"},
      {"flavors: [{name: t4, price_per_gpu_hour: -1}]", "/flavors/0/price_per_gpu_hour"},
  });
}

TEST(Configuration, SaysWhatIsWrongWithQueues) {
  expect_refusals({
      {"queues: [{name: a, quota: {t4: {gpus: 1}}}]", "/queues/0/quota/t4"},
      {"flavors: [{name: h100}]\nqueues: [{name: a, quota: {t4: {gpus: 1}}}]", "/queues/0/quota/t4"},
      {"queues: [{name: a, children: [{name: a}]}]", "/queues/0/children/0/name"},
      {"queues: [{name: a, quota: {default: {gpu: 1}}}]", "/queues/0/quota/default/gpu"},
      {"queues: [{name: a, quota: {default: {gpus: {borrow: 1}}}}]", "/queues/0/quota/default/gpus/nominal"},
      {"queues: [{name: a, quota: {default: {gpus: {nominal: 1, lend: 2}}}}]", "/queues/0/quota/default/gpus/lend"},
      {"queues: [{name: a, policy: {order: lifo}}]", "/queues/0/policy/order"},
      {"queues: [{name: a, policy: {preempt: always}}]", "/queues/0/policy/preempt"},
      {"queues: [{name: a, policy: {reclaim: sometimes}}]", "/queues/0/policy/reclaim"},
      {"queues: [{name: a, policy: {min_runtime: {reclam: 5m}}}]", "/queues/0/policy/min_runtime/reclam"},
      {"queue: []", "/queue"},
      {"a: 1\n---\nb: 2\n", ""},
  });
}

TEST(Configuration, SumsCannotOverflow) {
  expect_refused(parse_configuration("queues: [{name: a, quota: {default: {memory: 700PB}}}]"), ErrorCode::invalid,
                 "/queues/0/quota/default/memory");
  const std::string_view big = "{default: {memory: 900000TiB}}";
  expect_refused(parse_configuration(fmt::format("queues: [{{name: a, quota: {0}}}, {{name: b, quota: {0}}}]", big)),
                 ErrorCode::invalid, "/queues/1/quota/default/memory");
  expect_refused(parse_configuration("clusters: [{name: a, nodes: [{names: 'n[1-1000]', memory: 9000TiB}]}]"),
                 ErrorCode::invalid, "/clusters/0/nodes/0");
}

TEST(Queues, SayWhichJobsTheirJobsMayStop) {
  const auto rule = [](std::string_view text) {
    const auto read = parse_queues(fmt::format("queues: [{{name: a, policy: {{preempt: {}}}}}]", text));
    return read.value().queues.at(0).preempt;
  };
  EXPECT_EQ(rule("never"), PreemptRule::never);
  EXPECT_EQ(rule("lower-priority"), PreemptRule::lower_priority);
  EXPECT_EQ(rule("any"), PreemptRule::any);
  EXPECT_EQ(parse_queues("queues: [{name: a}]")->queues.at(0).preempt, PreemptRule::lower_priority);
}

TEST(Queues, AreTheSameListAlone) {
  const auto queues = parse_queues("queues: [{name: a, children: [{name: b, quota: {}}]}]");
  ASSERT_TRUE(queues) << message(queues);
  ASSERT_EQ(queues->queues.size(), 2u);
  EXPECT_EQ(queues->queues[1].parent, "a");
  EXPECT_TRUE(queues->queues[1].quota->empty());
  EXPECT_THAT(queues->pointers, ElementsAre("/queues/0", "/queues/0/children/0"));
  expect_refused(parse_queues(""), ErrorCode::invalid, "/queues");
}

TEST(Configuration, ReadsWhatPreemptionCosts) {
  const auto read = parse_configuration(
      "preemption: {restart_cost: 90s, reclaim_min_runtime_cap: 20m, preemptions_per_hour: 2, hold_margin: 1m}");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->settings.restart_cost, seconds(90));
  EXPECT_EQ(read->settings.reclaim_min_runtime_cap, minutes(20));
  EXPECT_EQ(read->settings.preemptions_per_hour, 2);
  EXPECT_EQ(read->settings.hold_margin, minutes(1));
  EXPECT_EQ(parse_configuration("preemption: {}")->settings, PolicySettings());
  expect_refused(parse_configuration("preemption: {preemptions_per_hour: 17}"), ErrorCode::invalid,
                 "/preemption/preemptions_per_hour");
  expect_refused(parse_configuration("preemption: {hold_margin: 0}"), ErrorCode::invalid, "/preemption/hold_margin");
  EXPECT_EQ(pointer(parse_configuration("preemption: {restart_cost: never}")), "/preemption/restart_cost");
  expect_refused(parse_configuration("preemption: {restart_costs: 1m}"), ErrorCode::invalid,
                 "/preemption/restart_costs");
}

TEST(Configuration, ReadsTheCapOfLogs) {
  const auto cap = [](std::string_view text) {
    return parse_configuration(fmt::format("clusters: [{{name: lab, log_cap: {}, nodes: [{{names: n}}]}}]", text));
  };
  EXPECT_EQ(cap("1GiB")->clusters.at(0).log_cap, kGiB);
  EXPECT_EQ(cap("64KiB")->clusters.at(0).log_cap, 64 << 10);
  EXPECT_EQ(parse_configuration("clusters: [{name: lab}]")->clusters.at(0).log_cap, std::nullopt);
  expect_refused(cap("1KiB"), ErrorCode::invalid, "/clusters/0/log_cap");
  expect_refused(cap("much"), ErrorCode::invalid, "/clusters/0/log_cap");
}

TEST(ExpandNames, ReadsPatterns) {
  EXPECT_THAT(*expand_names("n[1-3]"), ElementsAre("n1", "n2", "n3"));
  EXPECT_THAT(*expand_names("gpu[08-10],login"), ElementsAre("gpu08", "gpu09", "gpu10", "login"));
  EXPECT_THAT(*expand_names("r[1-2]n[1,3]"), ElementsAre("r1n1", "r2n1", "r1n3", "r2n3"));
  EXPECT_EQ(expand_names("n[1-100000]")->size(), 100'000u);
  for (const auto bad : {"", "n[", "n[]", "n[3-1]", "n[1-100001]", "a,,b", "a,", "n[a-b]", "../x", "-n", "a b", "n]",
                         "n[1-99999999999999999999]", "n[1-99999]m[1-99999]"})
    expect_refused(expand_names(bad), ErrorCode::invalid);
}

}  // namespace
}  // namespace ym::spec
