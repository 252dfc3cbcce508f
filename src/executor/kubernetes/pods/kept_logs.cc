#include "executor/kubernetes/pods/kept_logs.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <vector>

#include "base/whole_number.h"
#include "executor/kubernetes/pods/pod_log.h"

namespace ym::kubernetes {
namespace {

namespace fs = std::filesystem;

constexpr Duration kTimeout = seconds(10);

std::optional<AttemptKey> key_of(const fs::path& attempt) {
  const auto job = parse_job_id(attempt.parent_path().filename().string());
  const auto number = whole_number<std::int32_t>(attempt.filename().string());
  if (!job || !number) return std::nullopt;
  return AttemptKey{*job, *number};
}

// When its newest part was written.
Instant age_of(const fs::path& attempt) {
  Instant last;
  std::error_code error;
  for (fs::directory_iterator it{attempt, error}, end; !error && it != end; it.increment(error)) {
    struct stat about{};
    if (::lstat(it->path().c_str(), &about) == 0) last = std::max(last, Instant{about.st_mtim.tv_sec * 1000});
  }
  return last;
}

}  // namespace

fs::path KeptLogs::file_of(const AttemptKey& attempt, std::int32_t task) const {
  return folder_ / to_string(attempt.job) / std::to_string(attempt.number) / fmt::format("{}.log", task);
}

// While it lives, no other thread writes that log.
class KeptLogs::Turn {
 public:
  Turn(KeptLogs& logs, const Log& log) : logs_(logs), log_(log) {
    std::unique_lock lock(logs_.mutex_);
    logs_.written_.wait(lock, [this] { return logs_.writing_.insert(log_).second; });
  }
  ~Turn() {
    {
      const std::lock_guard lock(logs_.mutex_);
      logs_.writing_.erase(log_);
    }
    logs_.written_.notify_all();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  KeptLogs& logs_;
  const Log log_;
};

Result<void> KeptLogs::save(ApiClient& client, const std::string& pod, const AttemptKey& attempt, std::int32_t task) {
  if (folder_.empty()) return {};
  const Turn turn(*this, Log(attempt, task));
  return save_pod_log(client, pod, file_of(attempt, task), {.most_bytes = most_bytes_, .timeout = kTimeout});
}

Result<LogChunk> KeptLogs::read(const LogQuery& query) const {
  if (folder_.empty()) return fail(ErrorCode::not_found, "there is no log: its pod is not there");
  return read_saved_log(file_of(query.attempt, query.task), query);
}

std::size_t KeptLogs::sweep(const RetentionRules& rules, const std::set<AttemptKey>& live, Instant now) const {
  std::vector<fs::path> attempts;
  std::vector<RetainedFiles> retained;
  for (const auto& job : folders_in(folder_))
    for (auto& attempt : folders_in(job)) {
      const auto key = key_of(attempt);
      if (!key || live.contains(*key)) continue;
      retained.push_back({.since = age_of(attempt), .bytes = bytes_below(attempt)});
      attempts.push_back(std::move(attempt));
    }
  const auto due = due_for_removal(retained, rules, now);
  std::error_code error;
  for (const auto i : due) {
    fs::remove_all(attempts[i], error);
    fs::remove(attempts[i].parent_path(), error);  // the folder of the job, if this was its last attempt
  }
  return due.size();
}

}  // namespace ym::kubernetes
