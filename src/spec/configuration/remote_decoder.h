// Settings of clusters whose tasks run on other machines: `slurm: {..}` and `kubernetes: {..}`.
#pragma once

#include "spec/documents.h"
#include "spec/text/field.h"

namespace ym::spec {

SlurmSettings read_slurm(const Field& field);
KubernetesSettings read_kubernetes(const Field& field);

}  // namespace ym::spec
