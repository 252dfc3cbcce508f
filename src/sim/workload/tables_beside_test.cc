#include "sim/workload/tables_beside.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/workload/row_view.h"
#include "sim/workload/workload.h"

namespace ym::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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
    if (!workload) return std::unexpected(workload.error());
    return read_all(std::move(*workload));
  }
  std::string error(const std::string& rows) const {
    const auto read = jobs(rows);
    EXPECT_FALSE(read);
    return read ? "" : read.error().message;
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
  EXPECT_THAT(
      error(row("LM (batch size 5)", 1) + row("LM (batch size 7)", 2)),
      HasSubstr("traces/a.trace:2: column 1 (job_type): 'LM (batch size 7)' has no speed on 2 GPUs or fewer in " +
                folder_ + "/simulation_throughputs.json"));
  EXPECT_THAT(error(row("A3C", 1)), HasSubstr("'A3C' has no speed on 1 GPUs")) << "0 steps a second are no speed";
  EXPECT_THAT(error(row("A3C", 2, "-1")), HasSubstr(":1: column 5 (total_steps): '-1' is less than 0"));
  EXPECT_THAT(error(row("A3C", 0)), HasSubstr("column 7 (scale_factor): '0' is less than 1"));
}

TEST_F(GavelTraces, AreNoSevenNumbersWithoutAHeader) {
  EXPECT_THAT(error("1\t2\t3\t4\t5\t6\t7\n"), Not(HasSubstr("simulation_throughputs")));
}

TEST_F(GavelTraces, WantTheirSpeedsInTheFolderAbove) {
  remove(kTable);
  EXPECT_THAT(error(row("A3C", 2)),
              HasSubstr("a.trace: there is neither " + folder_ + "/simulation_throughputs.json nor"));
  gzFile packed = gzopen((folder_ + "/simulation_throughputs.json.gz").c_str(), "wb");
  ASSERT_GT(gzputs(packed, kSpeeds), 0);
  gzclose(packed);
  EXPECT_EQ(run_time(row("A3C", 2)), 1125);
  std::filesystem::resize_file(folder_ + "/simulation_throughputs.json.gz", 40);
  EXPECT_THAT(error(row("A3C", 2)), HasSubstr("/simulation_throughputs.json.gz: it is cut off"));
  for (const auto& [table, wrong] :
       {std::pair{"{", "it is not JSON"},
        {R"json({"k80": {}})json", "it has no object 'v100'"},
        {R"json({"v100": {"A3C": {"null": 1}}})json", "'A3C' of 'v100' is not a model and a number of GPUs"},
        {R"json({"v100": {"('A3C', 1)": {"null": "x"}}})json", "with a number 'null'"}}) {
    write(kTable, table);
    EXPECT_THAT(error(row("A3C", 2)), HasSubstr("/simulation_throughputs.json: ")) << table;
    EXPECT_THAT(error(row("A3C", 2)), HasSubstr(wrong)) << table;
  }
}

TEST_F(GavelTraces, AreNoTablesWithAHeaderOfSevenColumns) {
  EXPECT_THAT(error("a,b,c,d,e,f,g\n1,2,3,4,5,6,7\n"), HasSubstr(":1: its columns match no trace format"));
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
  EXPECT_THAT(error(rows("0,gpt,1,12")),
              HasSubstr("a.trace:2: column 3 (application): 'gpt' is not one of those in " + folder_ + "/apps"));
  EXPECT_THAT(error(rows("0,bert,1,13")),
              HasSubstr("column 5 (batch_size): '13' is not a batch of " + folder_ + "/apps/bert/validation-*"));
  EXPECT_THAT(error(rows("0,bert,6,12")),
              HasSubstr("column 4 (num_replicas): '6' was not measured for bert with this batch"));
  EXPECT_THAT(error(rows("0,bert,5,12")), HasSubstr("column 4 (num_replicas): '5' was not measured for bert"));
  EXPECT_THAT(error(rows("0,bert,0,12")), HasSubstr("column 4 (num_replicas): '0' is less than 1"));
}

TEST_F(PolluxTraces, WantTheirTablesInTheFolderAbove) {
  const auto row = rows("0,bert,1,12");
  write("apps/bert/validation-96.csv", "progress,iteration\n90,49\n");
  EXPECT_THAT(error(row), HasSubstr("apps/bert/validation-96.csv: it has 1 epochs; 2 are required"));
  write("apps/bert/validation-96.csv", "progress,iteration\n90,49\n190,-1\n");
  EXPECT_THAT(error(row), HasSubstr("validation-96.csv:3: column 2 (iteration): '-1' is negative"));
  remove("apps/bert/validation-96.csv");
  remove("interp_grid.csv");
  EXPECT_THAT(error(row), HasSubstr("there is neither " + folder_ + "/interp_grid.csv nor"));
  write("apps/bert/placements.csv", "placement,local_bsz,step_time,sync_time\n1,4,0.5,0.5\n");
  EXPECT_THAT(error(row), HasSubstr("placements.csv:2: column 3 (step_time): '0.5' is not more than the time"));
  write("apps/bert/placements.csv", "where,local_bsz,step_time,sync_time\n1,4,1,0.5\n");
  EXPECT_THAT(error(row), HasSubstr("placements.csv:1: there is no column 'placement'"));
  remove("apps/bert/placements.csv");
  EXPECT_THAT(error(row), HasSubstr("there is neither " + folder_ + "/apps/bert/placements.csv nor"));
  remove("apps");
  EXPECT_THAT(error(row), HasSubstr("there is neither " + folder_ + "/apps nor"));
}

}  // namespace
}  // namespace ym::sim
