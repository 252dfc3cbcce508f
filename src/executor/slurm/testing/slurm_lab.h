// SlurmLab: a real Slurm cluster on this machine, for tests: on loopback only, deleted at the end.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace ym::slurm::testing {

struct LabOptions {
  int nodes = 4, gpus = 8, cpus = 16;
  // Additional nodes c1, c2, ..., which are off until Slurm starts them for a job, and off again after some idle
  // seconds.
  int cloud = 0;
  bool accounts = false;  // a database and slurmdbd
  std::string conf;       // additional lines of slurm.conf; the last one of a name counts
};

class SlurmLab {
 public:
  // What is not installed; empty: everything is there.
  static std::string missing();
  static std::string missing_accounts();
  static Result<std::unique_ptr<SlurmLab>> start(const LabOptions& options);
  // Ends all its processes, jobs too.
  ~SlurmLab();
  SlurmLab(const SlurmLab&) = delete;
  SlurmLab& operator=(const SlurmLab&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  std::string conf() const { return folder_ / "etc/slurm.conf"; }

  void kill_controller();  // as a crash does
  void start_controller();
  // Copies the saved state of the controller, and puts the copy back. Precondition of the second: it does not run.
  void keep_state() const;
  void restore_state() const;
  void kill_node(const std::string& name);
  void start_node(const std::string& name);
  // Starts slurmrestd at folder()/rest.sock. False: it is not installed.
  bool start_rest();

  // The output of a command; throws if it fails.
  std::string run(std::vector<std::string> argv, const std::string& input = {}) const;

 private:
  SlurmLab() = default;
  void write_conf(const LabOptions& options) const;
  Result<void> boot(const LabOptions& options);
  static std::string host_name();
  std::string cloud_conf(const LabOptions& options) const;
  std::string accounts_conf(const LabOptions& options) const;  // slurm_lab_accounts.cc
  void start_accounts(const LabOptions& options) const;
  std::map<std::string, std::string> env() const;

  std::filesystem::path folder_;
  int port_ = 0;
};

}  // namespace ym::slurm::testing
