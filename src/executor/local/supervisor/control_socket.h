// The supervisor's end of its connections.
#pragma once

#include <poll.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "executor/local/attempt/protocol.h"

namespace ym::local {

class ControlSocket {
 public:
  // The connection that the executor left open for us may be absent.
  explicit ControlSocket(Fd parent_link);

  Result<void> listen(int task_folder);

  // From now on each client is told `greeting`, and then the state.
  void greet(std::string greeting);
  // A new state; every client is told.
  void set_state(std::string state);
  // Whether some client has not been told all reports up to this number.
  bool is_behind(std::int64_t newest) const;
  // Tells each client what it has not heard, oldest first; one that cannot take it now stays
  // behind. Returns the most lines that any was told.
  std::int64_t tell(const std::vector<RawReport>& reports);
  // To the executor that started us, before the greeting.
  void tell_parent(std::string_view line);

  void add_to(std::vector<pollfd>& polled) const;
  // Accepts, reads, answers pings, and returns the other lines that came; clients that
  // left are dropped.
  std::vector<std::string> receive();

 private:
  struct Client {
    Fd fd;
    LineReader reader;
    std::int64_t heard = 0;  // the newest report's number
  };
  void accept_all();
  void welcome(const Client& client);

  Fd listener_;
  std::vector<Client> clients_;
  std::string greeting_, state_;
};

}  // namespace ym::local
