// Writes a draft as a document of a job file.
#pragma once

#include "spec/convert/draft.h"

namespace ym::convert {

// Several parts become groups. For keys that a group cannot have, the first part's value is written, with a warning
// if the parts differ. Precondition: there is a part.
Value document_of(const Draft& draft, Remarks& remarks);

}  // namespace ym::convert
