// Final waste: the node where least is added to what a learned table expects of its idle GPUs to be idle still in the
// end, with best fit as the second key. Differences count by their place on the curve of `fgd`, so that small ones are
// ties.
#pragma once

#include <vector>

#include "papers/placement/curve.h"
#include "papers/placement/policy.h"
#include "papers/placement/traces.h"
#include "papers/placement/waste_table.h"

namespace ym::sim::placement {

class WastePolicy : public Policy {
 public:
  WastePolicy(const WasteTable::Content& content, const Fleet& fleet);
  Offer offer(const Shape& shape, Node node, const Room& room) override;
  void changed(Node node, const Room& room) override;

  // Thousandths of a GPU. For tests.
  std::int64_t waste_of(const Room& room) const;

 private:
  WasteTable table_;
  std::vector<std::int64_t> type_costs_;  // by node, of a GPU, in thousandths
  Curve curve_;
  std::vector<std::int64_t> now_;  // by node
};

}  // namespace ym::sim::placement
