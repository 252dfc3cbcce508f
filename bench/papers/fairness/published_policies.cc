#include "papers/fairness/published_policies.h"

namespace ym::sim::fairness {

std::vector<PublishedPolicy> published_policies() {
  return {{"Shockwave", "shockwave", [] { return shockwave(); }},
          {"OSSP", "min_total_duration", ossp},
          {"Themis", "finish_time_fairness", themis},
          {"Gavel max-min", "max_min_fairness", max_min},
          {"AlloX", "allox", allox},
          {"MST", "max_sum_throughput_perf", most_throughput},
          {"Gandiva-Fair", "gandiva_fair", gandiva_fair}};
}

}  // namespace ym::sim::fairness
