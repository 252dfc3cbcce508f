// SlurmLab: nodes that are off until a job needs them.
#include <fmt/format.h>

#include <fstream>

#include "executor/slurm/testing/slurm_lab.h"

namespace ym::slurm::testing {

namespace fs = std::filesystem;

// The cloud: two scripts, which start and end a slurmd. Slurm gets the address of each machine, as from a real cloud,
// and shows nodes that are off.
std::string SlurmLab::cloud_conf(const LabOptions& options) const {
  if (options.cloud == 0) return {};
  const auto script = [&](const char* name, const std::string& each) {
    std::ofstream(folder_ / "bin" / name) << fmt::format(
        "#!/bin/sh\nexec </dev/null >>{3}/log/power.log 2>&1\n"
        "export SLURM_CONF={0} PATH=/usr/sbin:/usr/bin:/sbin:/bin\n"
        "for node in $(scontrol show hostnames \"$1\"); do\n  {1}\n  echo {2} $node\ndone\n",
        conf(), each, name, folder_.string());
    fs::permissions(folder_ / "bin" / name, fs::perms{0755});
    return (folder_ / "bin" / name).string();
  };
  const auto resume =
      script("resume", fmt::format("sleep 3\n  {0}/bin/slurmd -b -N $node -d {0}/bin/slurmstepd -f {1}\n"
                                   "  scontrol update nodename=$node nodeaddr=127.0.0.1 nodehostname={2}",
                                   folder_.string(), conf(), host_name()));
  const auto suspend = script("suspend", fmt::format("kill $(cat {}/run/slurmd-$node.pid)", folder_.string()));
  return fmt::format(
      "PrivateData=cloud\nResumeProgram={0}\nSuspendProgram={1}\nResumeTimeout=60\nSuspendTimeout=12\nSuspendTime=6\n"
      "SuspendExcNodes=n[1-{2}]\n"
      "NodeName=c[1-{3}] NodeHostname={4} NodeAddr=127.0.0.1 Port=[{5}-{6}] CPUs={7} Sockets=1 CoresPerSocket={7} "
      "ThreadsPerCore=1 RealMemory=64000 Gres=gpu:h100:{8} State=CLOUD\n",
      resume, suspend, options.nodes, options.cloud, host_name(), port_ + options.nodes + 1,
      port_ + options.nodes + options.cloud, options.cpus, options.gpus);
}

}  // namespace ym::slurm::testing
