// Slurm's accounting as a workload: rows of `sacct -P` with a header, with these columns in any order:
// JobID,User,Account,Partition,Submit,Start,End,Timelimit,Priority,NNodes,ReqTRES,State
// TimelimitRaw, ElapsedRaw, Elapsed and AllocTRES are read, too. Other columns are ignored.
#pragma once

#include <optional>

#include "sim/workload/row_view.h"
#include "sim/workload/trace_job.h"

namespace ym::sim {

// Steps of jobs, jobs that never began, and jobs that still ran when the table was written are not jobs here: their run
// time is unknown. The same holds for jobs that end before they begin, unless another column has the run time.
std::optional<TraceJob> read_sacct(RowView& row);

}  // namespace ym::sim
