// A version of a document as text: the same for product and model.
#pragma once

#include <string>

#include "simulate/model.h"

namespace mayfly::simulate {

struct Described {
  std::string_view id;
  Instant written_at;
  Lifetime lifetime;
  Instant created_at;
  std::uint64_t revision = 1;
  Instant death;
  std::string_view author;
  std::string_view updater;
  BytesView facet;
  Body body;
  std::optional<HoldModel> hold;
};
std::string describe(const Described& version);
std::string render(const Body& body);

}  // namespace mayfly::simulate
