// Budget: a limit that all connections share. Lock-free.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace ym::api {

class Budget {
 public:
  // An amount that is taken from the budget until the share is destroyed.
  class Share {
   public:
    Share() = default;
    Share(Share&& other) noexcept : budget_(std::exchange(other.budget_, nullptr)), amount_(other.amount_) {}
    Share& operator=(Share&& other) noexcept {
      std::swap(budget_, other.budget_);
      std::swap(amount_, other.amount_);
      return *this;
    }
    ~Share() {
      if (budget_ != nullptr) budget_->used_.fetch_sub(amount_, std::memory_order_relaxed);
    }
    explicit operator bool() const { return budget_ != nullptr; }

   private:
    friend class Budget;
    Share(Budget* budget, std::size_t amount) : budget_(budget), amount_(amount) {}
    Budget* budget_ = nullptr;
    std::size_t amount_ = 0;
  };

  explicit Budget(std::size_t total) : total_(total) {}

  // An empty share if the total would be exceeded.
  Share take(std::size_t amount) {
    if (used_.fetch_add(amount, std::memory_order_relaxed) + amount <= total_) return {this, amount};
    used_.fetch_sub(amount, std::memory_order_relaxed);
    return {};
  }

 private:
  std::atomic<std::size_t> used_{0};
  const std::size_t total_;
};

}  // namespace ym::api
