// The protocol between executor and supervisor: lines over a unix socket.
//
// The supervisor greets with "ym-supervisor <version> <token> <task>". Then it sends its state and each change:
// "waiting", "running", "ended" (the exit record is durable), and "progress <number> <ms> <text>" (raw_report.h), a
// report of user code. It sends all reports that it retains to each new connection. It does not retain all; the exit
// record has the rest. Before the greeting it may send "taken" (another supervisor has this task) or "failed <why>" (it
// could not begin), and close.
// The executor sends "stop <cause> <signal> <grace in ms>", or "ping"; the supervisor answers "pong". A supervisor of
// version 2 gives no notice and forwards no progress.
// If the exit record could not be stored because the task's folder was removed, the supervisor sends "end <...>", the
// record itself, in place of "ended". Executors that do not know this line have no record to read either.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "executor/executor.h"
#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/raw_report.h"

namespace ym::local {

// A new supervisor finds the connection to its executor on this descriptor.
inline constexpr int kParentLink = 3;

inline constexpr std::string_view kPing = "ping", kPong = "pong";

std::string greeting(const Token& token, std::int32_t task);
// The version of the supervisor, if the line is a greeting for this task in a version that this build understands.
std::optional<std::int64_t> greeted_version(std::string_view line, const Token& token, std::int32_t task);

std::string stop_line(const StopRequest& request);
std::optional<StopRequest> parse_stop(std::string_view line);

// Without the progress reports.
std::string end_line(const ExitRecord& record);
std::optional<ExitRecord> parse_end(std::string_view line);

std::string progress_line(const RawReport& report);
std::optional<RawReport> parse_progress(std::string_view line);

// Splits a stream into lines; a line of more than 20 KiB is an error.
class LineReader {
 public:
  // Reads what is available, without blocking. False at the end of the stream or after an error; the lines before it
  // are in `lines`.
  bool read(int fd, std::vector<std::string>& lines);

 private:
  std::string rest_;
};

// Sends a line, whole or not at all. Never blocks and raises no signal. False: it was not sent.
bool send_line(int fd, std::string_view line);

// The socket of the task, addressed through the open folder, because its path may be longer than a socket address
// allows. Both ends check that the peer runs as the same user.
Result<Fd> listen_on(int task_folder);
Result<Fd> connect_to(int task_folder);
bool same_user(int fd);

}  // namespace ym::local
