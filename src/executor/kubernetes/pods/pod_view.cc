#include "executor/kubernetes/pods/pod_view.h"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace ym::kubernetes {
namespace {

constexpr std::size_t kMostWords = 512;
constexpr std::string_view kTasksPointer = "/metadata/annotations/yardmaster.dev~1tasks";  // kTasksAnnotation

std::string words_at(const json::value& in, std::string_view pointer) {
  auto text = text_at(in, pointer);
  if (text.size() > kMostWords) text.resize(kMostWords);
  return text;
}

std::optional<std::int32_t> small_number_at(const json::value& in, std::string_view pointer) {
  const auto number = number_at(in, pointer);
  if (!number || *number < 0 || *number > 255) return std::nullopt;
  return static_cast<std::int32_t>(*number);
}

ContainerView read_container(const json::value& in) {
  ContainerView view{.name = text_at(in, "/name"), .state = {}, .reason = {}, .message = {}};
  const auto take_words = [&](const std::string& state) {
    view.reason = words_at(in, "/state/" + state + "/reason");
    view.message = words_at(in, "/state/" + state + "/message");
  };
  if (find(in, "/state/terminated")) {
    view.state = ContainerView::State::terminated;
    take_words("terminated");
    view.exit_code = small_number_at(in, "/state/terminated/exitCode");
    if (const auto signal = small_number_at(in, "/state/terminated/signal"); signal && *signal > 0)
      view.signal = signal;
    view.finished_at = time_at(in, "/state/terminated/finishedAt").value_or(Instant{});
  } else if (find(in, "/state/running")) {
    view.state = ContainerView::State::running;
  } else if (find(in, "/state/waiting")) {
    view.state = ContainerView::State::waiting;
    take_words("waiting");
  }
  return view;
}

std::vector<ContainerView> read_containers(const json::value& pod, std::string_view pointer) {
  std::vector<ContainerView> list;
  for (const auto& each : list_at(pod, pointer)) list.push_back(read_container(each));
  return list;
}

struct Amounts {
  std::int64_t cpus = 0, memory_bytes = 0;
  std::map<std::string, std::int64_t> devices;
};

Amounts requests_of(const json::value& container) {
  Amounts out;
  for (const auto& [name, text] : texts_at(container, "/resources/requests")) {
    if (name == "cpu") out.cpus = milli_amount(text).value_or(0);
    else if (name == "memory") out.memory_bytes = whole_amount(text).value_or(0);
    else if (name.find('/') != std::string::npos) out.devices[name] = whole_amount(text).value_or(0);
  }
  return out;
}

// The larger of the sum of the containers and of each init container. An init container that stays (a sidecar) counts
// in both.
Amounts requests_of_pod(const json::value& pod) {
  Amounts all, most;
  const auto add = [&](const Amounts& more) {
    all.cpus = sum(all.cpus, more.cpus);
    all.memory_bytes = sum(all.memory_bytes, more.memory_bytes);
    for (const auto& [name, count] : more.devices) all.devices[name] = sum(all.devices[name], count);
  };
  const auto raise = [&](const Amounts& one) {
    most.cpus = std::max(most.cpus, one.cpus);
    most.memory_bytes = std::max(most.memory_bytes, one.memory_bytes);
    for (const auto& [name, count] : one.devices) most.devices[name] = std::max(most.devices[name], count);
  };
  for (const auto& each : list_at(pod, "/spec/containers")) add(requests_of(each));
  for (const auto& each : list_at(pod, "/spec/initContainers")) {
    if (text_at(each, "/restartPolicy") == "Always") add(requests_of(each));
    else raise(requests_of(each));
  }
  raise(all);
  return most;
}

// Conditions of the start of the containers.
bool is_of_start(const std::string& condition) {
  return condition == "PodReadyToStartContainers" || condition == "Initialized" || condition == "ContainersReady";
}

std::string first_words(std::initializer_list<std::string> texts) {
  const auto* found = std::ranges::find_if(texts, [](const std::string& text) { return !text.empty(); });
  return found == texts.end() ? std::string() : *found;
}

void read_conditions(const json::value& pod, PodView& view) {
  for (const auto& each : list_at(pod, "/status/conditions")) {
    const auto type = text_at(each, "/type"), status = text_at(each, "/status");
    if (type == "PodScheduled" && status == "False") {
      view.unscheduled = words_at(each, "/message");
      if (view.unscheduled.empty()) view.unscheduled = words_at(each, "/reason");
    }
    if (view.phase == "Pending" && !view.node.empty() && view.unstarted.empty() && status == "False" &&
        is_of_start(type))
      view.unstarted = first_words({words_at(each, "/message"), words_at(each, "/reason"), type});
    if (type == "DisruptionTarget" && status == "True") view.disruption = words_at(each, "/reason");
  }
}

}  // namespace

std::int64_t sum(std::int64_t a, std::int64_t b) {
  return a > std::numeric_limits<std::int64_t>::max() - b ? std::numeric_limits<std::int64_t>::max() : a + b;
}

Result<ObjectMeta> read_meta(const json::value& object) {
  ObjectMeta meta{.name = text_at(object, "/metadata/name"),
                  .name_space = text_at(object, "/metadata/namespace"),
                  .uid = text_at(object, "/metadata/uid"),
                  .version = text_at(object, "/metadata/resourceVersion")};
  if (meta.name.empty() || meta.uid.empty()) return fail(ErrorCode::invalid, "an object without a name or uid");
  return meta;
}

Result<PodView> read_pod(const json::value& object) {
  auto meta = read_meta(object);
  if (!meta) return std::unexpected(meta.error());
  PodView view{.meta = std::move(*meta),
               .labels = texts_at(object, "/metadata/labels"),
               .says_tasks = find(object, kTasksPointer) != nullptr,
               .phase = text_at(object, "/status/phase"),
               .reason = words_at(object, "/status/reason"),
               .message = words_at(object, "/status/message"),
               .node = text_at(object, "/spec/nodeName"),
               .deleting = find(object, "/metadata/deletionTimestamp") != nullptr,
               .unscheduled = {},
               .unstarted = {},
               .disruption = {},
               .setup = read_containers(object, "/status/initContainerStatuses"),
               .containers = read_containers(object, "/status/containerStatuses")};
  read_conditions(object, view);
  auto amounts = requests_of_pod(object);
  view.cpus = amounts.cpus;
  view.memory_bytes = amounts.memory_bytes;
  view.devices = std::move(amounts.devices);
  return view;
}

}  // namespace ym::kubernetes
