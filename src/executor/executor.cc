#include "executor/executor.h"

namespace ym {

ObservedFact::ObservedFact() = default;
ObservedFact::ObservedFact(const ObservedFact& other) = default;
ObservedFact::ObservedFact(ObservedFact&& other) noexcept = default;
ObservedFact& ObservedFact::operator=(const ObservedFact& other) = default;
ObservedFact& ObservedFact::operator=(ObservedFact&& other) noexcept = default;
ObservedFact::~ObservedFact() = default;

}  // namespace ym
