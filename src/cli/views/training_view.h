// The training of a job as text: its progress, its saves, and what stops cost.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>

#include "base/time.h"
#include "cli/session.h"

namespace ym::cli {

// For tables; empty: unknown.
std::string progress_of(const boost::json::value& job);             // "1200/5000"; "1200" without a goal
std::string saved_ago(const boost::json::value& job, Instant now);  // "3m": time since its newest checkpoint
std::string gpu_time(double gpu_seconds);                           // "340 GPU-s", "2.5 GPU-h"

std::optional<Instant> saved_at(const boost::json::value& job);  // its newest checkpoint
// Work that would be repeated if the job were stopped now. Nothing: it does not run.
std::optional<double> gpu_seconds_at_risk(const boost::json::value& job);

// "preempted for 0000000B, lost 60 GPU-s (estimated 340 GPU-s)". "exit code 1, lost 90 GPU-s" if the job was retried.
// Otherwise the text of ending().
std::string ending_with_loss(const boost::json::value& attempt);

// Lines of `ym get`: progress, saves, work at risk, preemptions, a stop in progress, a nominated placement.
void show_training(Session& session, const boost::json::value& job);

// "n1:0,1 until 2026-11-21 09:30:00 UTC (in 2m)"; empty: the job has no nominated placement.
std::string place_kept(const boost::json::value& job, Instant now);
// "2026-11-21 09:30:00 UTC (in 23s)"; empty without a time.
std::string moment_ahead(const std::optional<Instant>& time, Instant now);

}  // namespace ym::cli
