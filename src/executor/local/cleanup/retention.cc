#include "executor/local/cleanup/retention.h"

#include <fcntl.h>

#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/launch_barrier.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"

namespace ym::local {
namespace {

namespace fs = std::filesystem;

std::optional<Instant> released_at(const fs::path& attempt) {
  const auto text = read_file(AT_FDCWD, (attempt / kReleasedFile).c_str(), 64);
  Instant at;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), at.ms).ec != std::errc{}) return std::nullopt;
  return at;
}

std::vector<fs::path> attempt_folders(const fs::path& state_dir) {
  std::vector<fs::path> found;
  for (const auto& hash : folders_in(state_dir / kAttemptsFolder))
    for (const auto& job : folders_in(hash))
      for (auto& attempt : folders_in(job)) found.push_back(std::move(attempt));
  return found;
}

bool have_all_ended(int folder, std::int32_t tasks) {
  for (std::int32_t task = 0; task < tasks; ++task)
    if (!exists(folder, (std::to_string(task) + "/" + kExitFile).c_str())) return false;
  return tasks > 0;
}

// The mark is removed last, so that the next sweep continues one that was interrupted.
bool remove_attempt(const fs::path& folder) {
  std::error_code error;
  for (const auto& task : folders_in(folder)) fs::remove_all(task, error);
  for (const char* file : {kTokenFile, kSpareFile, kLaunchFile, kStopFile, kDecisionFile, kReleasedFile})
    fs::remove(folder / file, error);
  const bool gone = fs::remove_all(folder, error) != static_cast<std::uintmax_t>(-1);
  fs::remove(folder.parent_path(), error);  // the folder of the job, if this was its last attempt
  return gone;
}

}  // namespace

Result<void> mark_released(const fs::path& state_dir, const AttemptKey& attempt, Instant now) {
  const auto folder = open_folder(AT_FDCWD, (state_dir / attempt_path(attempt)).string());
  if (!folder) return {};
  if (exists(folder->get(), kReleasedFile)) return {};
  const auto text = std::to_string(now.ms);
  if (turn_file(folder->get(), kSpareFile, kReleasedFile, text, Flush::no)) return {};
  return replace_file(folder->get(), kReleasedFile, text);
}

void unmark_released(const fs::path& state_dir, const AttemptKey& attempt) {
  std::error_code ignored;
  fs::remove(state_dir / attempt_path(attempt) / kReleasedFile, ignored);
}

std::vector<AttemptKey> unmarked_attempts(const fs::path& state_dir) {
  std::vector<AttemptKey> found;
  for (const auto& attempt : attempt_folders(state_dir)) {
    const auto key = attempt_at(attempt.string());
    if (key && !released_at(attempt)) found.push_back(*key);
  }
  return found;
}

bool is_over(const fs::path& state_dir, const AttemptKey& attempt) {
  const auto folder = open_folder(AT_FDCWD, (state_dir / attempt_path(attempt)).string());
  if (!folder) return false;
  const auto decision = read_decision(folder->get());
  if (!decision) return false;
  if (*decision && (*decision)->verdict == Decision::Verdict::release) return true;
  const auto tasks = count_tasks(folder->get());
  if (have_all_ended(folder->get(), tasks)) return true;
  const auto launch = read_launch(folder->get());
  if (launch) return is_of_earlier_boot(*launch);
  return launch.error().code != ErrorCode::io && !is_held(folder->get(), tasks);
}

void Sweeper::look_for_marked() {
  auto before = std::exchange(marked_, {});
  for (const auto& attempt : attempt_folders(state_dir_)) {
    const auto key = attempt_at(attempt.string());
    const auto at = key ? released_at(attempt) : std::nullopt;
    if (!at) continue;
    const auto known = before.find(*key);
    const bool same = known != before.end() && known->second.released == *at;
    marked_[*key] = {*at, same ? known->second.bytes : bytes_below(attempt)};
  }
}

std::size_t Sweeper::sweep(const RetentionRules& rules, Instant now) {
  look_for_marked();
  std::vector<AttemptKey> keys;
  std::vector<RetainedFiles> retained;
  for (const auto& [key, marked] : marked_) {
    keys.push_back(key);
    retained.push_back({.since = marked.released, .bytes = marked.bytes});
  }
  std::size_t removed = 0;
  for (const auto i : due_for_removal(retained, rules, now))
    if (remove_attempt(state_dir_ / attempt_path(keys[i]))) ++removed;
  return removed;
}

}  // namespace ym::local
