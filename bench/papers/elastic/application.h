// Application: how fast a kind of training job goes, by where its replicas lie, its batch and its epoch.
//
// Speed is goodput: samples per second, as measured, times the statistical efficiency of the batch, which follows from
// the noise of the gradients (Qiao et al., Pollux, OSDI 2021; McCandlish et al., "An Empirical Model of Large-Batch
// Training", 2018). Progress is counted in steps of the initial batch.
//
// Threads: one (curves are kept once they were computed).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "papers/elastic/batches.h"
#include "papers/elastic/layout.h"

namespace ym::sim::elastic {

struct StepSample {
  double local_batch = 0;  // samples
  double step_s = 0;       // of which sync_s is spent on putting gradients together
  double sync_s = 0;
};

// A training with one batch, measured; all by epoch.
struct Validation {
  Count batch = 0;
  std::vector<double> progress;    // when the epoch ends
  std::vector<double> iterations;  // when the epoch ends
  std::vector<double> grad_sqr, grad_var;
};

struct Profile {
  std::string name;
  BatchLimits limits;
  std::size_t epochs = 0;
  // Of an application that never runs on more than one GPU, nor with another batch.
  std::optional<Count> only_batch{};
  // By batch, the smallest first, from limits.initial to limits.most; `epochs` epochs each.
  std::vector<Validation> validations{};
  // By local batch, the smallest first, at least two each.
  std::map<Count, std::vector<StepSample>> by_digits{};                    // Layout::digits
  std::map<std::pair<Count, Count>, std::vector<StepSample>> by_counts{};  // nodes, replicas
};

// The best batch of each epoch on one layout.
struct Curve {
  std::vector<double> goodput;  // progress per second; 0: it cannot run there
  std::vector<Batch> batch;
};

class Application {
 public:
  explicit Application(Profile profile);

  const std::string& name() const { return profile_.name; }
  const BatchLimits& limits() const { return profile_.limits; }
  const std::optional<Count>& only_batch() const { return profile_.only_batch; }
  std::size_t epochs() const { return profile_.epochs; }
  Count most_gpus(const Cluster& cluster = {}) const;

  // [e]: when e epochs are done, up to epochs().
  std::span<const double> progress_at() const { return progress_at_; }
  // Nothing where it was not measured.
  std::optional<StepSample> step_time(const Layout& layout, Count local_batch) const;
  // At the end of an epoch; `batch` within the limits.
  double iterations(Count batch, std::size_t epoch) const;
  // Progress per second; 0 where it was not measured.
  double goodput(const Layout& layout, std::size_t epoch, const Batch& batch) const;
  // Stays where it is as long as the application does.
  const Curve& curve(const Layout& layout) const;

 private:
  double interpolated(double batch, std::size_t epoch, std::vector<double> Validation::* column) const;
  Curve computed_curve(const Layout& layout) const;

  Profile profile_;
  std::vector<double> progress_at_;
  mutable std::map<Layout, Curve> curves_;
};

}  // namespace ym::sim::elastic
