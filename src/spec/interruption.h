// What a job says about being stopped and taken up again: `preemption` and `checkpoint`.
#pragma once

#include "model/job_spec.h"
#include "spec/field.h"

namespace ym::spec {

// {allow, signal, grace, min_runtime}; keys that are left out keep their values.
void read_stop_rules(const Field& field, StopRules& stop);

// {dir, every, expect_save}.
void read_checkpoint_rules(const Field& field, CheckpointRules& checkpoint);

}  // namespace ym::spec
