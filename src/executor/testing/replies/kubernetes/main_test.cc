#include "executor/testing/replies/parts.h"

int main(int argc, char** argv) { return ym::replies::run_in_parts(argc, argv, 10); }
