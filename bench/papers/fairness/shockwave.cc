// The idea in the small. There a mixed-integer program is solved to a tolerance (1/1000 of an objective which the
// makespan term dominates); here rounds are given out in steps, each time where the same objective gains most per GPU:
// one round to a job, or one to each of those that would have most left. In the first round of the plan, who is planned
// for all rounds goes first, then small plans of large weight; what stays free goes to those with most left. The plan
// is made anew every round. Their hard limit on finish times is left out: with this load it can rarely be kept, and
// then they, too, fall back on weights.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "papers/fairness/published_policies.h"

namespace ym::sim::fairness {
namespace {

// As there, the logarithm is linear between fifths, and at 0 it is that of a millionth.
double log_progress(double progress) {
  static const std::array<double, 6> at{std::log(1e-6), std::log(.2), std::log(.4), std::log(.6), std::log(.8), 0};
  const double fifths = std::clamp(progress, 0.0, 1.0) * 5;
  const auto below = std::min<std::size_t>(4, static_cast<std::size_t>(fifths));
  return at[below] + (fifths - static_cast<double>(below)) * (at[below + 1] - at[below]);
}

struct Planned {
  double weight = 1;
  Count most = 0;    // rounds of use
  Count rounds = 0;  // given
};

// Rounds that are given out together.
struct Step {
  std::vector<std::size_t> jobs{};  // one each
  Count gpus = 0;
  double gain = 0;

  bool better_than(const Step& other) const {
    if (jobs.empty() || other.jobs.empty()) return !jobs.empty();
    return gain * static_cast<double>(other.gpus) > other.gain * static_cast<double>(gpus);
  }
};

class Shockwave : public Policy {
 public:
  explicit Shockwave(const ShockwaveOptions& options) : options_(options) {}

  Order order(const Round& round) override {
    see(round);
    std::vector<Planned> plan;
    for (const Present& job : round.jobs)
      plan.push_back({.weight = weight(job, round),
                      .most = std::min(options_.window, (job.left_us + round.length_us - 1) / round.length_us)});
    give_out(round, plan);
    Order order;
    for (std::size_t i = 0; i < plan.size(); ++i) order.push_back(i);
    std::ranges::sort(order, {}, [&](std::size_t i) {
      const Planned& one = plan[i];
      const Present& job = round.jobs[i];
      const double rank =
          one.rounds == 0 ? -seconds_of(job.left_us) : static_cast<double>(one.rounds * job.gpus) / one.weight;
      return std::tuple(one.rounds == 0, one.rounds < options_.window, rank, job.job);
    });
    return order;
  }

 private:
  struct Past {
    double contention = 0;  // summed over rounds
    double rounds = 0;
  };

  static double contention(const Round& round) {
    return std::max(1.0, static_cast<double>(round.jobs.size()) / static_cast<double>(round.gpus));
  }

  void see(const Round& round) {
    for (const Present& job : round.jobs) {
      Past& past = pasts_[job.job];
      past.contention += contention(round);
      past.rounds += 1;
    }
  }

  // By the projected rho: all that is left is reckoned at the share of now. Of times since submission; there, ends
  // since the beginning of time are compared, which hides how late the late ones are.
  double weight(const Present& job, const Round& round) const {
    const Past& past = pasts_.at(job.job);
    const double mean = 0.9 * past.contention / past.rounds + 0.1 * contention(round);
    const double fair_s = seconds_of(job.done_us + job.left_us) * mean;
    const double time_s = seconds_of(round.now_us - job.submit_us) + seconds_of(job.left_us) * contention(round);
    const double power = job.left_us < round.length_us ? options_.last_round_power : options_.unfair_power;
    return std::pow(std::max(1.0, time_s / fair_s), power);
  }

  // Of one more round, of the sum of logarithms.
  double gain(const Round& round, std::size_t i, const Planned& planned) const {
    const Present& job = round.jobs[i];
    const auto progress = [&](Count rounds) {
      return static_cast<double>(job.done_us + rounds * round.length_us) /
             static_cast<double>(job.done_us + job.left_us);
    };
    const double logs = log_progress(progress(planned.rounds + 1)) - log_progress(progress(planned.rounds));
    const Count terms = static_cast<Count>(round.jobs.size()) * options_.window;
    return planned.weight * logs / static_cast<double>(terms);
  }

  static Micros left_after(const Round& round, std::size_t i, const Planned& planned) {
    return round.jobs[i].left_us - planned.rounds * round.length_us;
  }

  // One more round for all that would have most left, so that this becomes less by up to a round.
  Step shorten(const Round& round, const std::vector<Planned>& plan) const {
    Micros most_us = 0;
    for (std::size_t i = 0; i < plan.size(); ++i) most_us = std::max(most_us, left_after(round, i, plan[i]));
    Step step;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      if (left_after(round, i, plan[i]) <= std::max<Micros>(0, most_us - round.length_us)) continue;
      if (plan[i].rounds >= plan[i].most) return {};
      step.jobs.push_back(i);
      step.gpus += round.jobs[i].gpus;
      step.gain += gain(round, i, plan[i]);
    }
    step.gain += options_.makespan_weight * seconds_of(std::min(most_us, round.length_us));
    return step;
  }

  Step best_single(const Round& round, const std::vector<Planned>& plan, Count free) const {
    Step best;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      const Step one{.jobs = {i}, .gpus = round.jobs[i].gpus, .gain = gain(round, i, plan[i])};
      if (plan[i].rounds < plan[i].most && one.gpus <= free && one.better_than(best)) best = one;
    }
    return best;
  }

  void give_out(const Round& round, std::vector<Planned>& plan) const {
    for (Count free = options_.window * round.gpus; free > 0;) {
      Step best = best_single(round, plan, free);
      if (Step all = shorten(round, plan); all.gpus <= free && all.better_than(best)) best = std::move(all);
      if (best.jobs.empty()) return;
      for (const std::size_t i : best.jobs) ++plan[i].rounds;
      free -= best.gpus;
    }
  }

  ShockwaveOptions options_;
  std::map<JobNumber, Past> pasts_;
};

}  // namespace

std::unique_ptr<Policy> shockwave(const ShockwaveOptions& options) { return std::make_unique<Shockwave>(options); }

}  // namespace ym::sim::fairness
