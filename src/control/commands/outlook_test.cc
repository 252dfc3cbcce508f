// Warnings for jobs that can never run on today's nodes, and refusals of images that no cluster can run.
#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::node;
using testing::one_node;
using testing::spec_of;

class SubmitOutlook : public testing::ControllerTest {
 protected:
  static JobSpec in_image(const std::string& name) {
    JobSpec spec = spec_of(name);
    spec.image = "registry.example/a:1";
    return spec;
  }
};

TEST_F(SubmitOutlook, WhatCanNeverRunIsTakenWithAWarning) {
  auto array = spec_of("large", 8);
  array.array = 3;
  const std::vector<JobSpec> specs{spec_of("fits", 4), array};
  const auto dry = execute(SubmitJobs{.specs = specs, .dry_run = true});
  ASSERT_TRUE(dry);
  ASSERT_EQ(dry->warnings.size(), 2U);
  EXPECT_TRUE(dry->warnings.at(0).empty());
  EXPECT_EQ(dry->warnings.at(1).size(), 1U);
  const auto made = execute(SubmitJobs{.specs = specs});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->warnings, dry->warnings);
  EXPECT_EQ(made->jobs.size(), 4U) << "nodes may come";
  schedule();
  EXPECT_EQ(job(made->jobs.at(1)->id).pending, ReasonCode::exceeds_capacity) << "what was said holds";
}

TEST_F(SubmitOutlook, WhatOthersUseNowIsNoReasonForAWarning) {
  submit(spec_of("first", 4));
  schedule();
  EXPECT_TRUE(execute(SubmitJobs{.specs = {spec_of("second", 4)}})->warnings.at(0).empty());
}

TEST_F(SubmitOutlook, AnImageThatNoClusterCouldGiveIsRefused) {
  for (const bool dry_run : {true, false}) {
    const auto refused = execute(SubmitJobs{.specs = {spec_of("plain"), in_image("boxed")}, .dry_run = dry_run});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid);
    EXPECT_EQ(refused.error().fields.at(0).pointer, "/1/image");
  }
  EXPECT_TRUE(controller_->tables().jobs.empty());
}

TEST_F(SubmitOutlook, AnImageIsTakenWhereSomeClusterCouldGiveIt) {
  auto desired = one_node();
  desired.clusters.push_back({.name = "pods", .executor = "kubernetes"});
  open(desired);
  const auto made = execute(SubmitJobs{.specs = {in_image("boxed")}});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->warnings.at(0).size(), 1U) << "that cluster has no node yet";
  schedule();
  EXPECT_EQ(job(made->jobs.at(0)->id).state, JobState::queued) << "it does not run where its image would be ignored";
}

TEST_F(SubmitOutlook, AnImageIsRefusedWhereTheQueueMayUseNoSuchCluster) {
  auto desired = one_node();
  desired.clusters.push_back({.name = "pods", .executor = "kubernetes"});
  desired.flavors = {{.name = "bare", .cluster = "lab"}, {.name = "boxed", .cluster = "pods"}};
  Queue queue{.name = "local-only"};
  queue.quota = {{"bare", {}}};
  desired.queues.push_back(queue);
  open(desired);
  auto spec = in_image("boxed");
  spec.queue = "local-only";
  EXPECT_EQ(execute(SubmitJobs{.specs = {spec}}).error().fields.at(0).pointer, "/image");
}

}  // namespace
}  // namespace ym
