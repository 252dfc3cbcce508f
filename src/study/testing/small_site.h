// A small site in files, and the workload that it gets.
#pragma once

#include <string>
#include <vector>

#include "sim/testing/temp_file.h"
#include "study/listener.h"

namespace ym::study {

inline constexpr auto kSmallCluster =
    "clusters:\n"
    "  - name: lab\n"
    "    executor: simulated\n"
    "    nodes: [{names: \"n[1-4]\", gpus: \"t4:4\", cpus: 16}]\n"
    "flavors:\n"
    "  - {name: t4, match: {gpu: t4}}\n"
    "queues:\n"
    "  - {name: research, quota: {t4: {gpus: 16}}}\n";

// Ten jobs that each take all 16 GPUs. The longest comes first.
inline constexpr auto kTenJobs =
    "id,queue,submit,run_time,gpus,time_limit\n"
    "0,research,0,600,16,700\n"
    "1,research,1,540,16,640\n"
    "2,research,2,480,16,580\n"
    "3,research,3,420,16,520\n"
    "4,research,4,360,16,460\n"
    "5,research,5,300,16,400\n"
    "6,research,6,240,16,340\n"
    "7,research,7,180,16,280\n"
    "8,research,8,120,16,220\n"
    "9,research,9,60,16,160\n";

class SmallSite {
 public:
  explicit SmallSite(const std::string& cluster = kSmallCluster, const std::string& workload = kTenJobs)
      : cluster_(cluster), workload_(workload) {}

  SimulateOptions options() const {
    SimulateOptions options;
    options.cluster = cluster_.path();
    options.workload = workload_.path();
    return options;
  }

  Listener listener() {
    return {.progress = [](const SimulateProgress&) {},
            .warnings =
                [this](const std::string&, const std::vector<std::string>& warnings) {
                  warned.insert(warned.end(), warnings.begin(), warnings.end());
                }};
  }

  std::vector<std::string> warned;

 private:
  sim::TempFile cluster_, workload_;
};

}  // namespace ym::study
