// A reader of the store, taken from the idle ones and given back at the end of its use.
#pragma once

#include <memory>
#include <utility>

#include "control/serve/reads.h"

namespace ym {

class Reads::ReaderLease {
 public:
  ReaderLease(const Reads& reads, std::unique_ptr<StoreReader> reader) : reads_(&reads), reader_(std::move(reader)) {}
  ReaderLease(ReaderLease&&) noexcept = default;
  ReaderLease& operator=(ReaderLease&&) = delete;
  ReaderLease(const ReaderLease&) = delete;
  ReaderLease& operator=(const ReaderLease&) = delete;
  ~ReaderLease() {
    if (!reader_) return;
    const std::lock_guard lock(reads_->readers_mutex_);
    reads_->idle_readers_.push_back(std::move(reader_));
  }
  StoreReader* operator->() const { return reader_.get(); }
  StoreReader& get() const { return *reader_; }

 private:
  const Reads* reads_;
  std::unique_ptr<StoreReader> reader_;
};

}  // namespace ym
