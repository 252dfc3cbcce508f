// The policies by their names.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "papers/placement/policy.h"
#include "papers/placement/traces.h"
#include "papers/placement/waste_table.h"

namespace ym::sim::placement {

struct NamedPolicy {
  std::string name;       // "fgd"
  std::string published;  // as the published results call it: "06-FGD"; empty: it is not among them
  // A new one, for one run. A view of the list and of the fleet, the run's.
  std::function<std::unique_ptr<Policy>(std::uint64_t seed, const Fleet& fleet)> make;
};

// random, dot-product, gpu-clustering, gpu-packing, best-fit and fgd, as published.
std::vector<NamedPolicy> compared_policies(const PodList& list);
// fgd as published; the engine's default `fgd`, called "engine-fgd"; "final-waste" by this table.
NamedPolicy published_fgd(const PodList& list);
NamedPolicy engine_fgd(const PodList& list);
NamedPolicy final_waste(const WasteTable::Content& content);

}  // namespace ym::sim::placement
