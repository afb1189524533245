/*
 * Who did not give what was asked for, in words: for findings, and for the reasons
 * of verdicts that could not be reached.
 */
#ifndef RULES_ANALYSIS_REFUSALS_H
#define RULES_ANALYSIS_REFUSALS_H

#include "store/fabric.h"

/* "did not answer", "refused with MAD status 0x001c (invalid attribute or modifier)". Returns out. */
#define HOLE_WORDS_SIZE 128
const char *hole_words(const struct hole *hole, char out[HOLE_WORDS_SIZE]);

/*
 * "14 devices refused with MAD status 0x001c (...), first leaf-1 (0x...); 1 device
 * did not answer, host-3 (0x...)" for all that is missing of this attribute, what
 * devices do not support and what an M_Key keeps back included; "" when nothing is. Returns out.
 */
#define REFUSALS_SIZE 640
const char *refusals_text(const struct fabric *fabric, enum attribute attribute,
			  char out[REFUSALS_SIZE]);

/*
 * Why an attribute of which nothing was read is missing, as the end of a sentence:
 * ": 3 devices refused ..." or, of a live scan, ": this scan did not ask for it";
 * of files `how`, which says how to get it. Returns out.
 */
const char *refusals_why(const struct fabric *fabric, enum attribute attribute, const char *how,
			 char out[REFUSALS_SIZE]);

#endif
