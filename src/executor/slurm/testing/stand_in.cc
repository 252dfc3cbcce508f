#include "executor/slurm/testing/stand_in.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>

namespace ym::slurm::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kScript = R"sh(#!/bin/sh
task=$((YM_TASK_BASE + ${SLURM_PROCID:-0}))
id="$YM_LAUNCH_TOKEN.$task"
nonce="$SLURM_JOB_ID-$$-$(cut -c1-8 /proc/sys/kernel/random/uuid)"
name="$id.$nonce"
echo "$YM_LAUNCH_TOKEN $task $nonce $SLURMD_NODENAME" > "$box/tmp.$nonce"
mv "$box/tmp.$nonce" "$box/claim/$name"
while [ ! -e "$box/go/$name" ]; do
  [ -e "$box/no/$name" ] && exit 125
  sleep 0.05
done
echo "$id $SLURMD_NODENAME $CUDA_VISIBLE_DEVICES" >> "$box/ran"
export task box
sh "$box/code" & child=$!
trap 'kill -TERM $child' TERM
wait $child; code=$?
while kill -0 $child 2>/dev/null; do wait $child; code=$?; done
echo $code > "$box/tmp.$nonce"
mv "$box/tmp.$nonce" "$box/ended/$name"
exit $code
)sh";

Instant wall_now() {
  return {std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
              .count()};
}

void touch(const fs::path& file) { std::ofstream(file).close(); }

}  // namespace

StandIn::StandIn(fs::path folder) : folder_(std::move(folder)) {
  for (const char* name : {"claim", "go", "no", "ended", "logs"}) fs::create_directories(folder_ / name);
  std::string script{kScript};
  script.insert(script.find('\n') + 1, fmt::format("box='{}'\n", folder_.string()));
  std::ofstream(agent_path()) << script;
  fs::permissions(agent_path(), fs::perms{0755});
  code("exit 0");
}

StandIn::~StandIn() { hush(); }

void StandIn::code(const std::string& script) const { std::ofstream(folder_ / "code") << script << '\n'; }

std::vector<std::string> StandIn::ran() const {
  std::ifstream in(folder_ / "ran");
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void StandIn::serve(TaskLink& link) {
  hush();
  over_ = false;
  carrier_ = std::thread([this, &link] { carry(link); });
}

void StandIn::hush() {
  over_ = true;
  if (carrier_.joinable()) carrier_.join();
}

void StandIn::carry(TaskLink& link) {
  while (!over_) {
    find_claims();
    for (auto& [name, task] : tasks_) visit(name, task, link);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void StandIn::find_claims() {
  for (const auto& entry : fs::directory_iterator(folder_ / "claim")) {
    const auto name = entry.path().filename().string();
    if (tasks_.contains(name)) continue;
    std::string token, nonce, node;
    std::int32_t number = 0;
    std::ifstream(entry.path()) >> token >> number >> nonce >> node;
    const auto parsed = parse_token(token);
    if (!parsed) continue;
    Task task{.key = {parsed->key(), number}};
    task.report = {.token = *parsed, .nonce = nonce, .claim = {.nonce = nonce, .address = "127.0.0.1", .node = node}};
    tasks_.emplace(name, std::move(task));
  }
}

// Repeated each second, as an agent does to show that it lives.
void StandIn::visit(const std::string& name, Task& task, TaskLink& link) const {
  const auto before = task.report.state;
  if (before != remote::TaskReport::State::ended && fs::exists(folder_ / "ended" / name)) {
    std::int32_t code = 0;
    std::ifstream(folder_ / "ended" / name) >> code;
    task.report.state = remote::TaskReport::State::ended;
    task.report.exit = TaskExit{.by = EndedBy::exit, .exit_code = code, .at = wall_now()};
  }
  const auto now = wall_now();
  if (task.report.state == before &&
      now - task.told < Duration{task.told.ms == 0 || before == remote::TaskReport::State::waiting ? 50 : 1000})
    return;
  task.told = now;
  const auto answer = link.report(task.key, remote::encode(task.report));
  if (!answer) {
    const bool must_end = answer.error().code == ErrorCode::not_found || answer.error().code == ErrorCode::conflict;
    if (must_end) touch(folder_ / "no" / name);
    return;
  }
  const auto orders = remote::decode_orders(*answer);
  if (!orders) return;
  if (orders->barrier == remote::TaskOrders::Barrier::release) touch(folder_ / "no" / name);
  if (orders->barrier != remote::TaskOrders::Barrier::go || before != remote::TaskReport::State::waiting) return;
  touch(folder_ / "go" / name);
  task.report.state = remote::TaskReport::State::running;
}

}  // namespace ym::slurm::testing
