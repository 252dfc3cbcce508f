// How clusters that run tasks on other machines are reached: `slurm: {..}` and `kubernetes: {..}` of a cluster.
#pragma once

#include "spec/documents.h"
#include "spec/field.h"

namespace ym::spec {

SlurmSettings read_slurm(const Field& field);
KubernetesSettings read_kubernetes(const Field& field);

}  // namespace ym::spec
