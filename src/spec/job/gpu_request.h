// Which GPUs each task of a job asks for.
#pragma once

#include "model/job_spec.h"
#include "spec/field.h"

namespace ym::spec {

// `gpus: 2` or "t4:2"; or `gpu_share: 500m` or "t4:0.5" with `gpu_memory: 8GiB`; or `mig: 1g.10gb`, "1g.10gb:2" or
// "h100:1g.10gb:2". Nothing of it: none.
void read_gpu_request(MapReader& map, TaskResources& resources);

}  // namespace ym::spec
