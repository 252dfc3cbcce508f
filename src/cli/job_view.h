// What people are shown of a job, read from the server's JSON.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>

#include "base/time.h"
#include "cli/term/table.h"

namespace ym::cli {

std::string id_of(const boost::json::value& job);
std::string name_of(const boost::json::value& job);  // its name, else its id
// `-o name`: what `which` says of each, a line each.
void print_each(std::ostream& out, const boost::json::array& items, std::string (*which)(const boost::json::value&));
std::string state_of(const boost::json::value& job);  // "RUNNING"
bool has_ended(const boost::json::value& job);
bool is_waiting(const boost::json::value& job);  // QUEUED or HELD
bool has_succeeded(const boost::json::value& job);

// The newest attempt, or null.
const boost::json::value& last_attempt(const boost::json::value& job);
const boost::json::value& attempt_number(const boost::json::value& job, std::int64_t number);
// The first one above this number, or null: numbers have gaps where the server's state was set back.
const boost::json::value& attempt_above(const boost::json::value& job, std::int64_t number);

// "n1, n2" or "n1:0,1 n2:0,1" with devices.
std::string where(const boost::json::value& attempt, bool with_devices);
// "exit code 1", "signal 9", "time limit", ...
std::string ending(const boost::json::value& attempt);
// Why it waits, else what is said about its state.
std::string remark(const boost::json::value& job);
// Where it is now; empty unless it has an attempt that has not ended.
std::string place(const boost::json::value& job, bool with_devices);

// What `ym` exits with for this job, which has ended: 0 or 1, or the program's own code
// where that was asked for (a signal as a shell says it: 128 and the signal).
enum class ExitFrom : std::uint8_t { outcome, job };
int exit_code_for(const boost::json::value& job, ExitFrom from);

// "45s", "14m", "3h12m", "2d4h".
std::string short_duration(Duration duration);
// "2026-11-21 09:30:00"
std::string short_time(const std::optional<Instant>& time);
// "2026-11-21 09:30"; of a time within ten minutes from now on, or ago, with its seconds, which count then.
std::string start_time(Instant time, Instant now);

// A table with a row for each job; `grouped`: arrays with more than five members take one.
enum class Rows : std::uint8_t { grouped, each };
Table job_table(const boost::json::array& jobs, Instant now, bool wide, Rows rows = Rows::grouped);

}  // namespace ym::cli
