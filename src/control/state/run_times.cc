#include "control/state/run_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <string>
#include <tuple>

namespace ym {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "sweep-lr0.01-7" -> "sweep-lr#-#"
std::string without_numbers(std::string_view text) {
  std::string shape;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) {
      shape += text[i];
      continue;
    }
    shape += '#';
    const auto goes_on = [&](std::size_t at) {
      return at < text.size() &&
             (is_digit(text[at]) || (text[at] == '.' && at + 1 < text.size() && is_digit(text[at + 1])));
    };
    while (goes_on(i + 1)) ++i;
  }
  return shape;
}

// Without the values of options: a sweep varies them.
std::string shape_of(const Program& program) {
  std::string shape;
  for (const auto& word : program.words) {
    const auto equals = word.starts_with('-') ? word.find('=') : std::string::npos;
    shape += without_numbers(std::string_view(word).substr(0, equals));
    shape += '\n';
  }
  return shape;
}

std::string size_of(const JobSpec& spec) {
  const auto part = [](const TaskResources& each, std::int32_t nodes) {
    return fmt::format("{}:{}{} x {}", each.gpu_type, each.profile, each.gpus, nodes);
  };
  if (spec.groups.empty()) return part(spec.resources, spec.nodes);
  std::string all;
  for (const TaskGroup& group : spec.groups) all += (all.empty() ? "" : " + ") + part(group.resources, group.nodes);
  return all;
}

std::string programs_of(const JobSpec& spec) {
  if (spec.groups.empty()) return shape_of(spec.run);
  std::string all;
  for (const TaskGroup& group : spec.groups) all += shape_of(group.run) + "\n";
  return all;
}

// The groups of similar jobs, the closest first.
constexpr std::size_t kGroups = RunTimes::kLeastSamples.size(), kOwnGroups = 3;
std::string text_of(const Job& job, std::size_t which) {
  const JobSpec& spec = *job.spec;
  switch (which) {
    case 0:
      return fmt::format("0\n{}\n{}\n{}\n{}", job.owner, without_numbers(spec.name), size_of(spec), programs_of(spec));
    case 1: return fmt::format("1\n{}\n{}", job.owner, without_numbers(spec.name));
    case 2: return fmt::format("2\n{}\n{}", job.owner, size_of(spec));
    case 3: return "3\n" + size_of(spec);
    default: return "4";
  }
}

std::uint64_t group_of(const Job& job, std::size_t which) { return std::hash<std::string>()(text_of(job, which)); }

// Precondition: there is a sample.
PredictedRunTime middle_and_bounds(std::vector<Duration> samples) {
  std::ranges::sort(samples);
  const std::size_t n = samples.size(), beyond = std::max<std::size_t>(1, (n + 1) / 10);
  return {.p10 = samples[beyond - 1],
          .p50 = samples[(n + 1) / 2 - 1],
          .p90 = samples[n - beyond],
          .samples = static_cast<std::int32_t>(n)};
}

constexpr std::int64_t kUnit = 1000;

// The factor by which the bounds of a group with this number of samples are moved outward, in thousandths. The factors
// for few samples were measured on the jobs of the Philly trace: bounds from the newest 3, 5 and 8 jobs of the same
// queue and size were too narrow by factors of 2.5, 1.9 and 1.5.
std::int64_t stated_milli(std::size_t which, std::int32_t samples) {
  constexpr std::array<std::int64_t, kGroups> kByGroup{1, 2, 2, 4, 4};
  constexpr std::int32_t kEnough = 9;
  constexpr std::int64_t kFew = 4'500;
  return kByGroup.at(which) * (samples < kEnough ? kUnit + kFew / samples : kUnit);
}

// The end as the tasks report it, because the server may have been down for hours at that time. An impossible time, as
// from a wrong clock on another machine, is ignored. Precondition: the attempt has started and ended.
Instant last_exit(const Attempt& attempt) {
  Instant last = *attempt.started_at;
  for (const TaskStatus& task : attempt.tasks) {
    const bool is_known = task.exit && task.exit->at >= *attempt.started_at;
    last = std::max(last, is_known ? task.exit->at : *attempt.ended_at);
  }
  return std::min(last, *attempt.ended_at);
}

}  // namespace

std::optional<Duration> run_time_of(const std::vector<Attempt>& attempts) {
  if (attempts.empty()) return std::nullopt;
  const auto ran = [](const Attempt& attempt) {
    if (!attempt.started_at || !attempt.ended_at) return Duration{0};
    return last_exit(attempt) - *attempt.started_at;
  };
  if (!attempts.back().started_at || !attempts.back().ended_at) return std::nullopt;
  // The start of an adopted attempt is the time at which it was found.
  if (std::ranges::any_of(attempts, &Attempt::adopted)) return std::nullopt;
  if (!attempts.back().resumes_from) return ran(attempts.back());
  Duration all{0};
  for (const auto& attempt : attempts) all = all + ran(attempt);
  return all;
}

std::optional<RunTimeSample> sample_of(const Job& job, const std::vector<Attempt>& attempts) {
  if (job.state != JobState::succeeded && job.state != JobState::timed_out) return std::nullopt;
  const auto time = run_time_of(attempts);
  if (!time) return std::nullopt;
  RunTimeSample sample{.time = *time,
                       .submitted_at = job.submitted_at,
                       .ended_at = job.ended_at.value_or(job.submitted_at),
                       .predicted = job.predicted.to_optional()};
  for (std::size_t which = 0; which < kGroups; ++which) sample.groups.at(which) = group_of(job, which);
  return sample;
}

void RunTimes::add(const RunTimeSample& sample) {
  if (sample.predicted) {
    quick_.note(sample.time < sample.predicted->p10);
    slow_.note(sample.time > sample.predicted->p90);
  }
  for (const auto key : sample.groups) add(key, sample.time);
}

void RunTimes::add_past(std::vector<RunTimeSample> samples) {
  std::ranges::sort(samples, {}, [](const auto& one) { return std::tuple(one.ended_at, one.submitted_at, one.time); });
  std::vector<RunTimeSample*> by_submit;
  for (auto& sample : samples) by_submit.push_back(&sample);
  std::ranges::sort(by_submit, {}, [](const auto* one) { return std::tuple(one->submitted_at, one->ended_at); });
  auto next = by_submit.begin();
  for (const auto& sample : samples) {
    for (; next != by_submit.end() && (*next)->submitted_at <= sample.ended_at; ++next)
      (*next)->predicted = predict_by([&](std::size_t which) { return (*next)->groups.at(which); });
    add(sample);
  }
}

void RunTimes::add(std::uint64_t key, Duration time) {
  Group& group = groups_[key];
  by_touch_.erase(group.touched);
  group.touched = ++touches_;
  by_touch_.emplace(group.touched, key);
  if (group.samples.size() == kKeptSamples) group.samples.erase(group.samples.begin());
  group.samples.push_back(time);
  group.plain = middle_and_bounds(group.samples);
  if (groups_.size() > kMostGroups) forget_oldest();
}

void RunTimes::forget_oldest() {
  groups_.erase(by_touch_.begin()->second);
  by_touch_.erase(by_touch_.begin());
}

template <class GroupAt>
std::optional<PredictedRunTime> RunTimes::predict_by(GroupAt group_at) const {
  for (std::size_t which = 0; which < kGroups && !groups_.empty(); ++which) {
    const auto found = groups_.find(group_at(which));
    if (found == groups_.end() || found->second.plain.samples < kLeastSamples.at(which)) continue;
    return widened(found->second.plain, which);
  }
  return std::nullopt;
}

std::optional<PredictedRunTime> RunTimes::predict(const Job& job) const {
  return predict_by([&](std::size_t which) { return group_of(job, which); });
}

PredictedRunTime RunTimes::widened(const PredictedRunTime& plain, std::size_t which) const {
  const std::int64_t stated = stated_milli(which, plain.samples);
  PredictedRunTime predicted = plain;
  predicted.p10 = {plain.p10.ms * kUnit / stated * kUnit / quick_.milli()};
  predicted.p90 = {plain.p90.ms * stated / kUnit * slow_.milli() / kUnit};
  predicted.of_same_user = which < kOwnGroups;
  return predicted;
}

bool is_news(const PredictedRunTime& now, const std::optional<PredictedRunTime>& before) {
  if (!before || before->of_same_user != now.of_same_user) return true;
  const auto differs = [](Duration a, Duration b) {
    return std::max(a, b).ms - std::min(a, b).ms > std::max(std::min(a, b).ms / 10, seconds(1).ms);
  };
  return differs(now.p10, before->p10) || differs(now.p50, before->p50) || differs(now.p90, before->p90);
}

}  // namespace ym
