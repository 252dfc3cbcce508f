#include "papers/ceiling/cuts.h"

#include <algorithm>

namespace ym::sim::placement {
namespace {

std::vector<std::int32_t> sizes_of(const PodList& list, std::int32_t least_milli) {
  std::vector<std::int32_t> sizes;
  for (const Shape& shape : list.shapes)
    if (shape.shares() && shape.gpu_milli >= least_milli) sizes.push_back(shape.gpu_milli);
  std::ranges::sort(sizes);
  const auto repeated = std::ranges::unique(sizes);
  sizes.erase(repeated.begin(), repeated.end());
  return sizes;
}

bool can_be_fuller(const Cut& cut, const std::vector<std::int32_t>& sizes) {
  if (sizes.empty()) return false;
  if (cut.rest_milli >= sizes.front()) return true;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
    if (cut.pieces[i] > 0 && cut.rest_milli >= sizes[i + 1] - sizes[i]) return true;
  return false;
}

// Goes through all ways to cut by adding pieces, small ones first, and keeps those that are full.
class Search {
 public:
  Search(Cuts& cuts, std::size_t most) : cuts_(cuts), most_(most), cut_{.pieces = {}, .rest_milli = kWholeGpu} {
    cut_.pieces.resize(cuts.sizes_milli.size());
  }

  // False: there are too many.
  bool go_on(std::size_t size = 0) {
    if (seen_++ == most_) return false;
    if (!can_be_fuller(cut_, cuts_.sizes_milli)) cuts_.ways.push_back(cut_);
    for (; size < cut_.pieces.size() && cuts_.sizes_milli[size] <= cut_.rest_milli; ++size) {
      add(size, 1);
      if (!go_on(size)) return false;
      add(size, -1);
    }
    return true;
  }

 private:
  void add(std::size_t size, std::int32_t pieces) {
    cut_.pieces[size] += pieces;
    cut_.rest_milli -= pieces * cuts_.sizes_milli[size];
  }

  Cuts& cuts_;
  std::size_t most_, seen_ = 0;
  Cut cut_;
};

}  // namespace

Cuts cuts_of(const PodList& list, const CutOptions& options) {
  Cuts cuts;
  // A share of nothing has no size.
  cuts.sizes_milli = sizes_of(list, std::max(options.least_milli, 1));
  while (!Search(cuts, options.most_ways).go_on()) {
    const auto too_many = static_cast<std::ptrdiff_t>(1 + cuts.sizes_milli.size() / 32);
    cuts.sizes_milli.erase(cuts.sizes_milli.begin(), cuts.sizes_milli.begin() + too_many);
    cuts.ways.clear();
  }
  return cuts;
}

}  // namespace ym::sim::placement
