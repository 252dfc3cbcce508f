// Backend: one server as the API sees it, all of its doors together.
#pragma once

#include <memory>

#include "control/serve/ports.h"
#include "control/serve/reads.h"

namespace ym {

// Parts of one server. It is given out as a `std::shared_ptr<const Backend>`, which keeps that server alive.
struct Backend {
  const Reads& reads;
  Commands& commands;
  Advice& advice;
  Tasks& tasks;
};

// `Server` has its own as `backend()`.
template <class Server>
std::shared_ptr<const Backend> backend_of(const std::shared_ptr<Server>& server) {
  return {server, &server->backend()};
}

}  // namespace ym
