// The actions of all routes; each answers one.
#pragma once

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// --- document ---
Result<std::string> create_document(KuzzleCall& call);
Result<std::string> create_or_replace_document(KuzzleCall& call);
Result<std::string> replace_document(KuzzleCall& call);
Result<std::string> update_document(KuzzleCall& call);
Result<std::string> upsert_document(KuzzleCall& call);
Result<std::string> delete_document(KuzzleCall& call);
Result<std::string> delete_fields(KuzzleCall& call);
Result<std::string> get_document(KuzzleCall& call);
Result<std::string> document_exists(KuzzleCall& call);
Result<std::string> get_many(KuzzleCall& call);
Result<std::string> exist_many(KuzzleCall& call);
Result<std::string> create_many(KuzzleCall& call);
Result<std::string> create_or_replace_many(KuzzleCall& call);
Result<std::string> replace_many(KuzzleCall& call);
Result<std::string> update_many(KuzzleCall& call);
Result<std::string> upsert_many(KuzzleCall& call);
Result<std::string> delete_many(KuzzleCall& call);
Result<std::string> search_documents(KuzzleCall& call);
Result<std::string> continue_scroll(KuzzleCall& call);
Result<std::string> count_documents(KuzzleCall& call);
Result<std::string> delete_by_query(KuzzleCall& call);
Result<std::string> update_by_query(KuzzleCall& call);
Result<std::string> validate_document(KuzzleCall& call);
Result<std::string> export_documents(KuzzleCall& call);

// --- realtime ---
Result<std::string> subscribe(KuzzleCall& call);
Result<std::string> join(KuzzleCall& call);
Result<std::string> unsubscribe(KuzzleCall& call);
Result<std::string> count_subscribers(KuzzleCall& call);
Result<std::string> list_subscriptions(KuzzleCall& call);
Result<std::string> publish(KuzzleCall& call);

// --- trash ---
Result<std::string> restore_document(KuzzleCall& call);
Result<std::string> empty_trash(KuzzleCall& call);

// --- collection ---
Result<std::string> create_collection(KuzzleCall& call);
Result<std::string> update_collection(KuzzleCall& call);
Result<std::string> delete_collection(KuzzleCall& call);
Result<std::string> collection_exists(KuzzleCall& call);
Result<std::string> list_collections(KuzzleCall& call);
Result<std::string> get_mapping(KuzzleCall& call);
Result<std::string> refresh_collection(KuzzleCall& call);
Result<std::string> truncate_collection(KuzzleCall& call);
Result<std::string> get_settings(KuzzleCall& call);
Result<std::string> get_specifications(KuzzleCall& call);
Result<std::string> update_specifications(KuzzleCall& call);
Result<std::string> validate_specifications(KuzzleCall& call);
Result<std::string> delete_specifications(KuzzleCall& call);
Result<std::string> search_specifications(KuzzleCall& call);
Result<std::string> scroll_specifications(KuzzleCall& call);

// --- index ---
Result<std::string> create_index(KuzzleCall& call);
Result<std::string> delete_index(KuzzleCall& call);
Result<std::string> delete_indexes(KuzzleCall& call);
Result<std::string> index_exists(KuzzleCall& call);
Result<std::string> list_indexes(KuzzleCall& call);
Result<std::string> refresh_index(KuzzleCall& call);
Result<std::string> get_auto_refresh(KuzzleCall& call);
Result<std::string> set_auto_refresh(KuzzleCall& call);
Result<std::string> refresh_internal(KuzzleCall& call);
Result<std::string> index_statistics(KuzzleCall& call);

// --- bulk ---
Result<std::string> import_bulk(KuzzleCall& call);
Result<std::string> write_with_metadata(KuzzleCall& call);
Result<std::string> write_many_with_metadata(KuzzleCall& call);
Result<std::string> bulk_delete_by_query(KuzzleCall& call);
Result<std::string> bulk_update_by_query(KuzzleCall& call);

// --- admin ---
Result<std::string> reset_cache(KuzzleCall& call);
Result<std::string> reset_database(KuzzleCall& call);
Result<std::string> reset_security(KuzzleCall& call);
Result<std::string> reset_kuzzle_data(KuzzleCall& call);
Result<std::string> load_mappings(KuzzleCall& call);
Result<std::string> load_fixtures(KuzzleCall& call);
Result<std::string> load_securities(KuzzleCall& call);
Result<std::string> dump(KuzzleCall& call);
Result<std::string> shut_down(KuzzleCall& call);
Result<std::string> refresh_index_cache(KuzzleCall& call);

// --- server ---
Result<std::string> get_server_time(KuzzleCall& call);
Result<std::string> get_server_info(KuzzleCall& call);
Result<std::string> get_public_api(KuzzleCall& call);
Result<std::string> get_open_api(KuzzleCall& call);
Result<std::string> check_health(KuzzleCall& call);
Result<std::string> get_config(KuzzleCall& call);
Result<std::string> get_capabilities(KuzzleCall& call);
Result<std::string> get_metrics(KuzzleCall& call);
Result<std::string> get_stats(KuzzleCall& call);
Result<std::string> get_last_stats(KuzzleCall& call);
Result<std::string> get_all_stats(KuzzleCall& call);

Result<std::string> cluster_status(KuzzleCall& call);
Result<std::string> debug(KuzzleCall& call);

// --- auth ---
Result<std::string> log_in(KuzzleCall& call);
Result<std::string> log_out(KuzzleCall& call);
Result<std::string> refresh_token(KuzzleCall& call);
Result<std::string> create_token(KuzzleCall& call);
Result<std::string> check_token(KuzzleCall& call);
Result<std::string> get_current_user(KuzzleCall& call);
Result<std::string> get_my_rights(KuzzleCall& call);
Result<std::string> update_self(KuzzleCall& call);
Result<std::string> get_strategies(KuzzleCall& call);
Result<std::string> have_credentials(KuzzleCall& call);
Result<std::string> get_credentials(KuzzleCall& call);
Result<std::string> create_credentials(KuzzleCall& call);
Result<std::string> update_credentials(KuzzleCall& call);
Result<std::string> delete_credentials(KuzzleCall& call);
Result<std::string> validate_credentials(KuzzleCall& call);
Result<std::string> create_api_key(KuzzleCall& call);
Result<std::string> search_api_keys(KuzzleCall& call);
Result<std::string> delete_api_key(KuzzleCall& call);
Result<std::string> check_rights(KuzzleCall& call);

// --- security: of users, profiles and roles; the action's name says which ---
Result<std::string> create_first_admin(KuzzleCall& call);
Result<std::string> admin_exists(KuzzleCall& call);
Result<std::string> create_user(KuzzleCall& call);
Result<std::string> create_restricted_user(KuzzleCall& call);
Result<std::string> upsert_user(KuzzleCall& call);
Result<std::string> replace_user(KuzzleCall& call);
Result<std::string> revoke_tokens(KuzzleCall& call);
Result<std::string> restrict_default_rights(KuzzleCall& call);
Result<std::string> create_security(KuzzleCall& call);
Result<std::string> create_or_replace_security(KuzzleCall& call);
Result<std::string> update_security(KuzzleCall& call);
Result<std::string> get_security(KuzzleCall& call);
Result<std::string> get_many_security(KuzzleCall& call);
Result<std::string> delete_security(KuzzleCall& call);
Result<std::string> delete_many_security(KuzzleCall& call);
Result<std::string> search_security(KuzzleCall& call);
Result<std::string> scroll_security(KuzzleCall& call);
Result<std::string> get_security_mapping(KuzzleCall& call);
Result<std::string> update_security_mapping(KuzzleCall& call);
Result<std::string> refresh_security(KuzzleCall& call);
Result<std::string> get_user_strategies(KuzzleCall& call);
Result<std::string> get_credentials_by_id(KuzzleCall& call);
Result<std::string> search_users_by_credentials(KuzzleCall& call);
Result<std::string> get_credential_fields(KuzzleCall& call);
Result<std::string> get_all_credential_fields(KuzzleCall& call);
Result<std::string> get_rights(KuzzleCall& call);

}  // namespace mayfly::kuzzle
