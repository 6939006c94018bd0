// Space: a consistent snapshot of the memory storage for one request: one command, or all commands
// of a transaction (mexecute). A request that writes has a transaction, and is repeated after a
// conflict.
//
// Threads: one at a time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/random.h"
#include "dialect/kuzzle/memory/entry.h"
#include "dialect/kuzzle/memory/words.h"
#include "expr/evaluation/meter.h"

namespace mayfly::kuzzle::memory {

using Table = PrivateTable<Entry>;

class Space {
 public:
  // What these refer to outlives the Space. With a view it only reads.
  Space(View& view, Meter meter, Random& random);
  Space(Transaction& transaction, Meter meter, Random& random);

  // Whether the private table exists; without it there are no keys, and none can be written.
  bool has_table() const { return static_cast<bool>(table_); }
  Instant now() const { return view_.now(); }
  Random& random() { return random_; }

  // Every read fails with too_large once the request has read memory_read_bytes_max, and with
  // timed_out at the end of the request's time. On an event loop, reads and writes of values over
  // memory_loop_bytes_max fail with contended; a worker then repeats the request.
  Result<std::optional<Entry>> find(const std::string& key);
  // Keeps no value in memory, so it may be called for any number of keys.
  Result<bool> has(const std::string& key);
  // A missing key is an empty value. Fails with invalid and Redis's message if the key holds
  // another type; so do the next two.
  template <class Type>
  Result<Type> read(const std::string& key) {
    return std::get<Type>(TRY(open<Type>(key)).content);
  }
  // The same, with the expiration, to be changed and written back.
  template <class Type>
  Result<Entry> open(const std::string& key) {
    auto entry = TRY(find_as<Type>(key));
    return entry ? *std::move(entry) : Entry{.content = Type()};
  }
  template <class Type>
  Result<std::optional<Entry>> find_as(const std::string& key) {
    return find_of_type(key, Content(Type()).index());
  }
  // When the key expires, whatever its type; nothing if it does not exist.
  Result<std::optional<Instant>> find_end(const std::string& key);

  // Writes the whole value. A key whose value has no members is removed. Fails with too_large over
  // the bounds of a value. This and the next two require a transaction and has_table().
  Result<void> put(const std::string& key, const Entry& entry);
  // Sets the key's expiration; the same one counts as a write, too. Fails with not_found.
  Result<void> put_end(const std::string& key, Instant ends_at);
  // Returns whether the key existed.
  Result<bool> remove(const std::string& key);

  // Visits every key from this hash on, ordered by hash, until `visit` returns false.
  using Visit = std::function<Result<bool>(std::string_view key, std::uint64_t hash)>;
  Result<void> each_from(std::uint64_t hash, std::size_t rows_at_once, const Visit& visit);

  // Charges bytes that are repeated in an answer as if they had been read.
  Result<void> charge(std::size_t bytes);
  Result<void> tick(std::size_t n);

 private:
  Result<std::optional<Document>> find_document(const std::string& key);
  Result<std::optional<Entry>> find_of_type(const std::string& key, std::size_t type);

  View& view_;
  Transaction* const transaction_;  // null: reading only
  const Table table_;
  Meter meter_;
  Random& random_;
  std::size_t charged_bytes_ = 0;
};

// Fails with invalid if the name is not valid for a key.
Result<void> check_key(std::string_view key);

// An expiration after a span, or at an instant. Each fails as Redis does if a document cannot
// expire then. The error names `command`.
Result<Instant> end_after(const Space& space, std::int64_t n, Span unit, std::string_view command);
Result<Instant> end_at(std::int64_t n, Span unit, std::string_view command);

}  // namespace mayfly::kuzzle::memory
