#include "papers/service/named_policies.h"

#include <cmath>
#include <numbers>

#include "base/random.h"

namespace ym::sim::service {
namespace {

// Above 0 and below 1.
double uniform(std::uint64_t seed) { return (static_cast<double>(Random(seed).next() >> 11) + 0.5) * 0x1p-53; }

// Box and Muller, 1958.
double normal(std::uint64_t id) {
  const double radius = std::sqrt(-2 * std::log(uniform(2 * id + 1000)));
  return radius * std::cos(2 * std::numbers::pi * uniform(2 * id + 1001));
}

bool declares(std::uint64_t id, double share) { return share >= 1 || uniform(id * 7919 + 17) < share; }

}  // namespace

std::vector<DeclaredUs> declare(std::span<const Job> jobs, const DeclareOptions& options) {
  std::vector<DeclaredUs> declared;
  for (const Job& job : jobs) {
    const auto id = static_cast<std::uint64_t>(job.id);
    const double error = options.error_sigma > 0 ? std::exp(options.error_sigma * normal(id)) : 1;
    declared.push_back(declares(id, options.share) ? DeclaredUs(static_cast<double>(job.work_us) * error)
                                                   : std::nullopt);
  }
  return declared;
}

std::vector<NamedPolicy> named_policies() {
  return {{.name = "declared"},
          {.name = "declared-60s", .options = {.measure_us = 60 * kSecond}},
          {.name = "undeclared", .declare = {.share = 0}},
          {.name = "half-declared", .declare = {.share = 0.5}},
          {.name = "error-0.5", .declare = {.error_sigma = 0.5}},
          {.name = "error-1.0", .declare = {.error_sigma = 1}}};
}

}  // namespace ym::sim::service
