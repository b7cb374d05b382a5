DROP TABLE hand_over_attempts, hand_overs, invoices, invoice_counters;
