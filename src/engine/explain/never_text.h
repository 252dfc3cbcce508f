// Why a job can never run, as a sentence.
#pragma once

#include <string>

#include "engine/reason.h"

namespace ym::engine {

// One overload for each kind of reason.
struct NeverText {
  std::string operator()(const NoAnchor& reason) const;
  std::string operator()(const NoNodes& reason) const;
  std::string operator()(const NoGpuType& reason) const;
  std::string operator()(const NoSlices& reason) const;
  std::string operator()(const NoLabel& reason) const;
  std::string operator()(const NoContainers& reason) const;
  std::string operator()(const NoLevel& reason) const;
  std::string operator()(const NoneHasAll& reason) const;
  std::string operator()(const AllExcluded& reason) const;
  std::string operator()(const TooManyExcluded& reason) const;
  std::string operator()(const TooFewNodes& reason) const;
  std::string operator()(const NodesTooSmall& reason) const;
  std::string operator()(const GpusTooSmall& reason) const;
  std::string operator()(const NoNodeHasAllKinds& reason) const;
  std::string operator()(const PartsNeverTogether& reason) const;
};

}  // namespace ym::engine
