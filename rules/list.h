/* One line per rule, in id order. Included by rules.c and the tests. */
RULE(collection_incomplete)
RULE(high_limit_unbounded)
RULE(lost_lid)
RULE(max_op_vls_truncation)
RULE(sl_to_vl15)
