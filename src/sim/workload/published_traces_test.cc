// Complete published traces, if they are available.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "sim/workload/workload.h"

namespace ym::sim {
namespace {

Result<std::size_t> jobs_in(const std::string& path) {
  auto workload = Workload::open({.path = path});
  if (!workload) return std::unexpected(workload.error());
  for (std::size_t jobs = 0;; ++jobs) {
    const auto job = workload->next();
    if (!job) return std::unexpected(job.error());
    if (!*job) return jobs;
  }
}

using Counted = std::map<std::string, std::size_t>;

void add_gavel(Counted& counted) {
  const auto add = [&](const std::string& cluster, std::size_t jobs, const std::string& end) {
    counted["gavel-osdi20/philly_vc_traces_seed0/" + cluster + ".trace.tsv" + end] = jobs;
  };
  for (const std::string cluster : {"11cb48", "6214e9", "6c71a0", "b436b2", "ee9e8c"}) add(cluster, 2'000, ".gz");
  add("0e4a51", 1'181, ".gz");
  add("103959", 986, ".gz");
  add("7f04ca", 972, ".gz");
  add("ed69ec", 951, ".gz");
  add("e13805", 607, ".gz");
  add("2869ce", 533, ".gz");
  add("51b7ef", 18, "");
  add("23dbec", 9, "");
  add("925e2b", 4, "");
  add("795a4c", 3, "");
}

void add_openb(Counted& counted) {
  const auto add = [&](const std::string& list, std::size_t pods) {
    counted["openb-fgd-2023/openb_pod_list_" + list + ".csv.gz"] = pods;
  };
  for (const std::string list : {"default", "gpushare20", "gpushare40", "gpushare60", "gpushare80", "gpushare100",
                                 "gpuspec05", "gpuspec10", "gpuspec20", "gpuspec25", "gpuspec33"})
    add(list, 8'152);
  add("cpu0", 7'064);
  add("cpu037", 7'336);
  add("cpu050", 7'439);
  add("cpu072", 7'608);
  add("cpu100", 7'853);
  add("cpu200", 8'832);
  add("cpu235", 9'240);
  add("cpu300", 10'094);
  add("multigpu20", 8'324);
  add("multigpu30", 8'508);
  add("multigpu40", 8'746);
  add("multigpu50", 9'061);
}

void add_muri(Counted& counted) {
  const auto add = [&](const std::string& name, std::size_t jobs) {
    counted["philly-muri-2022/" + name + ".csv.gz"] = jobs;
  };
  for (const auto& [trace, jobs] :
       {std::pair{"trace1", 1'494U}, {"trace2", 5'755U}, {"trace3", 992U}, {"trace4", 2'638U}}) {
    add(trace, jobs);
    add(std::string(trace) + "_pr", jobs);
  }
  for (const std::string kind : {"1", "2", "3", "4"}) add("job_type_" + kind, 992);
}

void add_pollux(Counted& counted) {
  for (const auto& [load, jobs] :
       {std::pair{"-0.5", 80U}, {"", 160U}, {"-1.5", 240U}, {"-2.0", 320U}, {"-realistic", 160U}})
    for (const std::string number : {"1", "2", "3", "4", "5", "6", "7", "8"})
      counted[std::string("pollux-osdi21/workloads") + load + "/workload-" + number + ".csv"] = jobs;
}

Counted counted_jobs() {
  Counted counted{{"philly-passed-2017/philly.csv.gz", 82'247},
                  {"philly-slo-chronus/trace_job_Philly_SLO.csv.gz", 30'940},
                  {"philly-slo-chronus/trace_job_Philly_MIX1.csv.gz", 30'940},
                  {"philly-slo-chronus/trace_job_Philly_MIX2.csv.gz", 30'940},
                  {"helios-venus-sept2020-2vc/helios_venus_2vc_sept.csv", 1'867},
                  {"acme-kalos-2023/kalos_completed_train_jobs.csv", 319},
                  {"shockwave-nsdi23/120jobs.tsv", 120},
                  {"shockwave-nsdi23/220jobs.tsv.gz", 220},
                  {"shockwave-nsdi23/460jobs.tsv.gz", 460},
                  {"shockwave-nsdi23/900jobs.tsv.gz", 900},
                  {"shockwave-nsdi23/900jobs_variant1000.tsv.gz", 900}};
  add_gavel(counted);
  add_openb(counted);
  add_muri(counted);
  add_pollux(counted);
  return counted;
}

class WholeTraces : public ::testing::TestWithParam<const char*> {};

// Numbers of jobs as in their READMEs. For the lists from cpu037 to cpu235, which have no such number, the actual
// number. Traces that are not available are skipped.
TEST_P(WholeTraces, AreReadToTheEnd) {
  const std::string traces = std::string(YM_SOURCE_DIR) + "/../shared/traces/";
  if (!std::filesystem::exists(traces + GetParam())) GTEST_SKIP() << "no traces in " << traces << GetParam();
  for (const auto& [path, count] : counted_jobs()) {
    if (!path.starts_with(GetParam()) || !std::filesystem::exists(traces + path)) continue;
    const auto jobs = jobs_in(traces + path);
    ASSERT_TRUE(jobs) << jobs.error().message;
    EXPECT_EQ(*jobs, count) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(All, WholeTraces,
                         ::testing::Values("acme-kalos-2023", "gavel-osdi20", "helios-venus-sept2020-2vc",
                                           "openb-fgd-2023", "philly-muri-2022", "philly-passed-2017",
                                           "philly-slo-chronus", "pollux-osdi21", "shockwave-nsdi23"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace ym::sim
