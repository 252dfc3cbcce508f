// A reader of the store, lent by the server and given back at the end of its use.
#pragma once

#include <memory>
#include <utility>

#include "control/server.h"

namespace ym {

class ControlServer::ReaderLease {
 public:
  ReaderLease(ControlServer& server, std::unique_ptr<StoreReader> reader)
      : server_(&server), reader_(std::move(reader)) {}
  ReaderLease(ReaderLease&&) noexcept = default;
  ReaderLease& operator=(ReaderLease&&) = delete;
  ReaderLease(const ReaderLease&) = delete;
  ReaderLease& operator=(const ReaderLease&) = delete;
  ~ReaderLease() {
    if (!reader_) return;
    const std::lock_guard lock(server_->readers_mutex_);
    server_->idle_readers_.push_back(std::move(reader_));
  }
  StoreReader* operator->() const { return reader_.get(); }
  StoreReader& get() const { return *reader_; }

 private:
  ControlServer* server_;
  std::unique_ptr<StoreReader> reader_;
};

}  // namespace ym
