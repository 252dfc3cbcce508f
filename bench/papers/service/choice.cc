#include "papers/service/choice.h"

#include <algorithm>

namespace ym::sim::service {
namespace {

using Rank = std::size_t;  // 0: the most urgent

struct Ranked {
  double urgency = 0;  // rate per GPU
  JobNumber job = 0;
  Count gpus = 0;
  double rate = 0;
  std::size_t candidate = 0;
};

// Candidates by urgency, sorted as far as they are looked at: mostly a small part of those that wait.
class ByUrgency {
 public:
  explicit ByUrgency(std::span<const Candidate> candidates) {
    ranked_.reserve(candidates.size());
    for (const Candidate& one : candidates) {
      const double urgency = one.rate / static_cast<double>(one.gpus);
      ranked_.push_back({urgency, one.job, one.gpus, one.rate, ranked_.size()});
    }
  }

  std::size_t size() const { return ranked_.size(); }
  const Ranked& operator[](Rank rank) {
    while (rank >= sorted_) sort_more();
    return ranked_[rank];
  }

 private:
  static bool before(const Ranked& one, const Ranked& other) {
    return one.urgency != other.urgency ? one.urgency > other.urgency : one.job < other.job;
  }
  void sort_more() {
    const std::size_t until = std::min(ranked_.size(), 2 * sorted_ + 128);
    const auto at = [&](std::size_t place) { return ranked_.begin() + static_cast<std::ptrdiff_t>(place); };
    if (until < ranked_.size()) std::nth_element(at(sorted_), at(until), ranked_.end(), before);
    std::sort(at(sorted_), at(until), before);
    sorted_ = until;
  }

  std::vector<Ranked> ranked_;
  std::size_t sorted_ = 0;
};

class Chooser {
 public:
  Chooser(std::span<const Candidate> candidates, const ChoiceOptions& options)
      : order_(candidates), in_(candidates.size()), free_(options.gpus) {
    for (const Rank rank : fill(options.most_tried)) displace(rank);
  }

  std::vector<bool> chosen() {
    std::vector<bool> by_candidate(order_.size());
    for (const Rank rank : chosen_) by_candidate[order_[rank].candidate] = true;
    return by_candidate;
  }

 private:
  // The first of those that are passed over.
  std::vector<Rank> fill(std::size_t most_passed) {
    std::vector<Rank> passed;
    for (Rank rank = 0; rank < order_.size() && (free_ > 0 || passed.size() < most_passed); ++rank) {
      if (in_[rank]) continue;
      if (order_[rank].gpus <= free_) insert(rank);
      else if (passed.size() < most_passed) passed.push_back(rank);
    }
    return passed;
  }

  void insert(Rank rank) {
    in_[rank] = true;
    free_ -= order_[rank].gpus;
    chosen_.insert(std::ranges::upper_bound(chosen_, rank), rank);
  }

  void displace(Rank rank) {
    // It may have come in since, into room that another one left.
    if (in_[rank]) return;
    const Ranked& one = order_[rank];
    Count room = free_;
    double worth = 0;
    std::size_t stay = chosen_.size();
    for (; stay > 0 && room < one.gpus; --stay) {
      room += order_[chosen_[stay - 1]].gpus;
      worth += order_[chosen_[stay - 1]].rate;
    }
    if (room < one.gpus || worth >= one.rate) return;
    for (std::size_t i = stay; i < chosen_.size(); ++i) in_[chosen_[i]] = false;
    chosen_.resize(stay);
    free_ = room;
    insert(rank);
    fill(0);
  }

  ByUrgency order_;
  std::vector<bool> in_;      // by rank
  std::vector<Rank> chosen_;  // sorted
  Count free_;
};

}  // namespace

std::vector<bool> choose(std::span<const Candidate> candidates, const ChoiceOptions& options) {
  return Chooser(candidates, options).chosen();
}

}  // namespace ym::sim::service
