// Items of FSL and the documents that they are: one is made of the other, either way.
#pragma once

#include <optional>
#include <string>

#include "dialect/fauna/fsl/ast.h"
#include "dialect/fauna/schema/system.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

const SystemCollection& kind_of(const fsl::Item& item);
// What FQL would be given to define the same, without its name.
FqlObject document_of(const fsl::Item& item);

// The item that says what the document does. What FSL has no word for, such as `data`, is left out.
fsl::Item item_of(const SystemCollection& kind, const std::string& name, const FqlObject& document);
// The text of an item in the layout that all generated ones have, so that equal ones are equal.
std::string normal_text(const SystemCollection& kind, const std::string& name,
                        const FqlObject& document);
std::string normal_text(const fsl::Item& item);

}  // namespace mayfly::fauna
