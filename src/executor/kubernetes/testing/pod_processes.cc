#include "executor/kubernetes/testing/pod_processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <boost/json/parse.hpp>
#include <chrono>
#include <cstdlib>

#include "executor/kubernetes/api/json.h"

namespace ym::kubernetes::testing {
namespace {

std::vector<std::string> environment(const json::value& pod, const std::filesystem::path& home) {
  std::vector<std::string> env{fmt::format("PATH={}", std::getenv("PATH"))};
  for (const auto& variable : list_at(pod, "/spec/containers/0/env")) {
    const auto name = text_at(variable, "/name");
    // Skips values that only a kubelet knows, and paths inside the container.
    if (!name.empty() && find(variable, "/value") != nullptr && name != "YM_TASK_DIR")
      env.push_back(name + "=" + text_at(variable, "/value"));
  }
  env.push_back("YM_TASK_ADDRESS=127.0.0.1");
  env.push_back("YM_TASK_NODE=" + text_at(pod, "/spec/nodeName"));
  env.push_back("YM_TASK_DIR=" + home.string());
  env.push_back("YM_TASK_MESSAGES=/dev/null");
  return env;
}

pid_t spawn(const std::filesystem::path& program, std::vector<std::string> env) {
  std::string name = program.filename();
  char* words[] = {name.data(), nullptr};
  std::vector<char*> variables;
  for (auto& each : env) variables.push_back(each.data());
  variables.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  for (const int stream : {1, 2}) ::posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int failed = ::posix_spawn(&pid, program.c_str(), &files, nullptr, words, variables.data());
  ::posix_spawn_file_actions_destroy(&files);
  return failed == 0 ? pid : 0;
}

}  // namespace

PodProcesses::PodProcesses(const KubeLab& lab, std::string name_space, std::filesystem::path agent,
                           std::filesystem::path folder)
    : lab_(lab), name_space_(std::move(name_space)), agent_(std::move(agent)), folder_(std::move(folder)) {
  thread_ = std::thread([this] { run(); });
}

PodProcesses::~PodProcesses() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
  for (const auto pid : processes_) ::kill(pid, SIGTERM);
  for (const auto pid : processes_) ::waitpid(pid, nullptr, 0);
}

void PodProcesses::run() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    lock.unlock();
    look();
    lock.lock();
    changed_.wait_for(lock, std::chrono::milliseconds(500), [this] { return over_; });
  }
}

void PodProcesses::look() {
  const auto listed = parse_json(
      lab_.kubectl("get --raw '/api/v1/namespaces/" + name_space_ + "/pods?fieldSelector=status.phase=Running'"));
  if (!listed) return;
  for (const auto& pod : list_at(*listed, "/items"))
    if (begun_.insert(text_at(pod, "/metadata/uid")).second) begin(pod);
}

void PodProcesses::begin(const json::value& pod) {
  const auto home = folder_ / text_at(pod, "/metadata/uid");
  std::filesystem::create_directory(home);
  if (const auto pid = spawn(agent_, environment(pod, home)); pid != 0) processes_.push_back(pid);
}

}  // namespace ym::kubernetes::testing
