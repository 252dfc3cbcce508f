#include "papers/placement/named_policies.h"

#include "papers/placement/fgd_policies.h"
#include "papers/placement/plain_policies.h"
#include "papers/placement/waste_policy.h"

namespace ym::sim::placement {
namespace {

template <class Plain>
NamedPolicy plain(std::string name, std::string published) {
  return {.name = std::move(name), .published = std::move(published), .make = [](std::uint64_t, const Fleet&) {
            return std::make_unique<Plain>();
          }};
}

template <class Own>
NamedPolicy of_list(std::string name, std::string published, const PodList& list) {
  return {.name = std::move(name), .published = std::move(published), .make = [&list](std::uint64_t, const Fleet&) {
            return std::make_unique<Own>(list);
          }};
}

}  // namespace

std::vector<NamedPolicy> compared_policies(const PodList& list) {
  const auto random = [](std::uint64_t seed, const Fleet&) { return std::make_unique<RandomPolicy>(seed); };
  return {{.name = "random", .published = "01-Random", .make = random},
          plain<DotProductPolicy>("dot-product", "02-DotProd"),
          plain<GpuClusteringPolicy>("gpu-clustering", "03-GpuClustering"),
          plain<GpuPackingPolicy>("gpu-packing", "04-GpuPacking"),
          plain<BestFitPolicy>("best-fit", "05-BestFit"),
          published_fgd(list)};
}

NamedPolicy published_fgd(const PodList& list) { return of_list<PublishedFgdPolicy>("fgd", "06-FGD", list); }

NamedPolicy engine_fgd(const PodList& list) {
  return {.name = "engine-fgd", .published = "", .make = [&list](std::uint64_t, const Fleet& fleet) {
            return std::make_unique<EngineFgdPolicy>(list, fleet);
          }};
}

NamedPolicy final_waste(const WasteTable::Content& content) {
  return {.name = "final-waste", .published = "", .make = [content](std::uint64_t, const Fleet& fleet) {
            return std::make_unique<WastePolicy>(content, fleet);
          }};
}

}  // namespace ym::sim::placement
