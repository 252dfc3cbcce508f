#include "spec/convert/kubernetes/pod.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/time.h"

namespace ym::convert {
namespace {

constexpr std::array<Advice, 19> kDroppedOfPod{{
    {"initContainers", "prepare it before, or let the program do it"},
    {"serviceAccountName", "tasks get no token of the cluster"},
    {"imagePullSecrets", "write pull_secrets of the cluster into the server's configuration"},
    {"securityContext", "the cluster's configuration sets this; tasks have no privileges"},
    {"priorityClassName", "write priority: 0 to 100 (50 is usual, higher is more urgent)"},
    {"priority", "write priority: 0 to 100 (50 is usual, higher is more urgent)"},
    {"hostNetwork", "tasks use the pod network of the cluster"},
    {"hostIPC", "for shared memory write resources: {shm: 16GiB}"},
    {"hostPID", "a task sees only its own processes"},
    {"hostname", "tasks find each other by YM_NODE_IPS"},
    {"hostAliases", "tasks find each other by YM_NODE_IPS"},
    {"runtimeClassName", "the cluster decides this"},
    {"topologySpreadConstraints", "each task has its own node; use placement.topology for nearness"},
    {"nodeName", "choose nodes by label: placement: {select: {LABEL: VALUE}}"},
    {"resourceClaims", "write devices as resources.gpus"},
    {"resources", "write what the container needs into resources"},
    {"overhead", "the overhead of a pod is not counted"},
    {"automountServiceAccountToken", "tasks get no token of the cluster"},
    {"schedulingGates", "ym hold keeps a waiting job from starting"},
}};
// The old name of serviceAccountName. The cluster writes both.
constexpr std::array<Advice, 1> kOldName{{{"serviceAccount", "tasks get no token of the cluster"}}};
constexpr std::array<UnneededKey, 7> kUnneededKeysOfPod{{
    {"dnsPolicy", "ClusterFirst", "the cluster decides how to resolve names"},
    {"enableServiceLinks", "true", "tasks have no variables of services"},
    {"shareProcessNamespace", "", "a task has one container, whose processes see each other"},
    {"preemptionPolicy", "PreemptLowerPriority", "the queue decides which jobs this job may preempt"},
    {"os", "", "nodes run Linux"},
    {"setHostnameAsFQDN", "", "tasks find each other by YM_NODE_IPS"},
    {"schedulerName", "default-scheduler", "Yardmaster schedules the job"},
}};

// The container with that name, otherwise the first.
std::optional<Field> main_container(const Field& containers, std::string_view name, Remarks& remarks) {
  const auto items = spec::read_list(containers, "containers");
  if (!items) return std::nullopt;
  if (items->empty()) return containers.wrong("is empty; write the container that does the work"), std::nullopt;
  auto chosen = std::ranges::find_if(*items, [&](const Field& each) { return text_under(each, "name") == name; });
  if (chosen == items->end()) chosen = items->begin();
  for (const auto& other : *items)
    if (other.pointer != chosen->pointer)
      remarks.warn(other, fmt::format("{} is left out; a task runs one program, which may start others",
                                      spec::quoted(text_under(other, "name"))));
  return *chosen;
}

void read_grace(Keys& keys, Part& part) {
  const auto field = keys.find("terminationGracePeriodSeconds");
  const auto seconds = field ? read_seconds(*field) : std::nullopt;
  if (!seconds || *seconds == 30) return;  // both have 30 s by default
  if (*seconds > kLongestGrace) keys.remarks().warn(*field, "exceeds the maximum of 1h; 1h is written");
  part.grace = seconds_text(std::min(*seconds, kLongestGrace));
}

void leave_out(Keys& keys) {
  keys.note(kUnneededKeysOfPod);
  keys.drop(kDroppedOfPod);
  if (field_under(keys.field(), "serviceAccountName")) keys.skip({"serviceAccount"});
  else keys.drop(kOldName);
}

// False: it has no container.
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
