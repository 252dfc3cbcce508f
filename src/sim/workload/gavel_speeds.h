// GavelSpeeds: how fast the models of Gavel's traces train (Narayanan et al., OSDI 2020; simulation_throughputs.json of
// its artifact).
//
// The speeds are those of jobs that run alone on V100s. Where a model was not measured on so many GPUs, the largest
// smaller number that it was measured on counts: what more GPUs would bring is not known, so they bring nothing.
//
// The steps of the traces of Philly's virtual clusters are run times of Philly at the speed of one V100, however many
// GPUs a job has: on several GPUs jobs end sooner than they did there.
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
  // Of simulation_throughputs.json, plain or gzip, in the folder above that of the trace. `invalid` names the file.
  static Result<GavelSpeeds> beside(const std::string& trace);

  // Steps per second; nothing if the model was measured on no number of GPUs up to `gpus`. Always more than 0.
  std::optional<double> of(std::string_view model, std::int64_t gpus) const;
  // Where they stand.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::map<std::string, std::map<std::int64_t, double>, std::less<>> by_model_;  // by GPUs
};

}  // namespace ym::sim
