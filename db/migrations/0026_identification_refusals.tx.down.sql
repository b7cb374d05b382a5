DROP TABLE identification_refusals;
