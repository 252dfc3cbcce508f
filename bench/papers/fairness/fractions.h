// Rounds from shares: the mechanism of Gavel (Narayanan et al., OSDI 2020), under which the published figures of all
// but Shockwave were had.
//
// A rule says for which fraction of the time each job is to run. Until the fractions are computed again, who is
// furthest behind goes first: largest fraction / time received. Of equal ones first who had got less than promised
// before.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "papers/fairness/policy.h"

namespace ym::sim::fairness {

// By place in Round::jobs; 0 to 1, and all together, times their GPUs, fit into the cluster.
using Fractions = std::vector<double>;
using FractionRule = std::function<Fractions(const Round&)>;

class ByFractions : public Policy {
 public:
  explicit ByFractions(FractionRule rule) : rule_(std::move(rule)) {}
  Order order(const Round& round) override;

 private:
  struct Promise {
    double fraction = 0;
    double deficit_s = 0;  // promised before and not received
    Micros done_us = 0;    // when it was promised
  };

  bool is_due(const Round& round) const;
  void promise(const Round& round);
  double priority(const Present& job, const Round& round) const;

  FractionRule rule_;
  std::map<JobNumber, Promise> promises_;  // of all that are there
  Micros promised_us_ = 0;
  bool changed_ = true;  // who is there, since then
};

// Fills `gpus` with equal GPU time for all, or equal time if `weights` are the jobs' GPUs: the largest level such that
// each runs for min(1, level x weight / its GPUs). All 1 if all fit.
Fractions level(const Round& round, const std::vector<double>& weights);

}  // namespace ym::sim::fairness
