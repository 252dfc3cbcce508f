#include "control/run_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <string>

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

// Values of options are what a sweep varies.
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

// The groups of a job, the closest first.
constexpr int kGroups = 5, kOwnGroups = 3;
std::string text_of(const Job& job, int which) {
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

std::uint64_t group_of(const Job& job, int which) { return std::hash<std::string>()(text_of(job, which)); }

// By nearest rank. Precondition: there is a sample.
PredictedRunTime quantiles_of(std::vector<Duration> samples) {
  std::ranges::sort(samples);
  const auto quantile = [&](std::size_t percent) {
    const std::size_t rank = (samples.size() * percent + 99) / 100;
    return samples[std::max<std::size_t>(rank, 1) - 1];
  };
  return {.p10 = quantile(10),
          .p50 = quantile(50),
          .p90 = quantile(90),
          .samples = static_cast<std::int32_t>(samples.size())};
}

}  // namespace

std::optional<Duration> run_time_of(const std::vector<Attempt>& attempts) {
  if (attempts.empty()) return std::nullopt;
  const auto ran = [](const Attempt& attempt) {
    if (!attempt.started_at || !attempt.ended_at) return Duration{0};
    return *attempt.ended_at - *attempt.started_at;
  };
  if (!attempts.back().started_at || !attempts.back().ended_at) return std::nullopt;
  if (!attempts.back().resumes_from) return ran(attempts.back());
  Duration all{0};
  for (const auto& attempt : attempts) all = all + ran(attempt);
  return all;
}

std::optional<RunTimeSample> sample_of(const Job& job, const std::vector<Attempt>& attempts) {
  if (job.state != JobState::succeeded && job.state != JobState::timed_out) return std::nullopt;
  const auto time = run_time_of(attempts);
  if (!time) return std::nullopt;
  RunTimeSample sample{.time = *time, .ended_at = job.ended_at.value_or(Instant{})};
  for (int which = 0; which < kGroups; ++which)
    sample.groups.at(static_cast<std::size_t>(which)) = group_of(job, which);
  return sample;
}

void RunTimes::add(const RunTimeSample& sample) {
  for (const auto key : sample.groups) add(key, sample.time);
}

void RunTimes::add(std::uint64_t key, Duration time) {
  Group& group = groups_[key];
  by_touch_.erase(group.touched);
  group.touched = ++touches_;
  by_touch_.emplace(group.touched, key);
  if (group.samples.size() == kKeptSamples) group.samples.erase(group.samples.begin());
  group.samples.push_back(time);
  group.predicted = quantiles_of(group.samples);
  if (groups_.size() > kMostGroups) forget_oldest();
}

void RunTimes::forget_oldest() {
  groups_.erase(by_touch_.begin()->second);
  by_touch_.erase(by_touch_.begin());
}

std::optional<PredictedRunTime> RunTimes::predict(const Job& job) const {
  for (int which = 0; which < kGroups && !groups_.empty(); ++which) {
    const auto found = groups_.find(group_of(job, which));
    if (found == groups_.end() || found->second.predicted.samples < kLeastSamples) continue;
    PredictedRunTime predicted = found->second.predicted;
    predicted.of_same_user = which < kOwnGroups;
    return predicted;
  }
  return std::nullopt;
}

bool is_news(const PredictedRunTime& now, const std::optional<PredictedRunTime>& before) {
  if (!before || before->of_same_user != now.of_same_user) return true;
  const auto differs = [](Duration a, Duration b) {
    return std::max(a, b).ms - std::min(a, b).ms > std::max(std::min(a, b).ms / 10, seconds(1).ms);
  };
  return differs(now.p10, before->p10) || differs(now.p50, before->p50) || differs(now.p90, before->p90);
}

}  // namespace ym
