// Opens files that a job may have replaced.
//
// A job can write where its log, its reports and its records lie: it may leave a pipe there, at which a reader waits
// for ever, or a link to a file that it may not read itself.
#pragma once

#include <expected>

#include "base/fd.h"

namespace ym {

// What open_plain_file says of a folder, a pipe, a socket or a device.
inline constexpr int kNoPlainFile = 124;  // EMEDIUMTYPE

// Opens for reading without waiting; what `path` ends at must be no link. `path` counts from `folder`, an open one or
// AT_FDCWD. Errors: errno; ELOOP for a link, kNoPlainFile.
std::expected<Fd, int> open_plain_file(int folder, const char* path);

}  // namespace ym
