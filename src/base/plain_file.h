// Opens files that a job may have replaced.
//
// A job can write to the folders of its log, its reports and its records. It may leave a pipe there, which blocks a
// reader for ever, or a link to a file that the job itself may not read.
#pragma once

#include <expected>

#include "base/fd.h"

namespace ym {

// The error of open_plain_file for a folder, a pipe, a socket or a device.
inline constexpr int kNoPlainFile = 124;  // EMEDIUMTYPE

// Opens for reading without waiting. `path` is relative to `folder`: an open folder, or AT_FDCWD. Its last part must
// not be a link. Errors: errno; ELOOP for a link, kNoPlainFile.
std::expected<Fd, int> open_plain_file(int folder, const char* path);

}  // namespace ym
