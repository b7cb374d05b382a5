DROP TABLE purchase_intents;
