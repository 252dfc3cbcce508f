// What a study reports while it runs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "study/options/simulate_options.h"

namespace ym::study {

// Gets the warnings about a file, or a setting, that was read.
using OnWarnings = std::function<void(const std::string& path, const std::vector<std::string>& warnings)>;

// Called on the thread that runs the study. Both have to be set.
struct Listener {
  OnSimulateProgress progress;
  OnWarnings warnings;
};

}  // namespace ym::study
