-- The purchase intents of many customers are read at a time: a page of each, in its order.
DROP INDEX purchase_intents_by_customer, purchase_intents_by_email;
CREATE INDEX purchase_intents_by_customer ON purchase_intents (seller_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX purchase_intents_by_email ON purchase_intents (seller_id, email_folded, id) WHERE email_folded IS NOT NULL;
