// GavelSpeeds: how fast the models of Gavel's traces train (Narayanan et al., OSDI 2020; simulation_throughputs.json of
// its artifact).
//
// The speeds are those of jobs that run alone on V100s. If a model was not measured with a number of GPUs, the largest
// smaller number that was measured counts: the gain from more GPUs is unknown, so they gain nothing.
//
// The steps in the traces of Philly's virtual clusters are Philly's run times at the speed of one V100, for any number
// of GPUs. So jobs with several GPUs end sooner than they did there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ym::sim {

class GavelSpeeds {
 public:
  // From simulation_throughputs.json, plain or gzip, in the parent of the trace's folder. Errors: `invalid`, names the
  // file.
  static Result<GavelSpeeds> beside(const std::string& trace);

  // Steps per second; nothing if the model was not measured with `gpus` GPUs or fewer. Always more than 0.
  std::optional<double> of(std::string_view model, std::int64_t gpus) const;
  // The file with the speeds.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::map<std::string, std::map<std::int64_t, double>, std::less<>> by_model_;  // by GPUs
};

}  // namespace ym::sim
