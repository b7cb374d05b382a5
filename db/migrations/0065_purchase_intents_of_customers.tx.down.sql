DROP INDEX purchase_intents_by_customer, purchase_intents_by_email;
CREATE INDEX purchase_intents_by_customer ON purchase_intents (seller_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX purchase_intents_by_email ON purchase_intents (seller_id, email_folded) WHERE email_folded IS NOT NULL;
