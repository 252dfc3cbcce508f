// The clusters of the server's configuration file.
#pragma once

#include <vector>

#include "spec/documents.h"
#include "spec/text/field.h"

namespace ym::spec {

std::vector<ClusterConfiguration> read_clusters(const Field& field);

}  // namespace ym::spec
