// What executor and supervisor say to each other: lines over a unix socket.
//
// The supervisor greets with "ym-supervisor <version> <token> <task>" and tells its
// state, then each change of it: "waiting", "running", "ended" (the exit record is
// durable), and "progress <number> <ms> <text>" (raw_report.h), what user code has said of
// itself: to each who greets, all that it keeps of it, which is not all that was said; the
// exit record has the rest. Before the greeting it may say "taken" (another supervisor has
// this task) or "failed <why>" (it could not begin), and leave.
// The executor says "stop <cause> <signal> <grace in ms>", or "ping", which a supervisor
// answers with "pong". One of version 2 gives no notice and forwards no progress.
// Instead of "ended" it says "end <...>", the record itself, where that could not be kept because somebody has removed
// the task's folder; who does not know the line has nothing to read either.
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

// The descriptor on which a new supervisor finds the connection to its executor.
inline constexpr int kParentLink = 3;

inline constexpr std::string_view kPing = "ping", kPong = "pong";

std::string greeting(const Token& token, std::int32_t task);
// The supervisor's version, if the line greets for this task in one that this build
// understands.
std::optional<std::int64_t> greeted_version(std::string_view line, const Token& token, std::int32_t task);

std::string stop_line(const StopRequest& request);
std::optional<StopRequest> parse_stop(std::string_view line);

// Without its reports of progress.
std::string end_line(const ExitRecord& record);
std::optional<ExitRecord> parse_end(std::string_view line);

std::string progress_line(const RawReport& report);
std::optional<RawReport> parse_progress(std::string_view line);

// Cuts a stream into lines; a line past 20 KiB is a fault.
class LineReader {
 public:
  // Reads what is there (non-blocking). False at the end of the stream or on a fault;
  // lines that came before it are still in `lines`.
  bool read(int fd, std::vector<std::string>& lines);

 private:
  std::string rest_;
};

// Sends a line, whole or not at all, without ever blocking or raising a signal; false if it
// cannot be sent.
bool send_line(int fd, std::string_view line);

// The task's socket, through the open folder: the path may be longer than a socket
// address can hold. Both ends check that the other is the same user.
Result<Fd> listen_on(int task_folder);
Result<Fd> connect_to(int task_folder);
bool same_user(int fd);

}  // namespace ym::local
