DROP TABLE checkouts;
