#include "papers/elastic/beliefs.h"

#include <cmath>
#include <random>

namespace ym::sim::elastic {
namespace {

// Marsaglia's polar method (Marsaglia and Bray 1964). The one of the standard library may differ from library to
// library.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : random_(seed) {}

  double next() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double x = 0, y = 0, square = 0;
    do {
      x = 2 * uniform() - 1;
      y = 2 * uniform() - 1;
      square = x * x + y * y;
    } while (square > 1 || square == 0);
    const double scale = std::sqrt(-2 * std::log(square) / square);
    spare_ = x * scale;
    has_spare_ = true;
    return y * scale;
  }

 private:
  double uniform() { return static_cast<double>(random_()) / 0x1p64; }

  std::mt19937_64 random_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace

SizeTable Beliefs::table_of(const Application& application, const Cluster& cluster, const std::vector<Count>& sizes,
                            const std::vector<double>& factor) {
  std::vector<std::vector<double>> rate(cluster.gpus() + 1);
  for (const Count gpus : sizes) {
    rate[gpus] = application.curve(packed_layout(gpus, cluster.gpus_per_node)).goodput;
    for (double& one : rate[gpus]) one *= factor[gpus];
  }
  return size_table(sizes, application.progress_at(), std::move(rate));
}

Beliefs::Beliefs(const Catalog& catalog, const Cluster& cluster, Count all_up_to, const ErrorOptions& options)
    : cluster_(cluster), correction_(options.sigma > 0 ? options.correction : Correction::never) {
  Normal normal(options.seed * 7919 + 17);
  for (const Application& application : catalog) {
    std::vector<double> factor(cluster.gpus() + 1, 1);
    if (options.sigma > 0)
      for (Count gpus = 1; gpus <= cluster.gpus(); ++gpus)
        factor[gpus] = std::exp(options.sigma * (normal.next() - options.discount));
    const auto sizes = offered_sizes(application.most_gpus(cluster), all_up_to, cluster.gpus_per_node);
    SizeTable table = table_of(application, cluster, sizes, factor);
    by_application_.push_back({.factor = std::move(factor), .table = std::move(table)});
  }
}

void Beliefs::observe(std::size_t number, const Job& job, const Application& application) {
  if (correction_ == Correction::never) return;
  Belief* belief = &by_application_[job.request.application];
  if (correction_ == Correction::per_job) belief = &by_job_.try_emplace(number, *belief).first->second;
  if (job.ran_here_s <= 0 || belief->factor[job.layout.gpus] == 1) return;
  belief->factor[job.layout.gpus] = 1;
  belief->table = table_of(application, cluster_, belief->table.sizes, belief->factor);
}

const SizeTable& Beliefs::table(std::size_t number, const Job& job) const {
  const auto own = by_job_.find(number);
  return own == by_job_.end() ? by_application_[job.request.application].table : own->second.table;
}

}  // namespace ym::sim::elastic
