-- What waits since before requests ended by themselves has no timer yet: the sweep sets it.
UPDATE rentals
SET timer_at = 'epoch'
WHERE status = 'pending' AND timer_at IS NULL;
