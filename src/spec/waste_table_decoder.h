// The table of `placement: final-waste`.
#pragma once

#include "model/waste_table.h"
#include "spec/field.h"

namespace ym::spec {

WasteTable::Content read_waste_table(const Field& field);

}  // namespace ym::spec
