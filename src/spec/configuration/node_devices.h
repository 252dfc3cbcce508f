// The GPUs of the nodes that a configuration names.
#pragma once

#include "model/cluster.h"
#include "spec/field.h"

namespace ym::spec {

// `gpus: "a100:2"`, devices 0 and 1; `mig: ["1g.5gb:4", "3g.20gb:1"]` (or one of these), slices m0 to m4 of others;
// `gpu_memory: 40GiB`, of each of the first.
void read_devices(MapReader& map, Node& node);

}  // namespace ym::spec
