// Converts between items of FSL and the documents that define them.
#pragma once

#include <optional>
#include <string>

#include "dialect/fauna/fsl/ast.h"
#include "dialect/fauna/schema/system.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

const SystemCollection& kind_of(const fsl::Item& item);
// The document that would define the item in FQL, without its name.
FqlObject document_of(const fsl::Item& item);

// The item that is equivalent to the document. Members that FSL cannot express, such as `data`, are
// left out.
fsl::Item item_of(const SystemCollection& kind, const std::string& name, const FqlObject& document);
// The text of an item in the generated layout, so that equal items have equal texts.
std::string normal_text(const SystemCollection& kind, const std::string& name,
                        const FqlObject& document);
std::string normal_text(const fsl::Item& item);

}  // namespace mayfly::fauna
