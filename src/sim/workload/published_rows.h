// Rows of published traces, in the form of their artifacts. For the columns see trace_formats.cc.
//
// Errors are in the row. The returned value has no meaning then.
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
// Pods without times: one comes each second, in the order of the lines, and stays for 150 days. In the published
// experiment no pod leaves.
std::optional<TraceJob> read_openb_untimed(RowView& row);
std::optional<TraceJob> read_shockwave(RowView& row);
// The trace has steps and no run time: the run time is that of the steps on V100s.
std::optional<TraceJob> read_gavel(RowView& row, const GavelSpeeds& speeds);
// The trace has a batch and no run time: the run time is that of the training with this batch.
std::optional<TraceJob> read_pollux(RowView& row, const PolluxSpeeds& speeds);

}  // namespace ym::sim
