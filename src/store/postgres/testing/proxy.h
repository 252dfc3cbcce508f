// A proxy in front of a server's Unix socket. A test tells it when to fail.
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
  // What happens to the next message of a client.
  struct Fault {
    enum class Kind {
      cut_request,   // its first `bytes` are forwarded, then both sides are closed
      hold_request,  // its first `bytes` are forwarded, then nothing more; both sides stay open
      cut_answer,    // it is forwarded; both sides are closed when the answer comes
      hold_answer,   // it is forwarded; the answer is never delivered
    };
    Kind kind = Kind::cut_request;
    std::size_t bytes = 0;
  };

  // `server`: the folder with the server's socket.
  explicit Proxy(std::filesystem::path server);
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  // From any thread.
  void arm(Fault fault);
  bool is_armed() const;  // no client has sent a message since arm()
  // While `refused` is true, new connections are closed at once.
  void refuse(bool refused) { refused_ = refused; }

  // The folder with the proxy's socket.
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
