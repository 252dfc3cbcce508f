// PodProcesses: the part of a kubelet that a simulated one lacks. It runs the agent of each pod of a namespace on this
// machine, as soon as the pod is Running, with the environment of the pod.
//
// Threads: one of its own.
#pragma once

#include <sys/types.h>

#include <boost/json/value.hpp>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "executor/kubernetes/testing/kube_lab.h"

namespace ym::kubernetes::testing {

class PodProcesses {
 public:
  // `agent`: the program of the agent. `folder`: each agent gets one in it. `lab` must outlive it.
  PodProcesses(const KubeLab& lab, std::string name_space, std::filesystem::path agent, std::filesystem::path folder);
  // Ends the agents that still run.
  ~PodProcesses();
  PodProcesses(const PodProcesses&) = delete;
  PodProcesses& operator=(const PodProcesses&) = delete;

 private:
  void run();
  void look();
  void begin(const boost::json::value& pod);

  const KubeLab& lab_;
  const std::string name_space_;
  const std::filesystem::path agent_, folder_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;            // under mutex_
  std::set<std::string> begun_;  // uids; used by the thread only
  std::vector<pid_t> processes_;
  std::thread thread_;
};

}  // namespace ym::kubernetes::testing
