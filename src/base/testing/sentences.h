// Sentences: what messages say, for all tests in one file, tests/sentences.txt. A test checks codes, pointers and
// numbers itself, and compares the sentence with the file. So a rewording is one file to read, and no test to change.
//
// The file has a section for each test, with its sentences in the order in which it asks. A test that asks for fewer
// than its section has fails. With YM_WRITE_SENTENCES=1 the sections of the tests that ran are written instead.
// Precondition: a test asks on its own thread. Sentences must not hold what changes from run to run, such as paths of
// temporary folders.
#pragma once

#include <source_location>
#include <string_view>

#include "base/result.h"

namespace ym::testing {

// The next sentence of the running test.
void expect_sentence(std::string_view sentence, std::source_location where = std::source_location::current());

// The error has this code, its first field this pointer (empty: it names no field), and its message is the next
// sentence.
void expect_error(const Error& error, ErrorCode code, std::string_view pointer,
                  std::source_location where = std::source_location::current());

// A failure that the test does not expect: there is a result.
void report_result(std::source_location where);

template <class T>
void expect_refused(const Result<T>& result, ErrorCode code, std::string_view pointer = {},
                    std::source_location where = std::source_location::current()) {
  if (result) report_result(where);
  else expect_error(result.error(), code, pointer, where);
}

}  // namespace ym::testing
