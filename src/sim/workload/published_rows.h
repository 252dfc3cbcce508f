// The rows of published traces, as their artifacts have them. Which columns each has: trace_formats.cc.
//
// What is wrong is said by the row; what is returned then means nothing.
#pragma once

#include <optional>

#include "sim/workload/gavel_speeds.h"
#include "sim/workload/pollux_speeds.h"
#include "sim/workload/row_view.h"
#include "sim/workload/trace_job.h"

namespace ym::sim {

std::optional<TraceJob> read_philly(RowView& row);
std::optional<TraceJob> read_muri(RowView& row);
std::optional<TraceJob> read_chronus(RowView& row);
std::optional<TraceJob> read_helios(RowView& row);
std::optional<TraceJob> read_kalos(RowView& row);
std::optional<TraceJob> read_openb(RowView& row);
// Pods of which no times are said: one comes each second, in the order of the lines, and stays for 150 days. In the
// published experiment none leaves.
std::optional<TraceJob> read_openb_untimed(RowView& row);
std::optional<TraceJob> read_shockwave(RowView& row);
// Steps and no run time: what they take on V100s.
std::optional<TraceJob> read_gavel(RowView& row, const GavelSpeeds& speeds);
// A batch and no run time: what training takes with it.
std::optional<TraceJob> read_pollux(RowView& row, const PolluxSpeeds& speeds);

}  // namespace ym::sim
