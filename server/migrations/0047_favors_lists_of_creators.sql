-- Lists are read from favor_places since migration 37.
DROP INDEX favors_by_due, favors_by_change;
