#include "dialect/native/subscriptions/event_format.h"

#include "dialect/native/documents/envelope.h"
#include "dialect/native/documents/feed.h"
#include "value/json/writer.h"

namespace mayfly::native {
namespace {

// Null if it is not kept or cannot be read.
const Document* document_of(EventImages* images) {
  if (images == nullptr) return nullptr;
  const auto& image = images->document();
  return image ? &*image : nullptr;
}

Result<void> render(const delivery::MessageParts& parts, std::string& out) {
  const delivery::Message& message = parts.message;
  JsonWriter json(out);
  json.begin_object();
  json.member("id", message.id);
  json.member("database", message.database);
  json.member("collection", message.collection);
  json.name("event");
  render_event(parts.event, out);
  json.name("document");
  if (const Document* document = document_of(parts.images)) {
    render_document(*document, {}, out);
  } else {
    json.null();
  }
  json.end_object();
  return {};
}

}  // namespace

delivery::Format event_format() {
  return {.name = event_format_name,
          .event_name = [](Event::Kind kind) { return name_of(kind); },
          .render = render};
}

}  // namespace mayfly::native
