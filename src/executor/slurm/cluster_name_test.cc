#include "executor/slurm/cluster_name.h"

#include <gtest/gtest.h>

namespace ym::slurm {
namespace {

TEST(ClusterName, IsFoundAmongOtherKeysInAnyLetterCase) {
  EXPECT_EQ(cluster_name_in("# ClusterName=no\nSlurmctldHost=a\nClusterName=lab\nNodeName=n1\n"), "lab");
  EXPECT_EQ(cluster_name_in("  clustername = lab-2  # ours\n"), "lab-2");
  EXPECT_EQ(cluster_name_in("ClusterNameX=no\nAccountingStorageHost=ClusterName=no\n"), "");
  EXPECT_EQ(cluster_name("/no/such/file"), "");
}

}  // namespace
}  // namespace ym::slurm
