// KubeLab: a real Kubernetes control plane on this machine, for tests: on loopback only, deleted at the end.
//
// A script next to the project starts it. YM_KUBE_LAB is its path; the default is next to the checkout. The binaries
// that the script runs must have been built before; a test does not wait for that.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace ym::kubernetes::testing {

struct LabOptions {
  int nodes = 20;        // simulated: their pods have no processes
  bool kubelet = false;  // also a real one, named localhost; one such lab on a machine, others wait for it
};

// The output of a command. If its exit status is not 0, that is appended as a line of its own.
std::string output_of(const std::string& command);

class KubeLab {
 public:
  // Started once for the whole program, by the first caller. Null: there is none, and `why` says so. Throws if there is
  // one that does not start.
  static KubeLab* find(const LabOptions& options, std::string& why);
  // Ends all processes of the lab. If this program dies before, another process does.
  ~KubeLab();
  KubeLab(const KubeLab&) = delete;
  KubeLab& operator=(const KubeLab&) = delete;

  std::string run(const std::string& words) const;  // kube-lab.sh WORDS
  std::string kubectl(const std::string& words) const;
  void run_blocking(const std::string& words) const;  // does not wait for it
  // A killed process may still hold its port, so this tries for half a minute. Returns what is wrong; empty: the server
  // answers.
  std::string start_api_server() const;
  std::string kubeconfig() const { return dir_ / "etc/admin.kubeconfig"; }
  const std::filesystem::path& dir() const { return dir_; }
  std::string server() const;  // "https://127.0.0.1:36443"

 private:
  KubeLab(std::string script, std::filesystem::path dir, int lock);
  std::string start(const LabOptions& options) const;  // returns what went wrong; empty: nothing
  void stop_when_we_die() const;

  std::string command(const std::string& words) const;

  std::string script_;
  std::filesystem::path dir_;
  int lock_ = -1;  // of the one real kubelet of the machine
};

}  // namespace ym::kubernetes::testing
