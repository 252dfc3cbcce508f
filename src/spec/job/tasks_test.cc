#include <gtest/gtest.h>

#include "spec/testing/support.h"

namespace ym::spec {
namespace {

TEST(Groups, SayWhatTheirTasksNeed) {
  const auto jobs = parse_job_yaml(
      "run: [python, train.py]\nlauncher: torchrun\nresources: {memory: 1GiB}\nenv: {A: 1}\ngroups:\n"
      "- {name: learners, nodes: 2, resources: {gpus: 'h100:8'}}\n"
      "- {name: actors, nodes: 3, launcher: none, run: act, env: {A: 2}}\n",
      kHome);
  ASSERT_TRUE(jobs) << message(jobs);
  const JobSpec& spec = jobs->at(0);
  EXPECT_EQ(spec.nodes, 5);
  EXPECT_EQ(spec.resources, TaskResources{});
  ASSERT_EQ(spec.groups.size(), 2u);
  EXPECT_EQ(spec.groups[0].resources, (TaskResources{.gpus = 8 * kMilli, .gpu_type = "h100", .cpus = 8 * kMilli}));
  EXPECT_EQ(spec.groups[0].run.words, (std::vector<std::string>{"python", "train.py"}));
  EXPECT_EQ(spec.groups[0].launcher, Launcher::torchrun);
  EXPECT_EQ(spec.groups[1].resources, (TaskResources{.cpus = kMilli, .memory_bytes = kGiB}));
  EXPECT_EQ(spec.groups[1].run.form, Program::Form::shell);
  EXPECT_EQ(spec.groups[1].launcher, Launcher::none);
  EXPECT_EQ(spec.of_group(0).env.at("A"), "1");
  EXPECT_EQ(spec.of_group(1).env.at("A"), "2");
}

TEST(Groups, HaveAProgramEach) {
  const auto with = [](const std::string& job, const std::string& groups) {
    return parse_job_yaml(job + "groups: [" + groups + "]\n", kHome);
  };
  const std::string both = "{name: a, run: x}, {name: b, run: y}";
  const auto jobs = parse_job_yaml("groups: [" + both + "]\n", kHome);
  ASSERT_TRUE(jobs) << message(jobs);
  EXPECT_EQ(jobs->at(0).name, "x");
  expect_refused(with("", "{name: a, run: x}, {name: b}"), ErrorCode::invalid, "/groups/1");
  expect_refused(with("", "{name: a, run: x}"), ErrorCode::invalid, "/groups");
  expect_refused(with("", "{name: a, run: x}, {name: a, run: y}"), ErrorCode::invalid, "/groups/1");
  expect_refused(with("", "{run: x}, {name: b, run: y}"), ErrorCode::invalid, "/groups/0/name");
  expect_refused(with("nodes: 3\n", both), ErrorCode::invalid, "/nodes");
  expect_refused(with("placement: {anchor: 1}\n", both), ErrorCode::invalid, "/groups");
  expect_refused(with("", "{name: a, run: x, resources: {gpus: 'a:1 | b:1'}}, {name: b, run: y}"), ErrorCode::invalid,
                 "/groups/0");
  expect_refused(with("", "{name: a, run: x, nodes: 9000}, {name: b, run: y, nodes: 9000}"), ErrorCode::invalid,
                 "/groups");
}

}  // namespace
}  // namespace ym::spec
