// Executors of clusters on other machines, from what the configuration says of them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "executor/executor.h"
#include "spec/documents.h"
#include "wiring.h"

namespace ym {

// Precondition: the cluster has `slurm`, or `kubernetes`. Errors: `invalid`, for settings that cannot be.
Result<std::unique_ptr<Executor>> make_slurm(const ClusterConfiguration& cluster, const Site& site, const Clock& clock);
Result<std::unique_ptr<Executor>> make_kubernetes(const ClusterConfiguration& cluster, const Site& site,
                                                  const Clock& clock);

// Where logs of a cluster's pods are kept that are gone.
std::filesystem::path pod_log_dir(const std::filesystem::path& state_dir, const std::string& cluster);

}  // namespace ym
