-- After the triggers are committed, as 0075.
SELECT recount_list(list) FROM unnest(ARRAY['customers', 'checkouts', 'purchase_intents', 'transactions', 'tickets', 'invoices']) AS list;
