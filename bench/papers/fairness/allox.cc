#include <algorithm>
#include <map>
#include <utility>

#include "papers/fairness/fractions.h"
#include "papers/fairness/published_policies.h"

namespace ym::sim::fairness {
namespace {

// Each GPU takes the shortest of the jobs that wait. A gang of g counts as one job and is promised 1/g of the time, and
// only who is promised all of it does not wait any more: that is how it was run, though AlloX knows no gangs.
class Matching {
 public:
  Fractions operator()(const Round& round) {
    std::map<JobNumber, double> promised;
    std::vector<std::pair<Micros, std::size_t>> waiting;
    auto free = static_cast<std::size_t>(round.gpus);
    for (std::size_t i = 0; i < round.jobs.size(); ++i) {
      const Present& job = round.jobs[i];
      const auto before = promised_.find(job.job);
      const double fraction = promised[job.job] = before == promised_.end() ? 0 : before->second;
      if (fraction < 1) waiting.emplace_back(job.left_us, i);
      else --free;
    }
    std::ranges::sort(waiting);
    for (std::size_t k = 0; k < std::min(free, waiting.size()); ++k) {
      const Present& job = round.jobs[waiting[k].second];
      promised[job.job] = 1 / static_cast<double>(job.gpus);
    }
    promised_ = std::move(promised);
    Fractions fractions;
    for (const Present& job : round.jobs) fractions.push_back(promised_.at(job.job));
    return fractions;
  }

 private:
  std::map<JobNumber, double> promised_;
};

}  // namespace

std::unique_ptr<Policy> allox() { return std::make_unique<ByFractions>(Matching()); }

}  // namespace ym::sim::fairness
