// Amounts as Kubernetes writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "spec/convert/draft.h"

namespace ym::convert {

// "500m", "2", "1.5Gi", "1e3" -> thousandths, rounded up (resource.Quantity). Nothing: that is none, or less than 0,
// or too large to count.
std::optional<std::int64_t> parse_quantity(std::string_view text);

// A container's `resources`. Requests and limits are one in a job file: the larger counts.
void read_resources(const Field& resources, Remarks& remarks, Amounts& amounts);
// A map of quantities alone, as `resourcesPerNode` may be in older manifests.
void read_quantities(const Field& map, Remarks& remarks, Amounts& amounts);

// "64GiB", or bytes where it is no whole unit.
std::string bytes_text(std::int64_t bytes);

}  // namespace ym::convert
