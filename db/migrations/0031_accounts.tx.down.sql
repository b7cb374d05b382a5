-- Earlier versions know one account of an address: the oldest stays.
DROP TABLE known_places, account_links, invitations;
DELETE FROM users u USING users o WHERE o.email_folded = u.email_folded AND o.id < u.id;
ALTER TABLE users DROP COLUMN password_shared, DROP COLUMN invited_by_organization;
DROP INDEX users_by_email;
ALTER TABLE users ADD CONSTRAINT user_email_is_taken UNIQUE (email_folded);
