/* The part of collection-incomplete that is about files: those that break off, lines not understood. */
#ifndef RULES_COLLECTION_FILES_H
#define RULES_COLLECTION_FILES_H

#include "rules/rule.h"

/* True for the hole of a file that breaks off or has lines not understood, not of one device's part of it. */
bool collection_is_of_file(const struct hole *hole);

/* Findings for each file that is not whole, and for lines not understood. 0 or ERR_NOMEM. */
int collection_files_check(const struct fabric *fabric, struct rule_output *out, struct err *err);

#endif
