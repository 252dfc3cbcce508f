// The clusters of the server's configuration file.
#pragma once

#include <vector>

#include "spec/documents.h"
#include "spec/text/field.h"

namespace ym::spec {

std::vector<ClusterConfiguration> read_clusters(const Field& field);

// Keys that all nodes of one entry share.
Node read_node_shape(MapReader& map);

}  // namespace ym::spec
