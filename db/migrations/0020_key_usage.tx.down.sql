DROP INDEX customers_by_name;
DROP TABLE api_key_needs;
DROP TABLE api_key_calls;
