/* One line per rule, in id order. Included by rules.c and the tests. */
RULE(collection_incomplete)
RULE(lost_lid)
