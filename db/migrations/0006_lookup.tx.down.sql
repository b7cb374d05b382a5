DROP TABLE unknown_codes;
