// The name of a Slurm cluster (ClusterName in slurm.conf).
#pragma once

#include <string>
#include <string_view>

namespace ym::slurm {

// `conf`: path of the file; empty: that of SLURM_CONF, else /etc/slurm/slurm.conf. Returns an empty name if the file
// cannot be read or has none.
std::string cluster_name(const std::string& conf);
// The same from its text.
std::string cluster_name_in(std::string_view text);

}  // namespace ym::slurm
