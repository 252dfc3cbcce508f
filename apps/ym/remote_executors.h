// Makes executors of clusters on other machines from their configuration.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "executor/executor.h"
#include "spec/documents.h"
#include "wiring.h"

namespace ym {

// Precondition: the cluster has `slurm` or `kubernetes`. Errors: `invalid` for settings that cannot work.
Result<std::unique_ptr<Executor>> make_slurm(const ClusterConfiguration& cluster, const Site& site, const Clock& clock);
Result<std::unique_ptr<Executor>> make_kubernetes(const ClusterConfiguration& cluster, const Site& site,
                                                  const Clock& clock);

// Folder for logs of the cluster's pods that no longer exist.
std::filesystem::path pod_log_dir(const std::filesystem::path& state_dir, const std::string& cluster);

}  // namespace ym
