-- After the triggers are committed: every entry that is not counted by them is there to be counted, and writers need not wait.
SELECT recount_list('access_entries');
