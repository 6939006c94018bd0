#include "dialect/kuzzle/memory/space.h"

#include <fmt/format.h>

#include "base/threads/no_wait.h"
#include "db/rows/keys.h"
#include "dialect/kuzzle/memory/limits.h"

namespace mayfly::kuzzle::memory {
namespace {

// Reading a byte takes about a nanosecond, a tick stands for some hundred.
constexpr std::size_t bytes_per_tick = 64;

bool is_empty_collection(const Content& content) {
  // A value without elements still exists; its count is zero.
  const bool is_collection =
      !std::holds_alternative<Text>(content) && !std::holds_alternative<Elements>(content);
  return is_collection && members_of(content) == 0;
}

// Fails with contended on the thread of an event loop if the value is large.
Result<void> leave_to_worker(std::size_t bytes) {
  if (bytes <= limits::memory_loop_bytes_max || !NoWait::refuses()) return {};
  return fail(Code::contended, "a worker reads and writes large values");
}

Lifetime lifetime_until(Instant ends_at) {
  if (ends_at.is_never()) return Never{};
  return At{ends_at};
}

}  // namespace

Result<void> check_key(std::string_view key) {
  if (key.empty()) return refused("ERR a key has at least one character");
  if (key.size() > limits::memory_key_bytes_max) {
    return fail(Code::too_large,
                fmt::format("a key has at most {} bytes", limits::memory_key_bytes_max));
  }
  if (key.find('\0') != std::string_view::npos) return refused("ERR a key has no NUL");
  return {};
}

Space::Space(View& view, Meter meter, Random& random)
    : view_(view),
      transaction_(nullptr),
      table_(Table::find(view.catalog())),
      meter_(meter),
      random_(random) {}

Space::Space(Transaction& transaction, Meter meter, Random& random)
    : view_(transaction.view()),
      transaction_(&transaction),
      table_(Table::find(view_.catalog())),
      meter_(meter),
      random_(random) {}

Result<std::optional<Document>> Space::find_document(const std::string& key) {
  TRY(check_key(key));
  TRY(tick(1));
  if (!table_) return std::nullopt;
  auto document = TRY(view_.get(*table_.collection(), key_of(key), view_.live()));
  if (document) TRY(tick(document->body.bytes().size() / bytes_per_tick));
  return document;
}

Result<std::optional<Entry>> Space::find(const std::string& key) {
  const auto document = TRY(find_document(key));
  if (!document) return std::nullopt;
  const std::size_t bytes = document->body.bytes().size();
  TRY(leave_to_worker(bytes));
  TRY(charge(bytes));
  return table_.decode(*document);
}

// Values of another type are not decoded.
Result<std::optional<Entry>> Space::find_of_type(const std::string& key, std::size_t type) {
  const auto document = TRY(find_document(key));
  if (!document) return std::nullopt;
  const auto stored = stored_type(*document);
  if (stored && *stored != type) return wrong_type_of_value();
  const std::size_t bytes = document->body.bytes().size();
  TRY(leave_to_worker(bytes));
  TRY(charge(bytes));
  return table_.decode(*document);
}

Result<std::optional<Instant>> Space::find_end(const std::string& key) {
  const auto document = TRY(find_document(key));
  return document ? std::optional(document->death) : std::nullopt;
}

Result<bool> Space::has(const std::string& key) {
  return TRY(find_document(key)).has_value();
}

Result<void> Space::put(const std::string& key, const Entry& entry) {
  TRY(check_key(key));
  if (is_empty_collection(entry.content)) {
    TRY(remove(key));
    return {};
  }
  TRY(check_bounds(entry.content));
  TRY(leave_to_worker(bytes_of(entry.content)));
  return table_.put(*transaction_, key_of(key), entry, {.lifetime = lifetime_until(entry.ends_at)});
}

Result<void> Space::put_end(const std::string& key, Instant ends_at) {
  const auto document = TRY(find_document(key));
  if (!document) return fail(Code::not_found, "there is no such key");
  TRY(leave_to_worker(document->body.bytes().size()));
  TRY(transaction_->put(table_.collection(), key_of(key), Bytes(document->body.bytes()),
                        {.lifetime = lifetime_until(ends_at)}));
  return {};
}

Result<bool> Space::remove(const std::string& key) {
  TRY(check_key(key));
  TRY(tick(1));
  const auto removed = table_.remove(*transaction_, key_of(key));
  if (removed) return true;
  if (removed.error().code == Code::not_found) return false;
  return tl::unexpected(removed.error());
}

Result<void> Space::each_from(std::uint64_t hash, std::size_t rows_at_once, const Visit& visit) {
  if (!table_) return {};
  DocumentRange range{.from = keys::encode(DocumentKey::of(first_id_of(hash))),
                      .rows_max = rows_at_once};
  for (bool more = true; more;) {
    const DocumentPage page = TRY(view_.scan(*table_.collection(), range, view_.live()));
    TRY(tick(page.rows_read));
    for (const Document& document : page.documents) {
      TRY(tick(document.body.bytes().size() / bytes_per_tick));
      if (!TRY(visit(name_in(document.id), hash_in(document.id)))) return {};
    }
    more = page.next.has_value();
    if (more) range.from = *page.next;
  }
  return {};
}

Result<void> Space::charge(std::size_t bytes) {
  charged_bytes_ += bytes;
  if (charged_bytes_ > limits::memory_read_bytes_max) return too_much_at_once();
  return tick(bytes / bytes_per_tick);
}

Result<void> Space::tick(std::size_t n) {
  return meter_.tick(static_cast<std::uint32_t>(n));
}

Result<Instant> end_after(const Space& space, std::int64_t n, Span unit, std::string_view command) {
  const __int128 micros = static_cast<__int128>(n) * unit.micros + space.now().micros;
  if (micros > limits::instant_max.micros || micros < limits::instant_min.micros) {
    return invalid_end(command);
  }
  return Instant{static_cast<std::int64_t>(micros)};
}

Result<Instant> end_at(std::int64_t n, Span unit, std::string_view command) {
  const __int128 micros = static_cast<__int128>(n) * unit.micros;
  if (micros > limits::instant_max.micros || micros < limits::instant_min.micros) {
    return invalid_end(command);
  }
  return Instant{static_cast<std::int64_t>(micros)};
}

}  // namespace mayfly::kuzzle::memory
