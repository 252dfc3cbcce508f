#include "papers/elastic/application.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"

namespace ym::sim::elastic {

Application::Application(Profile profile) : profile_(std::move(profile)), progress_at_{0} {
  for (std::size_t e = 0; e < profile_.epochs; ++e) {
    double first = std::numeric_limits<double>::infinity();
    for (const Validation& validation : profile_.validations) first = std::min(first, validation.progress[e]);
    progress_at_.push_back(first);
  }
}

Count Application::most_gpus(const Cluster& cluster) const {
  return only_batch() ? 1 : std::min(cluster.gpus(), limits().most / limits().least_local);
}

std::optional<StepSample> Application::step_time(const Layout& layout, Count local_batch) const {
  const auto listed = profile_.by_digits.find(layout.digits);
  const auto counted = profile_.by_counts.find({layout.nodes, layout.gpus});
  const bool is_listed = layout.digits != 0 && listed != profile_.by_digits.end();
  if (!is_listed && counted == profile_.by_counts.end()) return std::nullopt;
  const std::vector<StepSample>& samples = is_listed ? listed->second : counted->second;
  const double x = local_batch;
  if (x < samples.front().local_batch || x > samples.back().local_batch) return std::nullopt;
  auto above = std::ranges::lower_bound(samples, x, {}, &StepSample::local_batch);
  if (above == samples.begin()) ++above;
  const StepSample &high = *above, &low = *std::prev(above);
  const double width = high.local_batch - low.local_batch, from_low = x - low.local_batch;
  return StepSample{.local_batch = x,
                    .step_s = (high.step_s - low.step_s) / width * from_low + low.step_s,
                    .sync_s = (high.sync_s - low.sync_s) / width * from_low + low.sync_s};
}

double Application::interpolated(double batch, std::size_t epoch, std::vector<double> Validation::* column) const {
  const auto above = std::ranges::lower_bound(profile_.validations, batch, {}, &Validation::batch);
  YM_ASSERT(above != profile_.validations.end());
  if (above->batch == batch) return ((*above).*column)[epoch];
  YM_ASSERT(above != profile_.validations.begin());
  const Validation &high = *above, &low = *std::prev(above);
  return ((batch - low.batch) * (high.*column)[epoch] + (high.batch - batch) * (low.*column)[epoch]) /
         (high.batch - low.batch);
}

double Application::iterations(Count batch, std::size_t epoch) const {
  return interpolated(batch, epoch, &Validation::iterations);
}

double Application::goodput(const Layout& layout, std::size_t epoch, const Batch& batch) const {
  const Count total = batch.total(layout.gpus);
  const auto step = step_time(layout, batch.local);
  if (!step || total < limits().initial || total > limits().most) return 0;
  const double scale = static_cast<double>(total) / limits().initial;
  const double sqr = interpolated(total, epoch, &Validation::grad_sqr);
  const double var = interpolated(total, epoch, &Validation::grad_var);
  const double gain = (var + sqr) / (var / scale + sqr);
  return gain / (step->step_s + (step->step_s - step->sync_s) * batch.accumulation);
}

Curve Application::computed_curve(const Layout& layout) const {
  Curve curve{.goodput = std::vector<double>(epochs(), 0), .batch = std::vector<Batch>(epochs())};
  const std::vector<Batch> batches = only_batch()
                                         ? std::vector<Batch>{fixed_batch(limits(), layout.gpus, *only_batch())}
                                         : candidate_batches(limits(), layout.gpus);
  for (std::size_t e = 0; e < epochs(); ++e) {
    for (const Batch& batch : batches) {
      const double goodput_of_batch = goodput(layout, e, batch);
      if (goodput_of_batch <= curve.goodput[e]) continue;
      curve.goodput[e] = goodput_of_batch;
      curve.batch[e] = batch;
    }
  }
  return curve;
}

const Curve& Application::curve(const Layout& layout) const {
  auto found = curves_.find(layout);
  if (found == curves_.end()) found = curves_.emplace(layout, computed_curve(layout)).first;
  return found->second;
}

}  // namespace ym::sim::elastic
