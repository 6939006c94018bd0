// The Fauna dialect: FQL v10 and FSL over HTTP. docs/dialects/fauna.md says what it offers and how
// it differs from the service.
#pragma once

#include <memory>

#include "dialect/dialect.h"
#include "dialect/row.h"

namespace mayfly {

struct FaunaOptions;  // options.h

DialectRow fauna_dialect();
std::unique_ptr<Dialect> make_fauna(const Services& services);
std::unique_ptr<Dialect> make_fauna(const Services& services, const FaunaOptions& options);

}  // namespace mayfly
