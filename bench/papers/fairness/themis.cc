#include <algorithm>
#include <map>

#include "papers/fairness/fractions.h"
#include "papers/fairness/published_policies.h"

namespace ym::sim::fairness {
namespace {

class LeastWorstRho {
 public:
  Fractions operator()(const Round& round) {
    const std::vector<double> fair_us = fair_times(round);
    double low = 0, high = 1;
    while (!fits(round, fractions(round, fair_us, high))) high *= 2;
    for (int i = 0; i < 50; ++i) {
      const double middle = (low + high) / 2;
      (fits(round, fractions(round, fair_us, middle)) ? high : low) = middle;
    }
    return fractions(round, fair_us, high);
  }

 private:
  struct Past {
    Micros left_us = 0;
    double share = 1;
    double fair_us = 0;  // for what was done so far
  };

  // What was done counts at the share of its time, what is left at that of now.
  std::vector<double> fair_times(const Round& round) {
    std::map<JobNumber, Past> pasts;
    std::vector<double> fair_us;
    for (const Present& job : round.jobs) {
      const double share = std::min(
          1.0, static_cast<double>(round.gpus) / static_cast<double>(static_cast<Count>(round.jobs.size()) * job.gpus));
      Past past{.left_us = job.left_us, .share = share};
      if (const auto before = pasts_.find(job.job); before != pasts_.end())
        past.fair_us =
            before->second.fair_us + static_cast<double>(before->second.left_us - job.left_us) / before->second.share;
      fair_us.push_back(past.fair_us + static_cast<double>(job.left_us) / share);
      pasts[job.job] = past;
    }
    pasts_ = std::move(pasts);
    return fair_us;
  }

  // The least with which no rho is above that; above 1 where no fraction is enough.
  static Fractions fractions(const Round& round, const std::vector<double>& fair_us, double rho) {
    Fractions fractions;
    for (std::size_t i = 0; i < round.jobs.size(); ++i) {
      const Present& job = round.jobs[i];
      const double time_us = rho * fair_us[i] - static_cast<double>(round.now_us - job.submit_us);
      fractions.push_back(time_us > 0 ? static_cast<double>(job.left_us) / time_us : 2);
    }
    return fractions;
  }

  static bool fits(const Round& round, const Fractions& fractions) {
    double gpus = 0;
    for (std::size_t i = 0; i < fractions.size(); ++i) {
      if (fractions[i] > 1) return false;
      gpus += fractions[i] * static_cast<double>(round.jobs[i].gpus);
    }
    return gpus <= static_cast<double>(round.gpus);
  }

  std::map<JobNumber, Past> pasts_;  // by job, when fractions were last computed
};

}  // namespace

std::unique_ptr<Policy> themis() { return std::make_unique<ByFractions>(LeastWorstRho()); }

}  // namespace ym::sim::fairness
