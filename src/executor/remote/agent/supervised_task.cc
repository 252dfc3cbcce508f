#include "executor/remote/agent/supervised_task.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/process_tree.h"

namespace ym::remote {
namespace {

constexpr Duration kRoundPause{20};
// A process may fork and die between two looks at /proc.
constexpr int kQuietRounds = 2;

// Orphans of a dead supervisor become children of this process.
void reap_orphans() {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

bool anything_lives() {
  const auto all = local::all_processes();
  return !all || !local::descendants(::getpid(), *all).empty();
}

}  // namespace

SupervisedTask::SupervisedTask(local::EventLoop& loop, WaitingSupervisor& waiting, const TaskFolder& folder,
                               Listener listener)
    : loop_(loop), waiting_(waiting), folder_(folder), listener_(std::move(listener)) {}

SupervisedTask::~SupervisedTask() = default;

Result<void> SupervisedTask::start(const local::LaunchRecord& record) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (auto written = local::replace_file(folder_.attempt.get(), local::kLaunchFile, local::encode(record)); !written)
    return written;
  auto link = waiting_.give_task(loop_, folder_.task_path());
  if (!link) return std::unexpected(link.error());
  link_ = std::move(*link);
  watch_ = loop_.watch(link_.get(), [this] { on_readable(); });
  return {};
}

void SupervisedTask::stop(const StopRequest& request) {
  stop_ = request;
  if (!link_) return;
  local::close_barrier(folder_.attempt.get(), request.cause);
  if (greeted_) local::send_line(link_.get(), local::stop_line(request));
}

void SupervisedTask::on_readable() {
  std::vector<std::string> lines;
  const bool open = reader_.read(link_.get(), lines);
  for (const auto& line : lines) on_line(line);
  if (open || !link_) return;
  loop_.forget(watch_);
  link_.reset();
  on_closed();
}

void SupervisedTask::on_line(const std::string& line) {
  if (line.starts_with("failed ")) failure_ = line.substr(7);
  if (auto report = local::parse_progress(line)) listener_.said(std::move(*report));
  if (auto told = local::parse_end(line)) told_ = std::move(*told);
  if (line == "running") {
    ran_ = true;
    listener_.running();
  }
  if (greeted_ || !line.starts_with("ym-supervisor ")) return;
  greeted_ = true;
  if (stop_) local::send_line(link_.get(), local::stop_line(*stop_));
}

// The supervisor has closed the connection. Its record counts, or its last line if the record could not be stored;
// without both it was killed.
void SupervisedTask::on_closed() {
  const auto claim = local::read_claim(folder_.task.get());
  auto record = claim ? local::read_exit(folder_.task.get(), *claim) : std::unexpected(claim.error());
  if (record) return end(std::move(*record));
  if (told_) return end(std::move(*told_));
  end_leftovers();
}

void SupervisedTask::end_leftovers() {
  local::kill_descendants(::getpid());
  reap_orphans();
  quiet_rounds_ = anything_lives() ? 0 : quiet_rounds_ + 1;
  if (quiet_rounds_ < kQuietRounds) return loop_.after(kRoundPause, [this] { end_leftovers(); });
  const bool begun = ran_ || greeted_;
  end({.exit = {.by = begun ? EndedBy::lost : EndedBy::start_failed,
                .message = begun ? "its supervisor was killed; its remaining processes have ended"
                                 : "its supervisor could not begin" + (failure_.empty() ? "" : ": " + failure_)}});
}

void SupervisedTask::end(local::ExitRecord record) { listener_.ended(std::move(record)); }

}  // namespace ym::remote
