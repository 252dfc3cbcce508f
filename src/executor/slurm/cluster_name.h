// The name that a Slurm cluster gives itself (ClusterName in slurm.conf).
#pragma once

#include <string>
#include <string_view>

namespace ym::slurm {

// `conf`: the file; empty: the one of SLURM_CONF, else /etc/slurm/slurm.conf. Empty if it cannot be read or says none.
std::string cluster_name(const std::string& conf);
// The same of its text.
std::string cluster_name_in(std::string_view text);

}  // namespace ym::slurm
