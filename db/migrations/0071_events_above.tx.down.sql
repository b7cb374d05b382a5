DROP FUNCTION events_above(text, text[]);
