#include "executor/testing/recorded_responses/parts.h"

int main(int argc, char** argv) { return ym::recorded::run_in_parts(argc, argv, 16); }
