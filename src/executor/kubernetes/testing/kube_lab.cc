#include "executor/kubernetes/testing/kube_lab.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "executor/remote/testing/free_ports.h"

namespace ym::kubernetes::testing {
namespace {

namespace fs = std::filesystem;

// Shared with other tests, also in Python.
constexpr const char* kKubeletLock = "/tmp/ym-kubelet-lab.lock";
constexpr const char* kStartLock = "/tmp/ym-kube-lab-start.lock";  // one at a time

std::string variable(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

bool has_failed(const std::string& output) { return output.find("\nstatus ") != std::string::npos; }
bool succeeds(const std::string& command) { return !has_failed(output_of(command)); }

// The path follows the naming of the script. Empty: it is built.
std::string not_built(const std::string& script) {
  const auto source = (fs::path(script).parent_path() / "kube-lab").string();
  const auto cache = variable("YM_LAB_CACHE", variable("HOME", "/root") + "/.cache/yardmaster-lab");
  const auto hash = fmt::format("cat '{0}'/go.mod '{0}'/go.sum '{0}'/*.go | sha256sum | cut -c1-16", source);
  return succeeds(fmt::format("test -x '{}'/kube-lab-$({})", cache, hash))
             ? ""
             : fmt::format("the Kubernetes lab is not built: run {} build", script);
}

std::string missing_for_kubelet() {
  if (::geteuid() != 0) return "a real kubelet needs root";
  for (const char* program : {"containerd", "ctr", "runc", "busybox", "ip", "nsenter"})
    if (!succeeds(fmt::format("command -v {}", program))) return fmt::format("a real kubelet needs {}", program);
  return {};
}

std::string missing(const std::string& script, const LabOptions& options) {
  if (!fs::exists(script)) return "no Kubernetes lab: set YM_KUBE_LAB to kube-lab.sh";
  auto why = not_built(script);
  return why.empty() && options.kubelet ? missing_for_kubelet() : why;
}

// Held by this process, and not by its children.
int locked(const char* file) {
  const int lock = ::open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock >= 0) ::flock(lock, LOCK_EX);
  return lock;
}

}  // namespace

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(("{ " + command + "\n} 2>&1").c_str(), "re");
  if (!pipe) return "\nstatus 127\n";
  std::array<char, 4096> piece{};
  for (std::size_t n = 0; (n = ::fread(piece.data(), 1, piece.size(), pipe)) > 0;) text.append(piece.data(), n);
  const int status = ::pclose(pipe);
  return status == 0 ? text : text + fmt::format("\nstatus {}\n", WEXITSTATUS(status));
}

KubeLab* KubeLab::find(const LabOptions& options, std::string& why) {
  static std::unique_ptr<KubeLab> lab;
  static std::string reason;
  if (lab) return lab.get();
  const auto script = variable("YM_KUBE_LAB", YM_SOURCE_DIR "/../shared/tools/kube-lab.sh");
  if (reason.empty()) reason = missing(script, options);
  why = reason;
  if (!reason.empty()) return nullptr;
  lab.reset(
      new KubeLab(script, fmt::format("/tmp/ym-kube-lab/{}", ::getpid()), options.kubelet ? locked(kKubeletLock) : -1));
  reason = lab->start(options);
  if (reason.empty()) return lab.get();
  lab.reset();
  throw std::runtime_error(reason);
}

std::string KubeLab::start(const LabOptions& options) const {
  const int lock = locked(kStartLock);
  stop_when_we_die();
  // For the API server, etcd (two) and the kubelet.
  const int port = ym::testing::free_ports(4);
  const auto said =
      run(fmt::format("start --port {} --nodes {}{}", port, options.nodes, options.kubelet ? " --kubelet" : ""));
  if (lock >= 0) ::close(lock);
  return said.find("lab up") != std::string::npos ? "" : "the Kubernetes lab does not start: " + said;
}

KubeLab::KubeLab(std::string script, fs::path dir, int lock)
    : script_(std::move(script)), dir_(std::move(dir)), lock_(lock) {}

KubeLab::~KubeLab() {
  run("stop");
  std::error_code ignored;
  fs::remove_all(dir_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

// The lab's processes have no parent that ends them: a test that is killed would leave them running.
void KubeLab::stop_when_we_die() const {
  output_of(
      fmt::format("setsid sh -c 'while kill -0 {0} 2> /dev/null; do sleep 2; done; bash \"{1}\" stop --dir \"{2}\"; "
                  "rm -rf \"{2}\"' > /dev/null 2>&1 < /dev/null &",
                  ::getpid(), script_, dir_.string()));
}

std::string KubeLab::command(const std::string& words) const {
  const auto space = words.find(' ');
  const auto rest = space == std::string::npos ? "" : words.substr(space);
  return fmt::format("bash '{}' {} --dir '{}'{}", script_, words.substr(0, space), dir_.string(), rest);
}

std::string KubeLab::run(const std::string& words) const { return output_of(command(words)); }

void KubeLab::run_blocking(const std::string& words) const {
  output_of(command(words) + " > /dev/null 2>&1 < /dev/null &");
}

std::string KubeLab::start_api_server() const {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(180);
  while (true) {
    auto said = run("apiserver-start");
    if (!has_failed(said)) return {};
    if (std::chrono::steady_clock::now() > until) return said;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

std::string KubeLab::kubectl(const std::string& words) const { return trimmed(run("kubectl " + words)); }

std::string KubeLab::server() const { return kubectl("config view -o jsonpath={.clusters[0].cluster.server}"); }

}  // namespace ym::kubernetes::testing
