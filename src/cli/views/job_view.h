// Jobs as text, from the server's JSON.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>

#include "base/time.h"
#include "cli/term/table.h"

namespace ym::cli {

std::string id_of(const boost::json::value& job);
std::string name_of(const boost::json::value& job);  // its name, else its id
// `-o name`: prints the value at `which` of each job, one a line.
void print_each(std::ostream& out, const boost::json::array& items, std::string (*which)(const boost::json::value&));
std::string state_of(const boost::json::value& job);  // "RUNNING"
bool has_ended(const boost::json::value& job);
bool is_waiting(const boost::json::value& job);  // QUEUED or HELD
bool has_succeeded(const boost::json::value& job);
bool has_failed(const boost::json::value& job);  // FAILED or TIMED_OUT

// The newest attempt, or null.
const boost::json::value& last_attempt(const boost::json::value& job);
const boost::json::value& attempt_number(const boost::json::value& job, std::int64_t number);
// The first attempt with a number above this one, or null. Numbers have gaps if the server's state was restored from
// a backup.
const boost::json::value& attempt_above(const boost::json::value& job, std::int64_t number);

// "n1, n2" or "n1:0,1 n2:0,1" with devices.
std::string where(const boost::json::value& attempt, bool with_devices);
// "exit code 1", "signal 9", "time limit", ...
std::string ending(const boost::json::value& attempt);
// Why the job waits; otherwise the message about its state.
std::string remark(const boost::json::value& job);
// The nodes of the live attempt; empty: it has none.
std::string place(const boost::json::value& job, bool with_devices);

// Exit code of `ym` for this job, which has ended: 0 or 1; or the program's own code if the user asks for it (for a
// signal 128 plus its number, as in a shell).
enum class ExitFrom : std::uint8_t { outcome, job };
int exit_code_for(const boost::json::value& job, ExitFrom from);

// "45s", "14m", "3h12m", "2d4h".
std::string short_duration(Duration duration);
// "2026-11-21 09:30:00"
std::string short_time(const std::optional<Instant>& time);
// "2026-11-21 09:30". Within ten minutes of now the seconds are shown too.
std::string start_time(Instant time, Instant now);

// A table with a row for each job. `grouped`: an array with more than five members takes one row.
enum class Rows : std::uint8_t { grouped, each };
Table job_table(const boost::json::array& jobs, Instant now, bool wide, Rows rows = Rows::grouped);

}  // namespace ym::cli
