// The policies of these tables by name, each run on one cluster.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "papers/queueing/running_jobs.h"

namespace ym::sim::queueing {

using RunPolicy = std::function<Result<std::vector<Outcome>>(std::span<const Job>, const ClusterShape&)>;

struct NamedPolicy {
  std::string name;
  RunPolicy run;
  bool is_engine = false;  // seconds to minutes, where the others take milliseconds
};

// FIFO and shortest first, each strict, skipping and backfilling; SRTF; Tiresias.
std::vector<NamedPolicy> published_policies();

// Our choice by completions per second (service/simulate.h), told all run times or none. Each start costs what a stop
// costs SRTF, the first one too, which is free there.
std::vector<NamedPolicy> our_policies();

// The production engine (engine_run.h): its defaults; with run times as time limits; shortest first by these, and by
// its own prediction; least attained service. Under its default age cap, as jobs wait for weeks here, nearly all of
// them are past it and nobody passes anybody: so the first ones also without ("uncapped": a cap of a year).
std::vector<NamedPolicy> engine_policies();

// All of these, in this order.
std::vector<NamedPolicy> named_policies();

}  // namespace ym::sim::queueing
