#include "engine/reason_details.h"

namespace ym::engine {

Details::Details() = default;
Details::Details(const Details& other) = default;
Details::Details(Details&& other) noexcept = default;
Details& Details::operator=(const Details& other) = default;
Details& Details::operator=(Details&& other) noexcept = default;
Details::~Details() = default;
bool Details::operator==(const Details& other) const {
  return static_cast<const DetailsVariant&>(*this) == static_cast<const DetailsVariant&>(other);
}

}  // namespace ym::engine
