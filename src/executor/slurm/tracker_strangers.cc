// Tracker: this instance's jobs that no known attempt wants, and whether another server leads.
#include <fmt/format.h>

#include <algorithm>

#include "executor/slurm/part_comment.h"
#include "executor/slurm/tracker.h"
#include "executor/slurm/wakers.h"

namespace ym::slurm {
namespace {

constexpr std::size_t kMostStrangers = 10'000;

}  // namespace

void Tracker::note_epochs(std::uint64_t ours, std::uint64_t seen) {
  const bool waited = !may_submit();
  own_epoch_ = std::max(own_epoch_, ours);
  seen_epoch_ = seen;
  if (waited && may_submit()) submit_waiting();
}

void Tracker::submit_waiting() {
  for (const auto& [name, job] : jobs_)
    if (job.stage == Stage::queued && job.wanted) actions_.submit.push_back(name);
}

// A server without contact to its database does not learn that another has taken over; a job of the other one is proof.
void Tracker::look_who_leads(const std::vector<JobRow>& rows) {
  std::uint64_t seen = 0;
  for (const auto& row : rows) {
    if (!is_ours(row.comment, rules_.instance)) continue;
    const auto token = token_of_part(row.name, rules_.instance);
    seen = std::max(seen, token ? token->epoch : epoch_of_waker(row, rules_.instance));
  }
  note_epochs(own_epoch_, seen);
  if (!is_replaced() || noted_epoch_ == seen) return;
  noted_epoch_ = seen;
  actions_.notes.push_back(
      fmt::format("a job of epoch {} exists, newer than this server's {}: another server leads. While that job exists, "
                  "this server submits and cancels no jobs",
                  seen, own_epoch_));
}

// The token of a job of this instance that waits or runs, and that no known attempt wants.
std::optional<Token> Tracker::stranger(const JobRow& row) const {
  if (!is_live(row) || !is_ours(row.comment, rules_.instance) || jobs_.contains(row.name)) return std::nullopt;
  auto token = token_of_part(row.name, rules_.instance);
  if (token && tokens_.contains(*token) && !released_.contains(*token)) token.reset();
  return token;
}

std::vector<Token> Tracker::active_strangers(const std::vector<JobRow>& rows) const {
  std::vector<Token> tokens;
  for (const auto& row : rows)
    if (const auto token = phase_of(row.state) == Phase::active ? stranger(row) : std::nullopt)
      tokens.push_back(*token);
  return tokens;
}

bool Tracker::is_let_be(const Token& token, const JobRow& row) {
  if (phase_of(row.state) != Phase::active || !is_lost_) return false;
  const auto lost = is_lost_(token);
  if (!lost || !*lost) return !lost;
  if (let_be_.size() < kMostStrangers && let_be_.insert(row.id).second)
    actions_.notes.push_back(
        fmt::format("{}: this server's state does not know its launch; it is left alone", row.name));
  return true;
}

// Cancels this instance's jobs that no known attempt wants, by their comments and names: for example, cancelled jobs
// that came back after a crash of the controller. A newer server's jobs are its own, and while there is one, all jobs
// are. Jobs of a live attempt may be parts that would be cut differently now. Of a lost launch only waiting jobs are
// cancelled: their barrier will never open.
void Tracker::clear_strangers(const std::vector<JobRow>& rows, Instant asked) {
  constexpr Duration kPause = seconds(30);
  if (is_replaced()) return;
  std::erase_if(strangers_, [&](const auto& entry) { return asked - entry.second > kPause; });
  for (const auto& row : rows) {
    const auto token = stranger(row);
    if (!token || is_let_be(*token, row)) continue;
    if (strangers_.size() >= kMostStrangers || !strangers_.emplace(row.id, asked).second) continue;
    actions_.notes.push_back(fmt::format("{}: no attempt wants it any more; it is cancelled", row.name));
    actions_.cancel.push_back(row.id);
  }
}

}  // namespace ym::slurm
