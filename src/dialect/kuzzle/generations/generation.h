// Generation: one of the three forms of Kuzzle's API that clients use, as a row of facts. What a
// generation writes differently is a function of its renderer (renderer.h). Nothing outside this
// folder asks which generation it is: it reads a fact or calls the renderer.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/kuzzle/generations/words.h"
#include "value/value.h"

namespace mayfly::kuzzle {

class Renderer;   // renderer.h
struct ErrorRow;  // errors.h
namespace realtime {
struct ChangedFields;  // realtime/notification.h
}

// Which specifications the body of a request contains.
enum class SpecificationsInBody {
  one,          // of the collection that the arguments name
  by_its_form,  // one if the body has the form of one, otherwise several by collection
  by_arguments  // one if the arguments name a collection, unless the body has a member for it
};

struct Generation {
  std::string_view name;     // in requests and settings
  std::string_view version;  // as the server reports it

  // --- documents and their metadata ---
  bool has_meta;         // shown in `_meta`
  bool has_kuzzle_info;  // shown in `_source._kuzzle_info`
  bool shows_removal;    // says whether and when the document was put into the trashcan

  // --- answers ---
  std::string_view list_of_many;  // the member with the documents that one request names
  std::span<const std::string_view> scroll_id_members;
  bool leaves_out_trashed;  // requested documents in the trashcan are not listed as missing
  std::string_view answer_to_new_index;
  bool has_node;                // names the server
  bool has_error_details;       // lists reasons beside the error; otherwise in its message
  bool has_mapping_default;     // a mapping shows `dynamic` even if no client has set it
  bool shows_security_mapping;  // the answer to a change of it shows it
  bool shows_login_expiry;
  bool has_realtime_config;  // among the server's settings
  bool import_errors_have_documents;
  bool wraps_failed_documents;  // each error of a many-document write has it in `document`
  // The fields that an update has changed, in its notifications; null: not shown.
  std::vector<std::string> realtime::ChangedFields::* changed_fields;
  std::string_view empty_token_check;  // of auth:checkToken without a token; empty: it is invalid

  // --- requests ---
  bool takes_source_flag;            // `source` adds documents to the answers to writes
  bool takes_targets;                // a search may be in several collections
  bool takes_strict_flag;            // with `strict`, one failed document makes the answer an error
  bool takes_whole_searches;         // of users, profiles and roles; otherwise only some members
  bool takes_wrong_ids;              // lists ids that are no texts; otherwise refuses the request
  bool shows_missing_as_errors;      // documents that are not there are errors beside the others
  bool has_collection_name_rules;    // refuses dots, and a reserved name
  bool checks_whole_mappings;        // refuses unknown members
  bool checks_security_names;        // refuses unknown names in roles, and if `strict` in policies
  bool hides_reserved_indexes;       // they do not exist; otherwise naming one is refused
  bool makes_missing_indexes;        // with their first collection
  bool has_auto_refresh_of_missing;  // accepts the setting for an index that does not exist
  bool resets_profiles;              // when the default rights are restricted
  std::string_view existing_users;   // the default of `onExistingUsers`
  SpecificationsInBody specifications;

  // --- errors ---
  int ErrorRow::* error_status;
  const Words& words;

  const Renderer& (*renderer)();
};

namespace generations {
extern const Generation v1;       // 1.2
extern const Generation v1_late;  // 1.12
extern const Generation v2;
}  // namespace generations

// The generation of the client's library in `volatile`; null: none is named.
const Generation* generation_of_library(const Value& volatile_data);
// The generation with that name; null: there is none.
const Generation* generation_of_version(std::string_view name);

}  // namespace mayfly::kuzzle
