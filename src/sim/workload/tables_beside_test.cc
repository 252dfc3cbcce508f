#include "sim/workload/tables_beside.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/testing/sentences.h"
#include "sim/testing/temp_file.h"
#include "sim/workload/row_view.h"
#include "sim/workload/workload.h"

namespace ym::sim {
namespace {

using ym::testing::expect_refused;

// A folder with tables, and a subfolder with a trace.
class TracesWithTables : public ::testing::Test {
 public:
  TracesWithTables() {
    if (::mkdtemp(folder_.data()) == nullptr) std::abort();
  }
  ~TracesWithTables() override { std::filesystem::remove_all(folder_); }
  TracesWithTables(const TracesWithTables&) = delete;
  TracesWithTables& operator=(const TracesWithTables&) = delete;

 protected:
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_ + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  void remove(const std::string& name) const { std::filesystem::remove_all(folder_ + "/" + name); }

  Result<std::vector<TraceJob>> jobs(const std::string& rows) const {
    write("traces/a.trace", rows);
    auto workload = Workload::open({.path = folder_ + "/traces/a.trace"});
    if (!workload) return without_path(Result<std::vector<TraceJob>>(std::unexpected(workload.error())), folder_);
    return without_path(read_all(std::move(*workload)), folder_);
  }
  double run_time(const std::string& rows) const {
    const auto read = jobs(rows);
    EXPECT_TRUE(read) << read.error().message;
    return read ? static_cast<double>(read->at(0).run_time.ms) / 1000 : -1;
  }

  std::string folder_ = std::filesystem::temp_directory_path() / "ym-tables-XXXXXX";
};

class GavelTraces : public TracesWithTables {
 public:
  GavelTraces() { write(kTable, kSpeeds); }

 protected:
  static constexpr const char* kTable = "simulation_throughputs.json";
  static constexpr const char* kSpeeds = R"json({
    "k80": {"('LM (batch size 5)', 1)": {"null": 1}},
    "v100": {"('LM (batch size 5)', 1)": {"('A3C', 1)": [0.5, 0.25], "null": 2.5},
             "('LM (batch size 5)', 4)": {"null": 5},
             "('A3C', 1)": {"null": 0.0}, "('A3C', 2)": {"null": 8}}})json";

  static std::string row(const std::string& model, int gpus, const std::string& steps = "9000") {
    return model + "\tpython3 main.py --batch_size 5\t--steps\t1\t" + steps + "\t2.500000\t" + std::to_string(gpus) +
           "\n";
  }
};

TEST_F(GavelTraces, RunForAsLongAsTheirStepsTakeOnV100s) {
  const auto read = jobs(row("LM (batch size 5)", 1) + row("LM (batch size 5)", 4));
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ(read->at(0).submit_at, trace_epoch() + Duration{2500});
  EXPECT_EQ(read->at(0).run_time, hours(1));
  EXPECT_EQ(read->at(1).run_time, minutes(30));
  EXPECT_EQ(read->at(1).gpus, 4);
}

TEST_F(GavelTraces, GainNothingFromMoreGpusThanWereMeasured) {
  EXPECT_EQ(run_time(row("LM (batch size 5)", 3)), 3600);
  EXPECT_EQ(run_time(row("LM (batch size 5)", 24)), 1800);
}

TEST_F(GavelTraces, OfModelsWithoutASpeedAreRefused) {
  expect_refused(jobs(row("LM (batch size 5)", 1) + row("LM (batch size 7)", 2)), ErrorCode::invalid);
  // 0 steps a second are no speed.
  expect_refused(jobs(row("A3C", 1)), ErrorCode::invalid);
  expect_refused(jobs(row("A3C", 2, "-1")), ErrorCode::invalid);
  expect_refused(jobs(row("A3C", 0)), ErrorCode::invalid);
}

TEST_F(GavelTraces, AreNoSevenNumbersWithoutAHeader) {
  expect_refused(jobs("1\t2\t3\t4\t5\t6\t7\n"), ErrorCode::invalid);
}

TEST_F(GavelTraces, WantTheirSpeedsInTheFolderAbove) {
  remove(kTable);
  expect_refused(jobs(row("A3C", 2)), ErrorCode::invalid);
  gzFile packed = gzopen((folder_ + "/simulation_throughputs.json.gz").c_str(), "wb");
  ASSERT_GT(gzputs(packed, kSpeeds), 0);
  gzclose(packed);
  EXPECT_EQ(run_time(row("A3C", 2)), 1125);
  std::filesystem::resize_file(folder_ + "/simulation_throughputs.json.gz", 40);
  expect_refused(jobs(row("A3C", 2)), ErrorCode::invalid);
  // No JSON, no V100, a model without its GPUs, a speed that is no number.
  for (const auto* table : {"{", R"json({"k80": {}})json", R"json({"v100": {"A3C": {"null": 1}}})json",
                            R"json({"v100": {"('A3C', 1)": {"null": "x"}}})json"}) {
    write(kTable, table);
    expect_refused(jobs(row("A3C", 2)), ErrorCode::invalid);
  }
}

TEST_F(GavelTraces, AreNoTablesWithAHeaderOfSevenColumns) {
  expect_refused(jobs("a,b,c,d,e,f,g\n1,2,3,4,5,6,7\n"), ErrorCode::invalid);
}

class PolluxTraces : public TracesWithTables {
 public:
  PolluxTraces() {
    write("apps/bert/validation-12.csv", "progress,iteration,metric,grad_sqr,grad_var\n100,99,1,1,1\n200,199,1,1,1\n");
    write("apps/bert/validation-96.csv", "progress,iteration\n90,49\n190,99\n");
    write("apps/bert/placements.csv",
          "placement,local_bsz,step_time,sync_time\n1,4,0.5,0\n1,12,1,0\n24,12,2,1.5\n24,4,1,0.5\n4,12,1.25,0.25\n");
    write("interp_grid.csv",
          "app,num_nodes,num_replicas,local_bsz,step_time_s,sync_time_s\nbert,5,20,5,3,1\nbert,1,4,12,9,1\ncnn,1,1,1,x,"
          "1\n");
  }

 protected:
  static std::string rows(const std::string& row) {
    return "name,time,application,num_replicas,batch_size\nbert-0," + row + "\n";
  }
};

TEST_F(PolluxTraces, RunUntilTheLastEpochOfTheirApplicationEnds) {
  const auto read = jobs(rows("107,bert,1,12"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->at(0).id, "bert-0");
  EXPECT_EQ(read->at(0).submit_at, trace_epoch() + seconds(107));
  EXPECT_EQ(read->at(0).gpus, 1);
  EXPECT_EQ(read->at(0).run_time, seconds(200)) << "200 iterations of 1 s";
}

TEST_F(PolluxTraces, TakeTheStepsOfTheirPlacement) {
  EXPECT_EQ(run_time(rows("0,bert,4,96")), 225) << "100 iterations: 24 samples in two steps, the first without 0.25 s";
  EXPECT_EQ(run_time(rows("0,bert,6,96")), 100 * (1.5 + 0.5)) << "16 samples: two steps of 8, half way from 4 to 12";
  EXPECT_EQ(run_time(rows("0,bert,20,96")), 300) << "on five nodes no placement is listed";
  EXPECT_EQ(run_time(rows("0,bert,1,96")), 800) << "eight steps of 12";
}

TEST_F(PolluxTraces, WithWhatWasNotMeasuredAreRefused) {
  expect_refused(jobs(rows("0,gpt,1,12")), ErrorCode::invalid);
  expect_refused(jobs(rows("0,bert,1,13")), ErrorCode::invalid);
  expect_refused(jobs(rows("0,bert,6,12")), ErrorCode::invalid);
  expect_refused(jobs(rows("0,bert,5,12")), ErrorCode::invalid);
  expect_refused(jobs(rows("0,bert,0,12")), ErrorCode::invalid);
}

TEST_F(PolluxTraces, WantTheirTablesInTheFolderAbove) {
  const auto row = rows("0,bert,1,12");
  write("apps/bert/validation-96.csv", "progress,iteration\n90,49\n");
  expect_refused(jobs(row), ErrorCode::invalid);
  write("apps/bert/validation-96.csv", "progress,iteration\n90,49\n190,-1\n");
  expect_refused(jobs(row), ErrorCode::invalid);
  remove("apps/bert/validation-96.csv");
  remove("interp_grid.csv");
  expect_refused(jobs(row), ErrorCode::invalid);
  write("apps/bert/placements.csv", "placement,local_bsz,step_time,sync_time\n1,4,0.5,0.5\n");
  expect_refused(jobs(row), ErrorCode::invalid);
  write("apps/bert/placements.csv", "where,local_bsz,step_time,sync_time\n1,4,1,0.5\n");
  expect_refused(jobs(row), ErrorCode::invalid);
  remove("apps/bert/placements.csv");
  expect_refused(jobs(row), ErrorCode::invalid);
  remove("apps");
  expect_refused(jobs(row), ErrorCode::invalid);
}

}  // namespace
}  // namespace ym::sim
