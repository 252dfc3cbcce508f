// The GPUs that each task of a job requests.
#pragma once

#include "model/job_spec.h"
#include "spec/text/field.h"

namespace ym::spec {

// Reads `gpus: 2` or "t4:2"; or `gpu_share: 500m` or "t4:0.5" with `gpu_memory: 8GiB`; or `mig: 1g.10gb`, "1g.10gb:2"
// or "h100:1g.10gb:2". Without these keys a task has no GPU.
void read_gpu_request(MapReader& map, TaskResources& resources);

}  // namespace ym::spec
