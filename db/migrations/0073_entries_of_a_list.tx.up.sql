-- The server doesn't know that all entries of a list are one seller's. The plan that it makes for all lists combined the index of the list
-- with one of the seller, and gathered and sorted the whole list for each page. With both in one index a page is read in its order.
CREATE INDEX access_entries_of_list ON access_entries (seller_id, list_id, id);
DROP INDEX access_entries_by_list; -- last, as lookups wait for it
ALTER INDEX access_entries_of_list RENAME TO access_entries_by_list;
