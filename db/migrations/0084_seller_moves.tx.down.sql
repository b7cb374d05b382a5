DROP TRIGGER sessions_replicated ON sessions;
DROP TRIGGER users_replicated ON users;
DROP TRIGGER memberships_replicated ON memberships;
DROP TRIGGER sellers_replicated ON sellers;
DROP FUNCTION refuse_account_change();
DROP FUNCTION advance_credential_epoch();
DROP FUNCTION refuse_moved_seller();
DROP FUNCTION seller_move_lock(text);
DROP TABLE seller_moves;
