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
Result<std::string> search_documents(Call& call);
Result<std::string> continue_scroll(Call& call);
Result<std::string> count_documents(Call& call);
Result<std::string> delete_by_query(Call& call);
Result<std::string> update_by_query(Call& call);
Result<std::string> validate_document(Call& call);
Result<std::string> export_documents(Call& call);

// --- realtime ---
Result<std::string> subscribe(Call& call);
Result<std::string> join(Call& call);
Result<std::string> unsubscribe(Call& call);
Result<std::string> count_subscribers(Call& call);
Result<std::string> list_subscriptions(Call& call);
Result<std::string> publish(Call& call);

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
Result<std::string> get_settings(Call& call);
Result<std::string> get_specifications(Call& call);
Result<std::string> update_specifications(Call& call);
Result<std::string> validate_specifications(Call& call);
Result<std::string> delete_specifications(Call& call);
Result<std::string> search_specifications(Call& call);
Result<std::string> scroll_specifications(Call& call);

// --- index ---
Result<std::string> create_index(Call& call);
Result<std::string> delete_index(Call& call);
Result<std::string> delete_indexes(Call& call);
Result<std::string> index_exists(Call& call);
Result<std::string> list_indexes(Call& call);
Result<std::string> refresh_index(Call& call);
Result<std::string> get_auto_refresh(Call& call);
Result<std::string> set_auto_refresh(Call& call);
Result<std::string> refresh_internal(Call& call);
Result<std::string> index_statistics(Call& call);

// --- bulk ---
Result<std::string> import_bulk(Call& call);
Result<std::string> write_with_metadata(Call& call);
Result<std::string> write_many_with_metadata(Call& call);
Result<std::string> bulk_delete_by_query(Call& call);
Result<std::string> bulk_update_by_query(Call& call);

// --- admin ---
Result<std::string> reset_cache(Call& call);
Result<std::string> reset_database(Call& call);
Result<std::string> reset_security(Call& call);
Result<std::string> reset_kuzzle_data(Call& call);
Result<std::string> load_mappings(Call& call);
Result<std::string> load_fixtures(Call& call);
Result<std::string> load_securities(Call& call);
Result<std::string> dump(Call& call);
Result<std::string> shut_down(Call& call);
Result<std::string> refresh_index_cache(Call& call);

// --- server ---
Result<std::string> get_server_time(Call& call);
Result<std::string> get_server_info(Call& call);
Result<std::string> get_public_api(Call& call);
Result<std::string> get_open_api(Call& call);
Result<std::string> check_health(Call& call);
Result<std::string> get_config(Call& call);
Result<std::string> get_capabilities(Call& call);
Result<std::string> get_metrics(Call& call);
Result<std::string> get_stats(Call& call);
Result<std::string> get_last_stats(Call& call);
Result<std::string> get_all_stats(Call& call);

Result<std::string> cluster_status(Call& call);
Result<std::string> debug(Call& call);

// --- auth ---
Result<std::string> log_in(Call& call);
Result<std::string> log_out(Call& call);
Result<std::string> refresh_token(Call& call);
Result<std::string> create_token(Call& call);
Result<std::string> check_token(Call& call);
Result<std::string> get_current_user(Call& call);
Result<std::string> get_my_rights(Call& call);
Result<std::string> update_self(Call& call);
Result<std::string> get_strategies(Call& call);
Result<std::string> have_credentials(Call& call);
Result<std::string> get_credentials(Call& call);
Result<std::string> create_credentials(Call& call);
Result<std::string> update_credentials(Call& call);
Result<std::string> delete_credentials(Call& call);
Result<std::string> validate_credentials(Call& call);
Result<std::string> create_api_key(Call& call);
Result<std::string> search_api_keys(Call& call);
Result<std::string> delete_api_key(Call& call);
Result<std::string> check_rights(Call& call);

// --- security: of users, profiles and roles; the action's name says which ---
Result<std::string> create_first_admin(Call& call);
Result<std::string> admin_exists(Call& call);
Result<std::string> create_user(Call& call);
Result<std::string> create_restricted_user(Call& call);
Result<std::string> upsert_user(Call& call);
Result<std::string> replace_user(Call& call);
Result<std::string> revoke_tokens(Call& call);
Result<std::string> restrict_default_rights(Call& call);
Result<std::string> create_security(Call& call);
Result<std::string> create_or_replace_security(Call& call);
Result<std::string> update_security(Call& call);
Result<std::string> get_security(Call& call);
Result<std::string> get_many_security(Call& call);
Result<std::string> delete_security(Call& call);
Result<std::string> delete_many_security(Call& call);
Result<std::string> search_security(Call& call);
Result<std::string> scroll_security(Call& call);
Result<std::string> get_security_mapping(Call& call);
Result<std::string> update_security_mapping(Call& call);
Result<std::string> refresh_security(Call& call);
Result<std::string> get_user_strategies(Call& call);
Result<std::string> get_credentials_by_id(Call& call);
Result<std::string> search_users_by_credentials(Call& call);
Result<std::string> get_credential_fields(Call& call);
Result<std::string> get_all_credential_fields(Call& call);
Result<std::string> get_rights(Call& call);

}  // namespace mayfly::kuzzle
