// LocalExecutor: launches and releases.
#include "executor/local/executor_impl.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <unistd.h>
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "executor/local/attempt/boot_time.h"
#include "executor/local/attempt/checksum.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/cleanup/retention.h"
#include "executor/local/host_capabilities.h"
#include "executor/local/launch_plan.h"
#include "executor/local/log_reader.h"
#include "executor/local/lost_launches.h"

namespace ym::local {
namespace {

// Servers that start together must not begin at the same port.
std::uint64_t port_seed(const std::filesystem::path& state_dir) {
  std::error_code ignored;
  const auto path = std::filesystem::absolute(state_dir, ignored).string();
  return checksum(path) ^ static_cast<std::uint64_t>(boot_now());
}

bool has_begun(const LiveAttempt& attempt) {
  return std::ranges::any_of(attempt.tasks, [](const TaskStatus& task) {
    return task.state == TaskState::running || (task.exit && task.exit->by != EndedBy::start_failed);
  });
}

// Enough for a short lack of descriptors or memory to pass.
constexpr int kMostLooks = 6;

Token token_of(const Token& token) { return token; }
Token token_of(const auto& entry) { return entry.first; }

// A token without an epoch matches any known launch of the attempt.
bool is_among(const Token& token, const auto& known) {
  if (token.epoch != 0) return known.contains(token);
  const auto next = known.lower_bound(token);
  return next != known.end() && token_of(*next).key() == token.key();
}

}  // namespace

LocalExecutor::LocalExecutor(LocalOptions options, const Clock& clock)
    : options_(std::move(options)),
      clock_(clock),
      cgroups_(detect_cgroups()),
      boot_epochs_(boot_id()),
      stops_(boot_epochs_),
      ports_(port_seed(options_.state_dir)),
      devices_(loop_, options_,
               [this](DevicesAreUnhealthy seen) {
                 lost_.join(seen);
                 report({Token{}, std::move(seen)});
               }),
      lost_({.loop = loop_,
             .options = options_,
             .devices = devices_,
             .may_live = [this](const Token& token) { return may_live(token); },
             .nothing_lives = [this](const Token& token) { return nothing_lives(token); },
             .report = [this](DevicesAreUnhealthy seen) { report({Token{}, std::move(seen)}); },
             .has_ended = [this](const AttemptKey& attempt) { mark_if_over(attempt); }}),
      services_{.loop = loop_,
                .options = options_,
                .clock = clock_,
                .report = [this](Observation o) { report(std::move(o)); },
                .is_stopped = [this](const Token& token) { return stops_.contains(token); },
                .may_live = [this](const Token& token) { return may_live(token); },
                .others_may_live = [this](const Token& token, const auto& but) { return others_may_live(token, but); },
                .nonce_may_live =
                    [this](const std::string& nonce) {
                      const auto* living = living_processes();
                      return !living || living->nonces.contains(nonce);
                    },
                .supervisor_of =
                    [this](const AttemptKey& attempt, std::int32_t task) {
                      const auto* living = living_processes();
                      return living ? living->supervisor_of(attempt, task, options_.state_dir) : std::nullopt;
                    },
                .kill = [this](const Token& token) { kill_what_is_seen(token); },
                .devices = devices_,
                .state_id = {}},
      janitor_(options_.state_dir, options_.retention, clock) {}

LocalExecutor::~LocalExecutor() { loop_.stop(); }

Result<void> LocalExecutor::start(ObservationSink sink, std::span<const LiveAttempt> live) {
  if (::access(options_.supervisor.c_str(), X_OK) != 0)
    return std::unexpected(os_error("the supervisor program " + options_.supervisor.string()));
  if (auto opened = open_state(); !opened) return opened;
  sink_ = std::move(sink);
  auto looked = post_first_look(live);
  std::set<AttemptKey> keys;
  for (const auto& attempt : live) {
    know_live(attempt);
    keys.insert(attempt.token().key());
    if (has_begun(attempt)) begun_.insert(attempt.token());
    loop_.post([this, token = attempt.token()] { find_or_say_unknown(token); });
  }
  loop_.post([this] { devices_.start(); });
  loop_.start();
  if (auto held = looked.get(); !held) return held;  // before that nothing may be launched
  janitor_.start(std::move(keys),
                 [this](AttemptKey attempt) { loop_.post([this, attempt] { mark_if_over(attempt); }); });
  return {};
}

Result<std::vector<Node>> LocalExecutor::inventory() {
  auto nodes = options_.nodes.empty() ? std::vector<Node>{devices_.node()} : options_.nodes;
  for (auto& node : nodes) node.cluster = options_.cluster;
  lost_.mark(nodes);
  return nodes;
}

void LocalExecutor::launch(LaunchRequest request) {
  loop_.post([this, request = std::move(request)] { prepare_launch(request); });
}

// A token that arrives for an unknown attempt is delivered again early enough: tokens are renewed long before they
// expire.
void LocalExecutor::deliver(const Token& token, const Secret& job_token) {
  loop_.post([this, token, job_token] {
    if (const auto it = runs_.find(token); it != runs_.end()) it->second->deliver(job_token);
  });
}

Result<LogChunk> LocalExecutor::read_log(const LogQuery& query) { return read_task_log(options_.state_dir, query); }

void LocalExecutor::release(const Token& token) {
  loop_.post([this, token] { do_release(token); });
}

std::map<std::string, std::string> LocalExecutor::enforcement() const { return describe_enforcement(cgroups_); }

void LocalExecutor::prepare_launch(const LaunchRequest& request) {
  if (runs_.contains(request.token)) return;
  find_checkpoint(
      loop_, {.candidates = request.checkpoints, .workdir = request.spec->workdir, .timeout = options_.probe_timeout},
      [this, request](const Resume& resume) { do_launch(request, resume); });
}

void LocalExecutor::do_launch(const LaunchRequest& request, const Resume& resume) {
  const auto& token = request.token;
  if (runs_.contains(token)) return;
  if (adopted_.contains(token)) return find_or_say_unknown(token);
  // Also while the folder cannot be read. But for an earlier boot it is unknown whether the attempt has run.
  if (stops_.contains(token) && is_of_earlier_boot(token) == Result<bool>(false)) {
    refuse(token, {.message = kStoppedBefore});
    return;
  }
  if (find(token) != Found::nothing) return;
  const auto marked = mark_epoch(token.epoch);
  auto folder = marked ? make_folders(state_folder_.get(), attempt_path(token.key()))
                       : Result<Fd>(std::unexpected(marked.error()));
  if (!folder) {
    refuse(token, {.message = folder.error().message, .of_executor = true});
    return;
  }
  const Fd kept{::fcntl(folder->get(), F_DUPFD_CLOEXEC, 0)};
  if (const auto launched = launch_fresh(request, resume, std::move(*folder)); !launched) {
    // The record may exist although writing it failed: no supervisor may act on it.
    static_cast<void>(decide(kept.get(), release_because(StopCause::start_timeout)));
    const bool invalid = launched.error().code == ErrorCode::invalid;
    refuse(token, {.message = launched.error().message, .permanent = invalid, .of_executor = !invalid});
  }
}

// One port for all tasks, or one for each group; 0 if the launcher needs none or can do without.
std::optional<std::vector<std::uint16_t>> LocalExecutor::take_ports(const JobSpec& spec) {
  std::vector<std::uint16_t> ports;
  for (std::size_t part = 0; part < std::max<std::size_t>(spec.groups.size(), 1); ++part) {
    const JobSpec own = spec.groups.empty() ? spec : spec.of_group(part);
    auto taken = may_use_port(own) ? ports_.take() : std::optional<std::uint16_t>(0);
    if (!taken && !needs_port(own.launcher)) taken = 0;
    if (!taken) {
      give_back(ports);
      return std::nullopt;
    }
    ports.push_back(*taken);
  }
  return ports;
}

Result<void> LocalExecutor::launch_fresh(const LaunchRequest& request, const Resume& resume, Fd folder) {
  const auto ports = take_ports(*request.spec);
  if (!ports) return fail(ErrorCode::unavailable, "every port for rendezvous is in use");
  auto launched = plan_launch(
      request,
      {.options = options_, .cgroups = cgroups_, .state_id = services_.state_id, .ports = *ports, .resume = resume});
  if (!launched) {
    give_back(*ports);
    return std::unexpected(launched.error());
  }
  const int attempt_folder = folder.get();
  auto run = std::make_shared<AttemptRun>(services_, request.token, std::move(folder));
  auto ready = run->open(*launched);
  if (ready && request.contact) ready = replace_file(attempt_folder, kTokenFile, request.contact->token.reveal());
  if (ready) ready = replace_file(attempt_folder, kLaunchFile, encode(*launched));
  if (!ready) {
    give_back(*ports);
    return ready;
  }
  runs_[request.token] = run;
  living_.reset();  // the list was made before this launch
  run->begin(AttemptRun::Origin::fresh);
  return {};
}

void LocalExecutor::do_release(const Token& token) {
  const auto run = runs_.extract(token);
  if (run) give_back(run.mapped()->ports);
  stops_.erase(token);
  begun_.erase(token);
  adopted_.erase(token);
  kill_at_.erase(token);
  retries_.erase(token);
  if (!run && is_foreign(token)) return;
  // Without the mark the attempt only stays until the next start.
  static_cast<void>(mark_released(options_.state_dir, token.key(), clock_.now()));
}

// Whether the folder of the attempt is of another launch: then this token must not free it.
bool LocalExecutor::is_foreign(const Token& token) const {
  const auto folder = open_folder(state_folder_.get(), attempt_path(token.key()));
  const auto launch = folder ? read_launch(folder->get()) : std::unexpected(folder.error());
  return launch && launch->token != token;
}

// Attempts that this server knows are marked when control releases them.
void LocalExecutor::mark_if_over(const AttemptKey& attempt) {
  const auto next = runs_.lower_bound(Token{attempt.job, attempt.number, 0});
  const bool known =
      (next != runs_.end() && next->first.key() == attempt) || stops_.contains(attempt) || lost_.holds(attempt);
  if (!known && is_over(options_.state_dir, attempt))
    static_cast<void>(mark_released(options_.state_dir, attempt, clock_.now()));
}

void LocalExecutor::report(Observation observation) {
  const auto token = observation.token;
  sink_(std::move(observation));
  const auto it = runs_.find(token);
  if (it != runs_.end() && it->second->ended()) give_back(std::exchange(it->second->ports, {}));
}

// An attempt that has run is never refused, even if no trace is left.
LocalExecutor::Found LocalExecutor::refuse(const Token& token, LaunchRefused refusal) {
  if (begun_.contains(token)) {
    const bool gone = nothing_lives(token);
    report({token, TokenIsUnknown{.nothing_lives = gone, .may_have_run = true}});
    if (!gone) retry_later(token, std::nullopt);
    return Found::over;
  }
  report({token, std::move(refusal)});
  return Found::refused;
}

Result<std::vector<LostLaunch>> LocalExecutor::lost_launches() {
  std::vector<LostLaunch> lost;
  if (!is_lost_) return lost;
  if (auto opened = open_state(); !opened) return std::unexpected(opened.error());
  const auto living = look_for_living();
  if (!living) return std::unexpected(living.error());
  auto found = find_lost(
      {.state_dir = options_.state_dir, .state_id = services_.state_id, .living = *living, .is_lost = is_lost_});
  if (!found) return std::unexpected(found.error());
  for (auto& one : *found) lost.push_back(std::move(one.launch));
  return lost;
}

void LocalExecutor::know_live(const LiveAttempt& attempt) {
  const auto& token = attempt.token();
  if (attempt.adopted) adopted_.insert(token);
  // If the state was set back, the attempt may have ended and been released before.
  unmark_released(options_.state_dir, token.key());
}

// Ready when lost launches were found, or after the last try.
std::future<Result<void>> LocalExecutor::post_first_look(std::span<const LiveAttempt> live) {
  auto look = std::make_shared<FirstLook>();
  for (const auto& attempt : live) look->live.insert(attempt.token());
  loop_.post([this, look] { look_for_lost(look); });
  return look->done.get_future();
}

// Until it is known what lives, no device may be given to a job.
void LocalExecutor::look_for_lost(const std::shared_ptr<FirstLook>& look) {
  const auto held = hold_lost(look->live);
  if (held) return look->done.set_value({});
  const auto why =
      "this machine cannot be searched for launches that the server's state does not know: " + held.error().message;
  spdlog::warn("{}", why);
  if (++look->tries == kMostLooks)
    return look->done.set_value(
        fail(held.error().code, why + ". Their devices could be given to other jobs. Start the server again"));
  loop_.after(options_.retry_pause, [this, look] { look_for_lost(look); });
}

Result<void> LocalExecutor::hold_lost(const std::set<Token>& live) {
  if (!is_lost_) return {};
  const auto* living = living_processes();
  if (!living) return fail(ErrorCode::io, "the processes of this machine cannot be listed");
  const auto is_known = [&](const Token& token) { return is_among(token, live) || is_among(token, runs_); };
  const IsLost is_lost = [&](const Token& token) { return !is_known(token) && is_lost_(token); };
  const auto found = find_living_lost(
      {.state_dir = options_.state_dir, .state_id = services_.state_id, .living = *living, .is_lost = is_lost});
  if (!found) return std::unexpected(found.error());
  for (const auto& one : *found) unmark_released(options_.state_dir, one.launch.token.key());
  lost_.hold(*found);
  return {};
}

}  // namespace ym::local
