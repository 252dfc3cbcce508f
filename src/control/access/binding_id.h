// The id of a binding.
#pragma once

#include <string>

#include "model/access/binding.h"

namespace ym {

// Twelve hexadecimal digits, made of its role, grantee and scope: the same three have the same id everywhere.
std::string binding_id(const Binding& binding);

}  // namespace ym
