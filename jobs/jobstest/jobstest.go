// Package jobstest provides SQL statements with which tests read and change the jobs of deliveries, invoice hand-overs
// and emails. Periodic jobs are excluded, because a leader may insert them at any time.
package jobstest

// Jobs is a FROM item for these jobs.
const Jobs = "(SELECT * FROM river_job WHERE " + ours + ") river_job"

const ours = "queue <> 'periodic'"

// Count returns a query that counts the jobs that meet a condition.
func Count(condition string) string {
	return "SELECT count(*) FROM " + Jobs + " WHERE " + condition
}

// Update returns a statement that changes the jobs that meet a condition.
func Update(assignments, condition string) string {
	return "UPDATE river_job SET " + assignments + " WHERE " + ours + " AND (" + condition + ")"
}

// Delete returns a statement that deletes the jobs that meet a condition.
func Delete(condition string) string {
	return "DELETE FROM river_job WHERE " + ours + " AND (" + condition + ")"
}

// Stuck returns a statement that backdates the running jobs that meet a condition, so that they are rescued.
func Stuck(condition string) string {
	return Update("attempted_at = attempted_at - interval '30 s'", "state = 'running' AND ("+condition+")")
}

// Periodic is a FROM item for periodic jobs.
const Periodic = "(SELECT * FROM river_job WHERE queue = 'periodic') river_job"

// UpdatePeriodic returns a statement that changes the periodic jobs that meet a condition.
func UpdatePeriodic(assignments, condition string) string {
	return "UPDATE river_job SET " + assignments + " WHERE queue = 'periodic' AND (" + condition + ")"
}
