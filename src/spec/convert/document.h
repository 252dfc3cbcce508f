// A draft as a document of a job file.
#pragma once

#include "spec/convert/draft.h"

namespace ym::convert {

// Several parts become groups; what groups cannot have each for itself is the first one's, with a warning where they
// differ. Precondition: there is a part.
Value document_of(const Draft& draft, Remarks& remarks);

}  // namespace ym::convert
