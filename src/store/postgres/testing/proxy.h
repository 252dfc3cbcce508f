// A proxy in front of a server's Unix socket that fails when it is told to. For tests.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace ym::postgres {

class Proxy {
 public:
  // What becomes of the next thing that a client sends.
  struct Fault {
    enum class Kind {
      cut_request,   // its first `bytes` are passed on, then both sides are closed
      hold_request,  // its first `bytes` are passed on, then nothing more, and nothing is closed
      cut_answer,    // it is passed on, and both sides are closed when the answer comes
      hold_answer,   // it is passed on, and the answer never arrives
    };
    Kind kind = Kind::cut_request;
    std::size_t bytes = 0;
  };

  // `server`: the folder of its socket.
  explicit Proxy(std::filesystem::path server);
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  // From any thread.
  void arm(Fault fault);
  bool is_armed() const;  // nothing was sent since
  // New connections are closed at once while it is so.
  void refuse(bool refused) { refused_ = refused; }

  // Where its own socket is.
  const std::filesystem::path& folder() const { return folder_; }

 private:
  struct Link {
    int client = -1, server = -1;
    std::optional<Fault::Kind> fault{};
    bool open = true;
  };
  void serve(const std::stop_token& stop);
  void accept();
  void pass_request(Link& link);
  void pass_answer(Link& link);
  std::optional<Fault> take_fault();
  static void close(Link& link);

  std::filesystem::path server_, folder_;
  int listener_ = -1;
  mutable std::mutex mutex_;
  std::optional<Fault> armed_;
  std::atomic<bool> refused_ = false;
  std::vector<Link> links_;
  std::jthread thread_;
};

}  // namespace ym::postgres
