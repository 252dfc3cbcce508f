#include "papers/spot/estimator.h"

#include <algorithm>
#include <utility>

namespace ym::sim::spot {

Estimator::Estimator(Observations before, const EstimatorOptions& options)
    : options_(options), before_(std::move(before)), now_(before_.zones()) {}

void Estimator::see(const View& view) { now_.see(view); }

Evidence Estimator::weighed(Evidence before, const Evidence& now) const {
  const std::int64_t most_milli = options_.learnt_ends * 1000, prior_milli = options_.prior_ends * 1000;
  if (before.expected_milli > most_milli)
    before = {.seen_milli = before.seen_milli * most_milli / before.expected_milli, .expected_milli = most_milli};
  before += now;
  before += {.seen_milli = prior_milli, .expected_milli = prior_milli};
  return before;
}

Evidence Estimator::ends_of_zero() const { return weighed(before_.best().of_zero(), now_.best().of_zero()); }

Evidence Estimator::ends_of_ample(std::size_t zone) const {
  return weighed(before_.zone(zone).of_ample(), now_.zone(zone).of_ample());
}

Evidence Estimator::ends_of_ample() const {
  Evidence all;
  for (std::size_t zone = 0; zone < now_.zones(); ++zone) all += ends_of_ample(zone);
  return all;
}

// As if of two more losses one had been a move.
std::int64_t Estimator::move_chance() const {
  const std::int64_t losses = std::min(before_.losses(), options_.learnt_ends);
  const std::int64_t moves = before_.losses() == 0 ? 0 : before_.moves() * losses / before_.losses();
  return (now_.moves() + moves + 1) * kCertain / (now_.losses() + losses + 2);
}

// Ends in 1000 hours. A zone that could give little more than the gang is as a new one.
std::int64_t Estimator::loss_rate(std::size_t zone) const {
  const SpellWatch& watch = now_.zone(zone);
  const Evidence evidence = ends_of_ample(zone);
  const std::size_t age = watch.level() == Level::ample ? age_bucket(watch.age_ms()) : 0;
  return kEndsIn1000Hours[age] * evidence.seen_milli / std::max<std::int64_t>(1, evidence.expected_milli);
}

std::optional<std::size_t> Estimator::steadiest_zone(const View& view) const {
  std::optional<std::size_t> steadiest;
  for (std::size_t zone = 0; zone < view.zones(); ++zone)
    if (view.up(zone) && (!steadiest || loss_rate(zone) < loss_rate(*steadiest))) steadiest = zone;
  return steadiest;
}

Belief Estimator::belief(std::optional<std::size_t> zone, const Gang& gang) const {
  const bool several = now_.zones() > 1;
  return {.zero_factor = nearest_factor(ends_of_zero()),
          .ample_factor = nearest_factor(zone ? ends_of_ample(*zone) : ends_of_ample()),
          .move_chance = several ? nearest_move_chance(move_chance()) : 0,
          .levels = levels_of(gang),
          .never_back = several ? options_.never_back : 0};
}

std::size_t Estimator::state(std::optional<std::size_t> zone) const {
  return state_of(zone ? now_.zone(*zone) : now_.best());
}

}  // namespace ym::sim::spot
