#include "spec/convert/pod.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/time.h"

namespace ym::convert {
namespace {

constexpr std::array<Advice, 19> kDropped{{
    {"initContainers", "what they prepare has to be there already, or is done by what the job runs"},
    {"serviceAccountName", "tasks get no token of the cluster's"},
    {"imagePullSecrets", "write pull_secrets of the cluster into the server's configuration"},
    {"securityContext", "tasks run as the cluster's configuration says, without privileges"},
    {"priorityClassName", "write priority: 0 to 100 (50 is usual, higher is more urgent)"},
    {"priority", "write priority: 0 to 100 (50 is usual, higher is more urgent)"},
    {"hostNetwork", "tasks have the network that the cluster gives to pods"},
    {"hostIPC", "for shared memory write resources: {shm: 16GiB}"},
    {"hostPID", "tasks see themselves only"},
    {"hostname", "tasks find each other by YM_NODE_IPS"},
    {"hostAliases", "tasks find each other by YM_NODE_IPS"},
    {"runtimeClassName", "it is the cluster's to say"},
    {"topologySpreadConstraints", "each task has a node of its own; nearness is said by placement.topology"},
    {"nodeName", "nodes are chosen by label: placement: {select: {LABEL: VALUE}}"},
    {"resourceClaims", "devices are asked for by resources.gpus"},
    {"resources", "write what its container needs into resources"},
    {"overhead", "what a pod costs beside its container is not counted"},
    {"automountServiceAccountToken", "tasks get no token of the cluster's"},
    {"schedulingGates", "ym hold keeps a waiting job from starting"},
}};
// The old name of serviceAccountName, which the cluster writes beside it.
constexpr std::array<Advice, 1> kOldName{{{"serviceAccount", "tasks get no token of the cluster's"}}};
constexpr std::array<Aside, 7> kAsides{{
    {"dnsPolicy", "ClusterFirst", "how names are resolved is the cluster's to say"},
    {"enableServiceLinks", "true", "tasks have no variables of services"},
    {"shareProcessNamespace", "", "a task has one container, whose processes see each other"},
    {"preemptionPolicy", "PreemptLowerPriority", "whom a job may stop is its queue's to say"},
    {"os", "", "nodes are of Linux"},
    {"setHostnameAsFQDN", "", "tasks find each other by YM_NODE_IPS"},
    {"schedulerName", "default-scheduler", "it is Yardmaster that schedules"},
}};

// The container of that name, else the first.
std::optional<Field> main_container(const Field& containers, std::string_view name, Remarks& remarks) {
  const auto items = spec::read_list(containers, "containers");
  if (!items) return std::nullopt;
  if (items->empty()) return containers.wrong("is empty; write the container that does the work"), std::nullopt;
  auto chosen = std::ranges::find_if(*items, [&](const Field& each) { return text_under(each, "name") == name; });
  if (chosen == items->end()) chosen = items->begin();
  for (const auto& other : *items)
    if (other.pointer != chosen->pointer)
      remarks.warn(other, fmt::format("{} is left out; a task runs one program, which may start others itself",
                                      spec::quoted(text_under(other, "name"))));
  return *chosen;
}

void read_grace(Keys& keys, Part& part) {
  const auto field = keys.find("terminationGracePeriodSeconds");
  const auto seconds = field ? read_seconds(*field) : std::nullopt;
  if (!seconds || *seconds == 30) return;  // 30 s is what both have by themselves
  if (*seconds > kLongestGrace) keys.remarks().warn(*field, "is more than the hour that there may be; 1h is written");
  part.grace = seconds_text(std::min(*seconds, kLongestGrace));
}

void leave_out(Keys& keys) {
  keys.note(kAsides);
  keys.drop(kDropped);
  if (field_under(keys.field(), "serviceAccountName")) keys.skip({"serviceAccount"});
  else keys.drop(kOldName);
}

// Whether there is a container.
bool read_pod_spec(const Field& spec, std::string_view container, Part& part, Remarks& remarks) {
  Keys keys(spec, remarks);
  const auto containers = keys.require("containers", "write the container that does the work");
  const auto main = containers ? main_container(*containers, container, remarks) : std::nullopt;
  if (main) read_container(*main, part, remarks);
  if (const auto volumes = keys.find("volumes")) read_volumes(*volumes, main, part, remarks);
  read_node_choice(keys, part);
  read_grace(keys, part);
  if (const auto deadline = keys.find("activeDeadlineSeconds")) part.time_limit = read_seconds(*deadline);
  if (const auto subdomain = keys.find("subdomain")) {
    part.finds_peers_by_name = true;
    remarks.warn(*subdomain, "is left out; tasks find each other by YM_NODE_IPS");
  }
  part.restarts = keys.find("restartPolicy");
  leave_out(keys);
  keys.finish();
  return main.has_value();
}

}  // namespace

std::string seconds_text(std::int64_t count) { return to_string(seconds(count)); }

std::optional<std::int64_t> read_seconds(const Field& field) {
  constexpr std::int64_t kYear = 365 * 24 * 3600;
  return spec::read_whole_number(field, 0, kYear);
}

std::optional<Part> read_pod_template(const Field& pod, std::string_view container, Remarks& remarks) {
  Part part{.at = pod};
  Keys keys(pod, remarks);
  const auto spec = keys.require("spec", "write the pod's containers there");
  const auto metadata = keys.find("metadata");
  read_topology(field_under(metadata, "annotations"), part, remarks);
  if (metadata) note_metadata(*metadata, {"kueue.x-k8s.io/podset-"}, remarks);
  keys.skip({"apiVersion", "kind"});
  keys.finish();
  if (!spec || !read_pod_spec(*spec, container, part, remarks)) return std::nullopt;
  return part;
}

}  // namespace ym::convert
