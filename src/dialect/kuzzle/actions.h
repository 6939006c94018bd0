// The actions of all routes; each answers one.
#pragma once

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// --- document ---
Result<std::string> create_document(Call& call);
Result<std::string> create_or_replace_document(Call& call);
Result<std::string> replace_document(Call& call);
Result<std::string> update_document(Call& call);
Result<std::string> upsert_document(Call& call);
Result<std::string> delete_document(Call& call);
Result<std::string> delete_fields(Call& call);
Result<std::string> get_document(Call& call);
Result<std::string> document_exists(Call& call);
Result<std::string> get_many(Call& call);
Result<std::string> exist_many(Call& call);
Result<std::string> create_many(Call& call);
Result<std::string> create_or_replace_many(Call& call);
Result<std::string> replace_many(Call& call);
Result<std::string> update_many(Call& call);
Result<std::string> upsert_many(Call& call);
Result<std::string> delete_many(Call& call);

// --- trash ---
Result<std::string> restore_document(Call& call);
Result<std::string> empty_trash(Call& call);

// --- collection ---
Result<std::string> create_collection(Call& call);
Result<std::string> update_collection(Call& call);
Result<std::string> delete_collection(Call& call);
Result<std::string> collection_exists(Call& call);
Result<std::string> list_collections(Call& call);
Result<std::string> get_mapping(Call& call);
Result<std::string> refresh_collection(Call& call);
Result<std::string> truncate_collection(Call& call);

// --- index ---
Result<std::string> create_index(Call& call);
Result<std::string> delete_index(Call& call);
Result<std::string> delete_indexes(Call& call);
Result<std::string> index_exists(Call& call);
Result<std::string> list_indexes(Call& call);
Result<std::string> refresh_index(Call& call);

// --- bulk ---
Result<std::string> import_bulk(Call& call);

// --- server ---
Result<std::string> tell_now(Call& call);
Result<std::string> tell_info(Call& call);
Result<std::string> tell_api(Call& call);
Result<std::string> check_health(Call& call);
Result<std::string> get_config(Call& call);

// --- auth ---
Result<std::string> check_token(Call& call);
Result<std::string> get_current_user(Call& call);

}  // namespace mayfly::kuzzle
