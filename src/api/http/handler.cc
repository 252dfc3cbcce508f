#include "api/http/handler.h"

#include "api/problem.h"
#include "base/assert.h"

namespace ym::api {

Responder::~Responder() {
  if (!sink_) return;
  sink_([] { return busy("the server is stopping; try again"); });
}

void Responder::send(Response response) {
  send_from([response = std::move(response)]() mutable { return std::move(response); });
}

void Responder::send_from(Make make) {
  YM_ASSERT(sink_ != nullptr);
  std::exchange(sink_, {})(std::move(make));
}

}  // namespace ym::api
