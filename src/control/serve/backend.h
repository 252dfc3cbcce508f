// Backend: one server for the API, with all its ports.
#pragma once

#include <memory>

#include "control/serve/ports.h"
#include "control/serve/reads.h"

namespace ym {

// Parts of one server. Callers get it as a `std::shared_ptr<const Backend>`, which keeps that server alive.
struct Backend {
  const Reads& reads;
  Commands& commands;
  Advice& advice;
  Tasks& tasks;
};

// Precondition: `Server` has a member backend().
template <class Server>
std::shared_ptr<const Backend> backend_of(const std::shared_ptr<Server>& server) {
  return {server, &server->backend()};
}

}  // namespace ym
