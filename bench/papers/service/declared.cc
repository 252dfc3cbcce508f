#include "papers/service/declared.h"

#include <algorithm>

namespace ym::sim::service {

double declared_left_us(double declared_us, Micros done_us) {
  const auto done = static_cast<double>(done_us);
  while (declared_us <= done) declared_us *= 2;
  return declared_us - done;
}

double declared_rate(double declared_us, Micros done_us, Micros restart_us) {
  const double left_us = declared_left_us(declared_us, done_us) + static_cast<double>(restart_us);
  return static_cast<double>(kSecond) / std::max(left_us, 1.0);
}

Micros declared_outlived_in_us(double declared_us, Micros done_us) {
  return static_cast<Micros>(declared_left_us(declared_us, done_us)) + 1;
}

}  // namespace ym::sim::service
