#include "spec/configuration/remote_decoder.h"

#include <fmt/format.h>

#include "spec/keys/cluster.h"
#include "spec/keys/read.h"

namespace ym::keys {

void read_form(const Field& field, SlurmSettings& slurm, Delegation) {
  const auto text = spec::read_string(field);
  slurm.delegated = text == "delegated";
  if (text && *text != "ours" && *text != "delegated")
    field.wrong(fmt::format("{} is not a placement; write ours (Yardmaster names the nodes) or delegated",
                            spec::quoted(*text)));
}

void read_into(const Field& field, Mount& mount, MapOf<Mount>) {
  read_struct(field, mount);
  if (mount.claim.empty() == mount.host_path.empty()) field.wrong("write one of `claim` and `host_path`");
}

}  // namespace ym::keys

namespace ym::spec {

SlurmSettings read_slurm(const Field& field) {
  SlurmSettings slurm;
  keys::read_struct(field, slurm);
  return slurm;
}

KubernetesSettings read_kubernetes(const Field& field) {
  KubernetesSettings kubernetes;
  keys::read_struct(field, kubernetes);
  if (!kubernetes.queue.empty() && kubernetes.placement != KubernetesSettings::Placement::delegated)
    MapReader(field).find("queue")->wrong(
        "needs `placement: delegated`, because Kueue decides when and where pods start");
  return kubernetes;
}

}  // namespace ym::spec
