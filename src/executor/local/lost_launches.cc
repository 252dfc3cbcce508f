#include "executor/local/lost_launches.h"

#include <fcntl.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "executor/local/attempt/cgroup.h"
#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/launch_barrier.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"

namespace ym::local {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnreadable = ", which cannot be read";

Error unseen(const fs::path& folder, const std::error_code& error) {
  return {.code = ErrorCode::io, .message = "look through " + folder.string() + ": " + error.message()};
}

bool is_absent(const std::error_code& error) { return error == std::errc::no_such_file_or_directory; }

enum class Entries : std::uint8_t { folders, all };

// Empty if there is no such folder. A link is not a folder.
Result<std::vector<fs::path>> entries_below(const fs::path& folder, Entries which) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it{folder, error}, end; !error && it != end; it.increment(error)) {
    std::error_code unknown;
    if (which == Entries::all || (!it->is_symlink(unknown) && it->is_directory(unknown))) found.push_back(it->path());
    if (unknown && !is_absent(unknown)) return std::unexpected(unseen(it->path(), unknown));
  }
  if (error && !is_absent(error)) return std::unexpected(unseen(folder, error));
  return found;
}

// The folders of all attempts of all jobs, and files that jobs have put in their place.
Result<std::vector<fs::path>> all_folders(const fs::path& state_dir) {
  std::vector<fs::path> level{state_dir / kAttemptsFolder};
  for (const auto which : {Entries::folders, Entries::folders, Entries::all}) {
    std::vector<fs::path> next;
    for (const auto& folder : level) {
      auto below = entries_below(folder, which);
      if (!below) return std::unexpected(below.error());
      std::ranges::move(*below, std::back_inserter(next));
    }
    level = std::move(next);
  }
  return level;
}

std::string task_file(std::int32_t task, const char* name) { return std::to_string(task) + "/" + name; }

// A supervisor or user code has been there.
bool has_trace(int attempt_folder, std::int32_t tasks) {
  for (std::int32_t task = 0; task < tasks; ++task)
    for (const char* name : {kClaimFile, kStartedFile, kLogFile, kExitFile})
      if (exists(attempt_folder, task_file(task, name).c_str())) return true;
  return false;
}

bool task_lives(int task_folder) {
  const auto claim = read_claim(task_folder);
  if (!claim) return claim.error().code == ErrorCode::io;
  if (claim->supervisor.boot != boot_id()) return false;
  const auto members = TaskCgroup{claim->cgroups}.members();
  const auto leader = read_started(task_folder, *claim);
  if (!members || !members->empty() || !leader) return true;
  const auto may_live = [](const ProcessIdentity& process) { return lives(process).value_or(true); };
  return may_live(claim->supervisor) || (*leader && may_live(**leader));
}

class Search {
 public:
  explicit Search(const LostSearch& search)
      : search_(search),
        launched_(search.living.launched_by(search.state_id)),
        supervised_(search.living.supervised_below(search.state_dir)) {}

  Result<void> look_at_all(const std::vector<fs::path>& folders) {
    for (const auto& folder : folders)
      if (const auto key = attempt_at(folder.string()))
        if (auto looked = look_at(*key); !looked) return looked;
    add_what_has_no_folder();
    return {};
  }

  Result<void> look_at_what_lives() {
    for (const auto& [token, process] : launched_)
      if (auto looked = look_at(token.key()); !looked) return looked;
    for (const auto& [key, process] : supervised_)
      if (auto looked = look_at(key); !looked) return looked;
    add_what_has_no_folder();
    return {};
  }

  std::vector<FoundLaunch> result() && {
    std::ranges::sort(found_, {}, [](const FoundLaunch& found) { return found.launch.token; });
    return std::move(found_);
  }

 private:
  Result<void> look_at(const AttemptKey& key) {
    if (!visited_.insert(key).second) return {};
    const auto folder = open_folder(AT_FDCWD, (search_.state_dir / attempt_path(key)).string());
    if (!folder && folder.error().code == ErrorCode::not_found) return {};
    if (!folder) return add_unreadable(key, token_by_process(key));
    const auto launch = read_launch(folder->get());
    if (launch && launch->token.key() == key) {
      add_launched(*launch, folder->get());
      return {};
    }
    if (!launch && launch.error().code == ErrorCode::io)
      return add_unreadable(key, token_of(key, folder->get(), count_tasks(folder->get())));
    const bool was_there = launch || launch.error().code != ErrorCode::not_found;
    return add_without_launch(key, folder->get(), was_there);
  }

  // A job may leave its folder unreadable, and the others can still be read. But if nothing can be opened any more,
  // none of them can.
  Result<void> add_unreadable(const AttemptKey& key, const Token& token) {
    if (const auto above = open_folder(AT_FDCWD, (search_.state_dir / ".").string()); !above)
      return std::unexpected(above.error());
    seen_.insert(token);
    if (search_.is_lost(token)) add_without_record(token, true, attempt_path(key) + kUnreadable);
    return {};
  }

  // After all folders.
  void add_what_has_no_folder() {
    for (const auto& [token, process] : launched_)
      if (seen_.insert(token).second && search_.is_lost(token)) add_process(token, process);
    for (const auto& [key, process] : supervised_) {
      const auto known = seen_.lower_bound(Token{key.job, key.number, 0});
      if (known != seen_.end() && known->key() == key) continue;
      const Token token{key.job, key.number, 0};
      if (search_.is_lost(token)) add_process(token, process);
    }
  }

  bool lives(const Token& token, int folder, std::int32_t tasks) const {
    return supervised_.contains(token.key()) || launched_.contains(token) || lives_by_folder(folder, tasks);
  }

  void add_launched(const LaunchRecord& launch, int folder) {
    const Token& token = launch.token;
    seen_.insert(token);
    if (!search_.is_lost(token)) return;
    FoundLaunch found{.launch = {.token = token,
                                 .placement = launch.placement,
                                 .lives = lives(token, folder, launch.tasks),
                                 .where = attempt_path(token.key())}};
    for (std::int32_t task = 0; task < launch.tasks; ++task)
      std::ranges::move(launch.devices_of(task), std::back_inserter(found.devices));
    found_.push_back(std::move(found));
  }

  // An attempt that was stopped at the barrier, or was never handed over, has not run.
  Result<void> add_without_launch(const AttemptKey& key, int folder, bool was_there) {
    const auto decision = read_decision(folder);
    const auto tasks = count_tasks(folder);
    const Token token = token_of(key, folder, tasks);
    if (!decision) return add_unreadable(key, token);
    seen_.insert(token);
    const bool is_alive = lives(token, folder, tasks);
    const bool may_have_run = *decision ? *decision == kGo : was_there || has_trace(folder, tasks);
    if ((!is_alive && !may_have_run) || !search_.is_lost(token)) return {};
    add_without_record(token, is_alive, attempt_path(key));
    return {};
  }

  // By its claims, or by its processes.
  Token token_of(const AttemptKey& key, int folder, std::int32_t tasks) const {
    for (std::int32_t task = 0; task < tasks; ++task) {
      const auto opened = open_folder(folder, std::to_string(task));
      const auto claim = opened ? read_claim(opened->get()) : std::unexpected(opened.error());
      if (claim && claim->token.key() == key) return claim->token;
    }
    return token_by_process(key);
  }

  Token token_by_process(const AttemptKey& key) const {
    const Token first{key.job, key.number, 0};
    const auto living = launched_.lower_bound(first);
    return living != launched_.end() && living->first.key() == key ? living->first : first;
  }

  std::vector<std::string> devices_of(const Token& token) const {
    const auto known = search_.living.devices.find({to_string(token), search_.state_id});
    if (known == search_.living.devices.end()) return {};
    return {known->second.begin(), known->second.end()};
  }

  void add_process(const Token& token, const ProcessStat& process) {
    add_without_record(token, true, "process " + std::to_string(process.pid));
  }

  void add_without_record(const Token& token, bool is_alive, std::string where) {
    found_.push_back(
        {.launch = {.token = token, .placement = {}, .lives = is_alive, .by_record = false, .where = std::move(where)},
         .devices = devices_of(token)});
  }

  const LostSearch& search_;
  const std::map<Token, ProcessStat> launched_;
  const std::map<AttemptKey, ProcessStat> supervised_;
  std::set<AttemptKey> visited_;
  std::set<Token> seen_;  // each token is judged once
  std::vector<FoundLaunch> found_;
};

}  // namespace

bool lives_by_folder(int attempt_folder, std::int32_t tasks) {
  if (is_held(attempt_folder, tasks)) return true;
  for (std::int32_t task = 0; task < tasks; ++task) {
    const auto folder = open_folder(attempt_folder, std::to_string(task));
    if (!folder && folder.error().code == ErrorCode::not_found) continue;
    if (!folder || task_lives(folder->get())) return true;
  }
  return false;
}

Result<std::vector<FoundLaunch>> find_lost(const LostSearch& search) {
  const auto folders = all_folders(search.state_dir);
  if (!folders) return std::unexpected(folders.error());
  Search looking{search};
  if (auto looked = looking.look_at_all(*folders); !looked) return std::unexpected(looked.error());
  return std::move(looking).result();
}

Result<std::vector<FoundLaunch>> find_living_lost(const LostSearch& search) {
  Search looking{search};
  if (auto looked = looking.look_at_what_lives(); !looked) return std::unexpected(looked.error());
  auto found = std::move(looking).result();
  std::erase_if(found, [](const FoundLaunch& one) { return !one.launch.lives; });
  return found;
}

}  // namespace ym::local
