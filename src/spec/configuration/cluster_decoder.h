// The clusters of the server's configuration file.
#pragma once

#include <vector>

#include "spec/documents.h"
#include "spec/field.h"

namespace ym::spec {

std::vector<ClusterConfiguration> read_clusters(const Field& field);

// What all nodes named by one entry have in common.
Node read_node_shape(MapReader& map);

}  // namespace ym::spec
