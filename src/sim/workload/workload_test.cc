#include "sim/workload/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/testing/sentences.h"
#include "sim/testing/temp_file.h"
#include "sim/workload/row_view.h"

namespace ym::sim {
namespace {

using ym::testing::expect_refused;

Result<std::vector<TraceJob>> jobs_of(WorkloadOptions options) {
  auto workload = Workload::open(options);
  if (!workload) return std::unexpected(workload.error());
  return read_all(std::move(*workload));
}

Result<std::vector<TraceJob>> read(const std::string& text, std::size_t window = 1000) {
  const TempFile file(text);
  return without_path(jobs_of({.path = file.path(), .format = "", .window = window}), file.path());
}

double submitted(const TraceJob& job) { return static_cast<double>((job.submit_at - trace_epoch()).ms) / 1000; }

TEST(Workload, ReadsOurOwnFormat) {
  const auto jobs = read(
      "id,user,queue,submit,run_time,gpus,nodes,gpu_type,cpus,memory_mib,priority,time_limit,deadline,exit_code\n"
      "a,ada,research,1.5,3600,8,2,A100|H100,64,1024,70,7200,9000,1\n"
      "b,,,2,0,0,,,,,,,,\n");
  ASSERT_TRUE(jobs) << jobs.error().message;
  const TraceJob& a = jobs->at(0);
  EXPECT_EQ(a.line, 2);
  EXPECT_EQ(a.user + "/" + a.queue, "ada/research");
  EXPECT_EQ(submitted(a), 1.5);
  EXPECT_EQ(a.run_time, hours(1));
  EXPECT_EQ(a.gpus, 8);
  EXPECT_EQ(a.nodes, 2);
  EXPECT_EQ(a.gpu_types, "A100|H100");
  EXPECT_EQ(a.cpu_milli, 64'000);
  EXPECT_EQ(a.priority, 70);
  EXPECT_EQ(a.time_limit, hours(2));
  EXPECT_EQ(a.deadline, seconds(9000));
  EXPECT_TRUE(a.fails);
  const TraceJob& b = jobs->at(1);
  EXPECT_EQ(b.gpus, 0);
  EXPECT_FALSE(b.priority || b.time_limit || b.deadline || b.fails);
}

TEST(Workload, IsInTheOrderOfSubmissionWithinItsWindow) {
  const std::string text = "submit,run_time,gpus\n3,1,1\n1,1,1\n2,1,1\n2,2,1\n";
  const auto jobs = read(text);
  ASSERT_EQ(jobs->size(), 4U);
  for (const std::size_t at : {0U, 1U, 2U}) EXPECT_LE(jobs->at(at).submit_at, jobs->at(at + 1).submit_at);
  EXPECT_EQ(jobs->at(1).line, 4) << "of the same instant: in the order of their lines";
  expect_refused(read(text, 1), ErrorCode::invalid);
}

TEST(Workload, WrongFieldsAreSaidWithLineAndColumn) {
  const std::string header = "id,submit,run_time,gpus,time_limit\n";
  expect_refused(read(header + "a,1,2,1,\nb,1,-5,1,\n"), ErrorCode::invalid);
  expect_refused(read(header + "a,1,nan,1,\n"), ErrorCode::invalid);
  expect_refused(read(header + "a,1,1e308,1,\n"), ErrorCode::invalid);
  expect_refused(read(header + "a,1,1e999,1,\n"), ErrorCode::invalid);
  expect_refused(read(header + "a,1,\"1,5\",1,\n"), ErrorCode::invalid);
  expect_refused(read(header + "a,1,2,1.5,\n"), ErrorCode::invalid);
  expect_refused(read(header + "a,,2,1,\n"), ErrorCode::invalid);
  expect_refused(read(header + "a,2026-13-01 00:00:00,2,1,\n"), ErrorCode::invalid);
  expect_refused(read(header + "a,1,2,1,\na,2,2,1,\n"), ErrorCode::invalid);
  expect_refused(read(header), ErrorCode::invalid);
  expect_refused(read("name,size\nx,1\n"), ErrorCode::invalid);
  expect_refused(read("name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time\nx,1,1,1,1,5\n"), ErrorCode::invalid);
  const TempFile file(header);
  expect_refused(without_path(jobs_of({.path = file.path(), .format = "philly"}), file.path()), ErrorCode::invalid);
  expect_refused(without_path(jobs_of({.path = file.path(), .format = "swf"}), file.path()), ErrorCode::invalid);
}

TEST(Workload, ReadsSlurmsAccounting) {
  const auto jobs = read(
      "JobID|User|Account|Partition|Submit|Start|End|Timelimit|NNodes|ReqTRES|State\n"
      "7|ada|vision|gpu|2026-03-01T10:00:00|2026-03-01T10:05:00|2026-03-01T12:05:00|1-00:00:00|2|billing=16,cpu=64,"
      "gres/gpu=16,gres/gpu:a100=16,mem=1T,node=2|COMPLETED\n"
      "7.batch||vision||2026-03-01T10:00:00|2026-03-01T10:05:00|2026-03-01T12:05:00||1||COMPLETED\n"
      "8_1|eve|nlp|gpu|2026-03-01T09:00:00|2026-03-01T09:00:01|2026-03-01T09:30:01|30:00|1|cpu=4,gres/"
      "gpu=1,node=1|TIMEOUT\n"
      "9|eve|nlp|gpu|2026-03-01T11:00:00|Unknown|Unknown|UNLIMITED|1|cpu=4|PENDING\n"
      "10|eve|nlp|gpu|2026-03-01T11:00:00|2026-03-01T11:00:00|2026-03-01T11:00:09|Partition_Limit|1|cpu=4|FAILED\n");
  ASSERT_TRUE(jobs) << jobs.error().message;
  ASSERT_EQ(jobs->size(), 3U) << "steps, and what never began, are no jobs";
  EXPECT_EQ(jobs->at(0).id, "8_1");
  EXPECT_EQ(jobs->at(0).run_time, minutes(30));
  const TraceJob& gang = jobs->at(1);
  EXPECT_EQ(to_rfc3339(gang.submit_at), "2026-03-01T10:00:00.000Z");
  EXPECT_EQ(gang.run_time, hours(2));
  EXPECT_EQ(gang.time_limit, hours(24));
  EXPECT_EQ(gang.gpus, 16);
  EXPECT_EQ(gang.nodes, 2);
  EXPECT_EQ(gang.gpu_types, "a100");
  EXPECT_EQ(gang.queue, "vision");
  EXPECT_TRUE(jobs->at(2).fails);
  EXPECT_FALSE(jobs->at(2).time_limit);
}

// Names of tests have no dashes.
std::string letters_of(std::string name) {
  std::erase(name, '-');
  return name;
}

// A line of each published trace, and its job.
struct Published {
  const char *format, *text;
  double submit, run_time;
  std::int64_t gpus;
  double deadline = 0;
};

class PublishedTrace : public ::testing::TestWithParam<Published> {};

TEST_P(PublishedTrace, IsRecognisedAndRead) {
  const Published& wanted = GetParam();
  const TempFile file(wanted.text);
  auto workload = Workload::open({.path = file.path()});
  ASSERT_TRUE(workload) << workload.error().message;
  EXPECT_EQ(workload->format(), wanted.format);
  const auto job = workload->next()->value();
  EXPECT_EQ(submitted(job), wanted.submit);
  EXPECT_EQ(static_cast<double>(job.run_time.ms) / 1000, wanted.run_time);
  EXPECT_EQ(job.gpus, wanted.gpus);
  EXPECT_EQ(job.deadline.value_or(Duration{}), Duration{static_cast<std::int64_t>(wanted.deadline * 1000)});
}

INSTANTIATE_TEST_SUITE_P(
    All, PublishedTrace,
    ::testing::Values(
        Published{"philly", "timestamp,duration,num_gpus,gpu_time,cluster\n2001-01-01 00:01:00,66.0,4,264.0,11cb48\n",
                  60, 66, 4},
        Published{"muri",
                  "job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,iteration_time\n"
                  "0,8,2500,1000,dqn,128,490000,46122000,490\n",
                  2.5, 497.35, 8},
        Published{"chronus",
                  "job_id,user,num_gpu,submit_time,iterations,model_name,duration,interval,expect_time_list,expect_"
                  "value_list,"
                  "best_effort,job_type\n0,vc,4,2,6910,resnet101,211,8,282-300,10-5,0,soft\n",
                  120, 12'660, 4, 18'000},
        Published{"helios", "job_id,user,vc,gpu_num,node_num,submit_s,duration_s,state\n1,u,vc1,16,2,30,60,FAILED\n",
                  30, 60, 16},
        Published{"kalos",
                  "job_id,submit_s,duration_s,num_gpus,num_nodes,cpu_per_gpu,is_pretrain\n0,0,104.0,64,8,15.0,0\n", 0,
                  104, 64},
        Published{"openb",
                  "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,"
                  "scheduled_time\n"
                  "p,6000,12288,1,460,,LS,Running,10,110,10\n",
                  10, 100, 1},
        Published{"openb-untimed", "name,cpu_milli,memory_mib,num_gpu,gpu_milli\nopenb-pod-0000,12000,16384,2,1000\n",
                  0, 12'960'000, 2},
        Published{"shockwave", "LM (batch size 10)\tpython3\tlm\t--steps\t1\t134583\t2\tgns\t1\t-1.000000\t1418\t5\n",
                  5, 1418, 2}),
    [](const auto& info) { return letters_of(info.param.format); });

}  // namespace
}  // namespace ym::sim
