#include "sim/demand/run_time_forecast.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ym::sim {
namespace {

constexpr double kMsOfSecond = 1000;
constexpr Duration kShortest = seconds(1);

}  // namespace

double log2_s(Duration duration) {
  return std::log2(static_cast<double>(std::max(duration, kShortest).ms) / kMsOfSecond);
}

std::vector<RunTimeForecast::Key> RunTimeForecast::keys_by_precision(const std::string& queue, std::int64_t gpus) {
  return {{queue, gpus}, {queue, std::nullopt}, {std::nullopt, gpus}, {std::nullopt, std::nullopt}};
}

void RunTimeForecast::submitted(const Submission& submission) {
  open_.insert_or_assign(submission.job, Open{.submission = submission, .sequence = submissions_});
  submissions_ += 1;
}

void RunTimeForecast::started(std::int64_t job, Instant at) {
  const auto found = open_.find(job);
  if (found == open_.end() || found->second.started) return;
  Open& open = found->second;
  open.started = at;
  const Member member{.sequence = open.sequence, .submitted = open.submission.at, .started = at};
  for (const Key& key : keys_by_precision(open.submission.queue, open.submission.gpus)) enter(groups_[key], member);
}

// A job that waited long is already old when it starts.
void RunTimeForecast::enter(Group& group, const Member& member) const {
  const auto later = std::ranges::upper_bound(group, member.sequence, {}, &Member::sequence);
  group.insert(later, member);
  if (group.size() > options_.kept) group.pop_front();
}

void RunTimeForecast::ended(std::int64_t job, Instant at) {
  const auto found = open_.find(job);
  if (found == open_.end()) return;
  const Open open = std::move(found->second);
  open_.erase(found);
  if (!open.started) return;
  for (const Key& key : keys_by_precision(open.submission.queue, open.submission.gpus)) {
    Group& group = groups_[key];
    const auto member = std::ranges::lower_bound(group, open.sequence, {}, &Member::sequence);
    if (member != group.end() && member->sequence == open.sequence) member->log2_s = log2_s(at - *open.started);
  }
}

RunTimeCurve RunTimeForecast::curve(const Group& group, Instant now) const {
  std::vector<RunTimePoint> points;
  points.reserve(group.size());
  double rank = 0;
  for (auto member = group.rbegin(); member != group.rend(); ++member, ++rank) {
    const double age = static_cast<double>(std::max<std::int64_t>(0, (now - member->submitted).ms));
    const double weight =
        1 / (1 + rank / options_.rank_scale) / std::sqrt(1 + age / static_cast<double>(options_.age_scale.ms));
    points.push_back({member->log2_s.value_or(log2_s(now - member->started)), weight, !member->log2_s});
  }
  return RunTimeCurve(std::move(points));
}

std::optional<RunTimePrediction> RunTimeForecast::of_new_job(const std::string& queue, std::int64_t gpus,
                                                             Instant now) const {
  for (const Key& key : keys_by_precision(queue, gpus)) {
    const auto group = groups_.find(key);
    if (group == groups_.end()) continue;
    if (const auto predicted = curve(group->second, now).of_new_job()) return predicted;
  }
  return std::nullopt;
}

}  // namespace ym::sim
