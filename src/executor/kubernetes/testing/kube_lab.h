// KubeLab: a real Kubernetes control plane of its own on this machine, for tests: loopback only, thrown away at the
// end.
//
// It is started by a script beside the project. YM_KUBE_LAB names that; without it, it is looked for beside the
// checkout. What the script runs has to have been built before: a test does not wait for that.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace ym::kubernetes::testing {

struct LabOptions {
  int nodes = 20;        // simulated: no process runs in their pods
  bool kubelet = false;  // and a real one, named localhost; one such lab a machine, others wait for it
};

// What a command writes; its exit status is appended as a line of its own where it is not 0.
std::string output_of(const std::string& command);

class KubeLab {
 public:
  // Started once for the whole program, by whoever asks first. Null: there is none, and `why` says so. Throws if there
  // is one, and it does not start.
  static KubeLab* find(const LabOptions& options, std::string& why);
  // Ends all that it began. If this program dies before, somebody else does.
  ~KubeLab();
  KubeLab(const KubeLab&) = delete;
  KubeLab& operator=(const KubeLab&) = delete;

  std::string run(const std::string& words) const;  // kube-lab.sh WORDS
  std::string kubectl(const std::string& words) const;
  void run_aside(const std::string& words) const;  // and does not wait for it
  // What was killed a moment ago may hold its port yet: for half a minute it is tried again. What is wrong; empty: it
  // serves.
  std::string start_api_server() const;
  std::string kubeconfig() const { return dir_ / "etc/admin.kubeconfig"; }
  const std::filesystem::path& dir() const { return dir_; }
  std::string server() const;  // "https://127.0.0.1:36443"

 private:
  KubeLab(std::string script, std::filesystem::path dir, int lock);
  std::string start(const LabOptions& options) const;  // what went wrong; empty: nothing
  void stop_when_we_die() const;

  std::string command(const std::string& words) const;

  std::string script_;
  std::filesystem::path dir_;
  int lock_ = -1;  // of the machine's one real kubelet
};

}  // namespace ym::kubernetes::testing
