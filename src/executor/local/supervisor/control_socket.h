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
  // The connection that the executor passed to this process may be absent.
  explicit ControlSocket(Fd parent_link);

  Result<void> listen(int task_folder);

  // From now on each client gets `greeting`, and then the state.
  void greet(std::string greeting);
  // Sends a new state to every client.
  void set_state(std::string state);
  // Whether a client has not got all reports up to this number.
  bool is_behind(std::int64_t newest) const;
  // Sends each client its missing reports, oldest first; a client that cannot take them now stays behind. Returns the
  // largest number of lines that one client got.
  std::int64_t tell(const std::vector<RawReport>& reports);
  // Sends a line to the executor that started this supervisor, before the greeting.
  void tell_parent(std::string_view line);

  void add_to(std::vector<pollfd>& polled) const;
  // Accepts connections, reads, answers pings, and returns the other lines. Removes clients that have closed.
  std::vector<std::string> receive();

 private:
  struct Client {
    Fd fd;
    LineReader reader;
    std::int64_t heard = 0;  // number of the newest report that it got
  };
  void accept_all();
  void welcome(const Client& client);

  Fd listener_;
  std::vector<Client> clients_;
  std::string greeting_, state_;
};

}  // namespace ym::local
