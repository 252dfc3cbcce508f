#include "executor/kubernetes/testing/pod_host/pod_host.h"

#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "executor/conformance/session.h"
#include "executor/kubernetes/pods/names.h"

namespace ym::kubernetes::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAgentImage = "kube-lab.test/wrapper:1";
constexpr const char* kBridge = "10.245.0.1";  // this machine's address for pods of the lab

// Into the kubelet's own image store.
void import_agent_image(const KubeLab& lab) {
  const std::string recipe = YM_SOURCE_DIR "/deploy/kubernetes", work = lab.dir() / "wrapper";
  const auto said =
      output_of(fmt::format("set -e; mkdir '{0}'; sh '{1}/wrapper-root.sh' '{2}' '{0}/root'; sh '{1}/wrapper-oci.sh' "
                            "'{0}/root' {3} '{0}/image.tar'; ctr -a '{4}/run/containerd.sock' -n k8s.io images import "
                            "'{0}/image.tar'",
                            work, recipe, YM_BINARY_DIR "/bin", kAgentImage, lab.dir().string()));
  if (said.find("\nstatus ") != std::string::npos) throw std::runtime_error("the wrapper's image: " + said);
}

// All at once, because each call takes a while: there are many tests, and each needs one.
constexpr int kNamespaces = 120;
void make_namespaces(const KubeLab& lab) {
  std::ofstream list(lab.dir() / "namespaces.json");
  list << R"({"apiVersion":"v1","kind":"List","items":[)";
  for (int i = 1; i <= kNamespaces; ++i)
    list << (i > 1 ? "," : "")
         << fmt::format(R"({{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"pods-{}"}}}})", i);
  list << "]}";
  list.close();
  lab.kubectl("create -f " + (lab.dir() / "namespaces.json").string());
  const auto last = fmt::format("get serviceaccount default -o name -n pods-{}", kNamespaces);
  eventually([&] { return lab.kubectl(last) == "serviceaccount/default"; });
}

KubeLab& kubelet_lab() {
  std::string why;
  auto* const lab = KubeLab::find({.nodes = 0, .kubelet = true}, why);
  if (!lab) throw ym::testing::HostIsMissing(why);
  if (!fs::exists(lab->dir() / "wrapper")) {
    import_agent_image(*lab);
    make_namespaces(*lab);
  }
  return *lab;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Calls `look` with the /proc folder of each process of this machine.
void each_process(const std::function<void(const fs::path&)>& look) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error))
    if (std::isdigit(static_cast<unsigned char>(entry.path().filename().string().front()))) look(entry.path());
}

// Whether the process has this pid in its own pid namespace.
bool is_numbered(const fs::path& process, int pid) {
  const auto lines = ym::testing::lines_of(process / "status");
  const auto numbers = std::ranges::find_if(lines, [](const auto& line) { return line.starts_with("NSpid:"); });
  if (numbers == lines.end() || std::ranges::find(lines, "State:\tZ (zombie)") != lines.end()) return false;
  std::istringstream words(numbers->substr(6));
  const std::vector<int> known{std::istream_iterator<int>(words), {}};
  return known.size() > 1 && known.back() == pid;
}

}  // namespace

PodHost::PodHost() : lab_(kubelet_lab()) {
  static int number = 0;
  name_space_ = fmt::format("pods-{}", number++ % kNamespaces + 1);
  auto pattern = (fs::temp_directory_path() / "ym-pods-XXXXXX").string();
  root_ = ::mkdtemp(pattern.data());
  for (const char* folder : {"scratch", "tasks"}) fs::create_directory(root_ / folder);
  set_options();
}

PodHost::~PodHost() {
  lab_.run_blocking("kubectl delete pods --all --grace-period=1 --wait=false -n " + name_space_);
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

void PodHost::set_options() {
  options = {.cluster = "lab", .kubeconfig = lab_.kubeconfig(), .name_space = name_space_};
  const auto url = server_.url();
  options.server_url = fmt::format("http://{}{}", kBridge, url.substr(url.rfind(':')));
  options.log_dir = root_ / "logs";
  options.node_contact = seconds(20);
  options.pod.wrapper_image = kAgentImage;
  options.pod.image = "kube-lab.test/base:1";
  options.pod.tolerations = {{.key = "kube-lab.test/kubelet", .value = {}, .effect = {}}};
  options.pod.volumes = {{.host_path = "/usr", .mount_path = "/usr", .read_only = true}};
  for (const char* folder : {"scratch", "tasks"})
    options.pod.volumes.push_back({.host_path = root_ / folder, .mount_path = root_ / folder});
  // Tests read the files of user code's task folder, so it is on this machine.
  options.pod.agent_env = {{"YM_TASK_LINGER", "10s"},
                           {"YM_TASK_DIR", (root_ / "tasks/$(YM_LAUNCH_TOKEN).$(YM_TASK_RANK)").string()}};
  options.registry.silence = seconds(5);
  options.registry.settle = seconds(1);
}

std::unique_ptr<Executor> PodHost::make() {
  auto made = make_kubernetes_executor(options, clock_);
  if (!made) throw std::runtime_error(made.error().message);
  return server_.front(std::move(*made));
}

// A kubelet takes at most 110 pods.
int PodHost::many() const { return std::getenv("YM_CAMPAIGN") ? 300 : 20; }

bool PodHost::kill_watcher(const Token& token, std::int32_t task) {
  int killed = 0;
  each_process([&](const fs::path& process) {
    if (text_of(process / "cmdline").find("/ym/ym-task") == std::string::npos) return;
    const auto env = text_of(process / "environ");
    if (env.find("YM_LAUNCH_TOKEN=" + to_string(token) + '\0') == std::string::npos) return;
    if (env.find("YM_TASK_RANK=" + std::to_string(task) + '\0') == std::string::npos) return;
    killed += ::kill(std::stoi(process.filename()), SIGKILL) == 0 ? 1 : 0;
  });
  if (killed == 0) throw std::runtime_error("no wrapper to kill");
  return true;
}

bool PodHost::is_gone(int pid) {
  bool found = false;
  each_process([&](const fs::path& process) { found = found || is_numbered(process, pid); });
  return !found;
}

bool PodHost::begin_no_more_than(std::optional<int> tasks) {
  if (tasks) lab_.kubectl(fmt::format("create quota few --hard=pods={} -n {}", *tasks, name_space_));
  else lab_.kubectl("delete quota few -n " + name_space_);
  return true;
}

bool PodHost::cut_contact(const Token&, bool cut) {
  server_.go_away(cut);
  ::kill(std::stoi(text_of(lab_.dir() / "run/kubelet.pid")), cut ? SIGSTOP : SIGCONT);
  return true;
}

std::function<bool()> PodHost::make_foreign(const Token& token) {
  const auto name = pod_name({token, 0}) + " -n " + name_space_;
  const auto made = lab_.kubectl("run " + name +
                                 " --image=kube-lab.test/pause:1 --labels=app=theirs --overrides="
                                 "'{\"spec\":{\"tolerations\":[{\"operator\":\"Exists\"}]}}'");
  if (made.find("created") == std::string::npos) throw std::runtime_error(made);
  return [this, name] {
    return lab_.kubectl("get pod -o jsonpath={.metadata.deletionTimestamp}{.metadata.labels.app} " + name) == "theirs";
  };
}

}  // namespace ym::kubernetes::testing
