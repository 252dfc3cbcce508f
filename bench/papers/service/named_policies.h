// Our policy under what it may be told: who declares a size, and how right that is.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "papers/service/simulate.h"

namespace ym::sim::service {

struct DeclareOptions {
  double share = 1;  // of the jobs; who, is drawn by id
  // Of the log-normal factor by which a declaration is wrong, drawn by id; 0: all are right.
  double error_sigma = 0;
};

std::vector<DeclaredUs> declare(std::span<const Job> jobs, const DeclareOptions& options = {});

struct NamedPolicy {
  std::string name;
  DeclareOptions declare{};
  ServiceOptions options{};
};

// declared, declared-60s (believed after a minute of run time), undeclared, half-declared, error-0.5, error-1.0.
std::vector<NamedPolicy> named_policies();

}  // namespace ym::sim::service
