#include "engine/preemption/simulated_evictions.h"

#include <algorithm>

namespace ym::engine {

void SimulatedEvictions::go(const Candidate& one) {
  room_.depart(one);
  gone_.push_back(one);
  known_.grow_to(one.running->number);
  known_[one.running->number] = true;
}

void SimulatedEvictions::return_last() {
  room_.stay(gone_.back());
  known_[gone_.back().running->number] = false;
  gone_.pop_back();
}

// A job of another queue only while its usage is lent.
bool SimulatedEvictions::may_depart(const Candidate& one) {
  if (one.own) return true;
  if (one.running->tentative)
    return is_lent(room_.claimant(), *one.running->place, contested_kinds(room_.claimant()), one.lent);
  if (!contested_) contested_ = contested_kinds(room_.claimant());
  return is_lent(room_.claimant(), *one.running->place, *contested_, one.lent);
}

bool SimulatedEvictions::depart(const Candidate& one) {
  if (is_known(*one.running)) return true;
  if (!may_depart(one)) return false;
  go(one);
  return true;
}

bool SimulatedEvictions::depart_all(Candidates some) {
  std::ranges::sort(some, leaves_before);
  const std::size_t before = gone_.size();
  if (std::ranges::all_of(some, [&](const Candidate& one) { return depart(one); })) return true;
  while (gone_.size() > before) return_last();
  return false;
}

void SimulatedEvictions::depart_fresh(const Candidates& candidates) {
  for (const Candidate& one : candidates)
    if (one.running->tentative) depart(one);
}

void SimulatedEvictions::shorten(std::size_t least) {
  const Candidates all = gone_;
  std::size_t enough = all.size();
  const auto first = [&](std::size_t count) {
    while (gone_.size() > count) return_last();
    while (gone_.size() < count) go(all[gone_.size()]);
  };
  while (least + 1 < enough) {
    const std::size_t middle = least + (enough - least) / 2;
    first(middle);
    (has_room() ? enough : least) = middle;
  }
  first(enough);
}

// Brings back a range of jobs if there is still room.
bool SimulatedEvictions::try_to_return(std::size_t from, std::size_t to) {
  const auto begin = gone_.begin() + static_cast<std::ptrdiff_t>(from);
  const auto end = gone_.begin() + static_cast<std::ptrdiff_t>(to);
  const Candidates part(begin, end);
  std::for_each(part.rbegin(), part.rend(), [&](const Candidate& one) { room_.stay(one); });
  gone_.erase(begin, end);
  if (has_room()) return true;
  for (const Candidate& one : part) room_.depart(one);
  gone_.insert(gone_.begin() + static_cast<std::ptrdiff_t>(from), part.begin(), part.end());
  return false;
}

// By halves: each needed job is found in a logarithmic number of steps. The result is the same as one by one: a job
// that is needed with all others gone is also needed with fewer gone.
void SimulatedEvictions::thin(std::size_t from, std::size_t to) {
  if (from == to || try_to_return(from, to) || to - from == 1) return;
  const std::size_t middle = from + (to - from) / 2;
  thin(middle, to);
  thin(from, middle);
}

// Repeats while that helps: a job that had to leave for the right to another may come back if that one does.
void SimulatedEvictions::thin() {
  Candidates all = gone_;
  come_back();
  std::ranges::sort(all, before);
  for (const Candidate& one : all) go(one);
  for (std::size_t left = gone_.size() + 1; gone_.size() < left;) {
    left = gone_.size();
    thin(0, left);
  }
}

void SimulatedEvictions::come_back() {
  room_.trial().roll_back(mark_);
  gone_.clear();
  known_.clear();
}

}  // namespace ym::engine
