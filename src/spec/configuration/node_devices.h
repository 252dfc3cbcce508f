// The GPUs of configured nodes.
#pragma once

#include "model/cluster.h"
#include "spec/text/field.h"

namespace ym::spec {

// Reads `gpus: "a100:2"`: devices 0 and 1; `mig: ["1g.5gb:4", "3g.20gb:1"]` (or a single text): slices m0 to m4 of
// other GPUs; `gpu_memory: 40GiB`: memory of each of `gpus`.
void read_devices(MapReader& map, Node& node);

}  // namespace ym::spec
