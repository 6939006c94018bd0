#include "delivery/message.h"

#include <fmt/format.h>

namespace mayfly::delivery {

// REACHES OTHERS: receivers keep ids to recognise repetitions.
std::string message_id(std::string_view origin, CollectionId collection, const Event& event) {
  return fmt::format("{}{}{}-{}-{}", origin, origin.empty() ? "" : "-", collection,
                     event.committed_at.micros, event.number);
}

}  // namespace mayfly::delivery
