#include <gtest/gtest.h>

#include "executor/slurm/client/hostlist.h"
#include "executor/slurm/client/job_text.h"
#include "executor/slurm/client/node_text.h"

namespace ym::slurm {
namespace {

using Hosts = std::vector<std::string>;

TEST(Hostlist, IsExpandedInItsOrder) {
  EXPECT_EQ(expand_hosts("n[1-3,07],gpu1"), (Hosts{"n1", "n2", "n3", "n07", "gpu1"}));
  EXPECT_EQ(expand_hosts("rack[1-2]n[08-10]"),
            (Hosts{"rack1n08", "rack1n09", "rack1n10", "rack2n08", "rack2n09", "rack2n10"}));
  EXPECT_EQ(expand_hosts("(null)"), Hosts{});
  EXPECT_EQ(expand_hosts(""), Hosts{});
}

TEST(Hostlist, RefusesNonsense) {
  for (const char* text :
       {"n[1-", "n[3-1]", "n[a-b]", "n[1-4000000000]", "n[1-9999]m[1-9999]", "a b", "x,,y", "n[1-2]]", "-n", "$(x)"})
    EXPECT_FALSE(expand_hosts(text)) << text;
}

constexpr std::string_view kSqueue =
    "6|ym-1.1.7|CANCELLED|None|2026-11-24T00:09:07|2026-11-24T00:09:07|2026-11-24T00:09:08|N/A|15|0|n1|(null)|\n"
    "7|other|RUNNING|None|2026-11-24T00:09:07|N/A|N/A|N/A|0|0||(null)|\n"
    "11|ym-2.1.7.p1|PENDING|Resources|2026-11-24T00:08:27|N/A|N/A|2026-11-24T00:10:00|0|2|n[1-2]|yardmaster/x a|b|\n";

TEST(JobText, RowsAreReadAndOthersJobsLeftOut) {
  const auto rows = parse_squeue(kSqueue);
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_EQ((*rows)[0].id, 6);
  EXPECT_EQ((*rows)[0].exit, "15");
  EXPECT_EQ((*rows)[0].ended, parse_slurm_time("2026-11-24T00:09:08"));
  EXPECT_FALSE((*rows)[0].preempted);
  EXPECT_EQ((*rows)[1].comment, "yardmaster/x a|b");
  EXPECT_EQ((*rows)[1].restarts, 2);
  EXPECT_EQ((*rows)[1].nodes, (Hosts{"n1", "n2"}));
  EXPECT_TRUE((*rows)[1].preempted);
}

TEST(JobText, AListThatIsCutOffIsNotBelieved) {
  EXPECT_FALSE(parse_squeue("6|ym-1.1.7|CANCELLED|No"));
  EXPECT_FALSE(parse_squeue("slurm_load_jobs error: Unable to contact slurm controller\n"));
  EXPECT_FALSE(parse_squeue("x|ym-1|RUNNING|None|N/A|N/A|N/A|N/A|0|0|n1||\n"));
  EXPECT_FALSE(parse_squeue("0|ym-1|RUNNING|None|N/A|N/A|N/A|N/A|0|0|n1||\n"));
  EXPECT_TRUE(parse_squeue(""));
}

TEST(JobText, AccountsAreRead) {
  const auto rows = parse_sacct(
      "3|ym-1.1.7|CANCELLED by 1000|None|2026-11-24T00:09:07|Unknown|2026-11-24T00:09:08|"
      "00:00:00|0:15||None assigned|yardmaster/x a\n");
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 1U);
  EXPECT_EQ(rows->front().state, "CANCELLED");
  EXPECT_TRUE(rows->front().nodes.empty());
  EXPECT_FALSE(rows->front().started);
}

constexpr std::string_view kNode =
    "NodeName=n1 Arch=x86_64 CPUAlloc=4 CPUEfctv=14 CPUTot=16 ActiveFeatures=ib,rack=r1,zone:z2 "
    "Gres=gpu:h100:8(S:0-1),shard:h100:32(S:0-1) GresUsed=gpu:h100:3(IDX:0-1,5),shard:h100:0(0/4) Version=22.05.8 "
    "OS=Linux 6.1.0 #1 SMP PREEMPT_DYNAMIC @0  RealMemory=64000 AllocMem=1000 State=IDLE*+DRAIN+PLANNED "
    "Partitions=train,debug  BootTime=2026-11-23T23:43:02 SlurmdStartTime=2026-11-24T00:08:03 AllocTRES= "
    "Reason=bad fan = loud [root@2026-11-24T00:10:00]\n";

TEST(NodeText, ANodeIsRead) {
  const auto rows = parse_nodes(kNode);
  ASSERT_TRUE(rows);
  const auto& node = rows->front();
  EXPECT_EQ(node.name, "n1");
  EXPECT_EQ(node.cpus, 14);
  EXPECT_EQ(node.cpus_used, 4);
  EXPECT_EQ(node.memory_mib, 64000);
  EXPECT_EQ(node.states, (std::vector<std::string>{"IDLE", "DRAIN", "PLANNED", "NOT_RESPONDING"}));
  EXPECT_EQ(node.reason, "bad fan = loud");
  EXPECT_EQ(node.features, (std::vector<std::string>{"ib", "rack=r1", "zone:z2"}));
  EXPECT_EQ(node.partitions, (std::vector<std::string>{"train", "debug"}));
  EXPECT_EQ(parse_gpus(node.gres), (std::map<std::string, std::int64_t>{{"h100", 8}}));
  EXPECT_EQ(parse_gpus(node.gres_used), (std::map<std::string, std::int64_t>{{"h100", 3}}));
}

TEST(NodeText, NonsenseIsNotBelieved) {
  EXPECT_FALSE(parse_nodes("Node n1 not found\n"));
  EXPECT_FALSE(parse_nodes("NodeName=n1 CPUTot=many\n"));
  EXPECT_FALSE(parse_nodes("NodeName=n1 CPUTot=-4\n"));
  EXPECT_FALSE(parse_nodes("NodeName=$(x) CPUTot=4\n"));
}

TEST(NodeText, GpusOfAllKinds) {
  EXPECT_EQ(parse_gpus("gpu:4"), (std::map<std::string, std::int64_t>{{"", 4}}));
  EXPECT_EQ(parse_gpus("gpu:a100:4(S:0),gpu:1g.10gb:14,mps:200"),
            (std::map<std::string, std::int64_t>{{"a100", 4}, {"1g.10gb", 14}}));
  EXPECT_TRUE(parse_gpus("(null)").empty());
  EXPECT_TRUE(parse_gpus("gpu:h100:many").empty());
}

TEST(NodeText, Topology) {
  const auto labels = parse_topology(
      "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=n[1-2]\nSwitchName=top Level=1 LinkSpeed=1 Nodes=n[1-4] "
      "Switches=leaf1,leaf3\nBlockName=b1 BlockIndex=0 Nodes=m[1-2] BlockSize=2\n");
  EXPECT_EQ(labels.at("n2"), (std::map<std::string, std::string>{{"switch", "leaf1"}, {"switch-1", "top"}}));
  EXPECT_EQ(labels.at("m1"), (std::map<std::string, std::string>{{"block", "b1"}}));
}

TEST(NodeText, ConfigurationAndPartitions) {
  const auto facts = parse_config(
      "BOOT_TIME               = 2026-11-24T00:08:03\nAccountingStorageType   = "
      "accounting_storage/slurmdbd\nKillWait                = 5 sec\nPreemptType             "
      "= preempt/none\nSLURM_VERSION           = 22.05.8\n");
  ASSERT_TRUE(facts);
  EXPECT_TRUE(facts->keeps_accounts);
  EXPECT_FALSE(facts->preempts);
  EXPECT_EQ(facts->kill_wait, seconds(5));
  EXPECT_FALSE(parse_config(""));
  const auto partitions = parse_partitions(
      "PartitionName=a Default=YES MaxTime=2-00:00:00 MaxNodes=4\n"
      "PartitionName=b Default=NO MaxTime=UNLIMITED MaxNodes=UNLIMITED OverSubscribe=NO\n"
      "PartitionName=c Default=NO MaxTime=UNLIMITED MaxNodes=UNLIMITED OverSubscribe=EXCLUSIVE\n");
  EXPECT_EQ(partitions.at("a"), (PartitionRow{.is_default = true, .most_minutes = 2880, .most_nodes = 4}));
  EXPECT_EQ(partitions.at("b"), PartitionRow{});
  EXPECT_EQ(partitions.at("c"), PartitionRow{.whole_nodes = true});
}

TEST(NodeText, Minutes) {
  EXPECT_EQ(parse_minutes("30"), 30);
  EXPECT_EQ(parse_minutes("30:01"), 31);
  EXPECT_EQ(parse_minutes("01:00:00"), 60);
  EXPECT_EQ(parse_minutes("1-1"), 1500);
  EXPECT_FALSE(parse_minutes("infinite"));
  EXPECT_FALSE(parse_minutes("1:2:3:4"));
}

}  // namespace
}  // namespace ym::slurm
