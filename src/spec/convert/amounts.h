// Amounts of resources in the form of Kubernetes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "spec/convert/draft.h"

namespace ym::convert {

// "500m", "2", "1.5Gi", "1e3" -> thousandths, rounded up (resource.Quantity). Nothing: not a quantity, negative, or
// too large.
std::optional<std::int64_t> parse_quantity(std::string_view text);

// A container's `resources`. A job file has one amount for requests and limits: the larger one.
void read_resources(const Field& resources, Remarks& remarks, Amounts& amounts);
// A map of quantities alone. Older manifests have it in `resourcesPerNode`.
void read_quantities(const Field& map, Remarks& remarks, Amounts& amounts);

// "64GiB"; bytes if it is not a whole number of units.
std::string bytes_text(std::int64_t bytes);

}  // namespace ym::convert
