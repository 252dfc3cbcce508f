// What a study reports while it runs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "study/options/simulate_options.h"

namespace ym::study {

// Called on the thread that runs the study. Both have to be set.
struct Listener {
  OnSimulateProgress progress;
  // Warnings about a file that was read.
  std::function<void(const std::string& path, const std::vector<std::string>& warnings)> warnings;
};

}  // namespace ym::study
