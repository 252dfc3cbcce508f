// Final waste: the node where least is added to what a learned table expects of its idle GPUs to be idle still in the
// end, as the engine scores it (engine/placement/final_waste.h), with best fit as the second key.
#pragma once

#include <vector>

#include "model/waste_table.h"
#include "sim/policies/placement/curve.h"
#include "sim/policies/placement/policy.h"
#include "sim/policies/placement/traces.h"

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
