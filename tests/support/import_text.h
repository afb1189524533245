/*
 * Files for the tests of the readers: text goes in, a fabric comes out. Every
 * function ends the test program when something cannot be had.
 */
#ifndef TESTS_SUPPORT_IMPORT_TEXT_H
#define TESTS_SUPPORT_IMPORT_TEXT_H

#include <stddef.h>

#include "store/config.h"

/* A directory of its own for the files of one import. */
struct import_text;

struct import_text *import_text_new(void);

/* Adds a file of that name and content. */
void import_text_add(struct import_text *files, const char *name, const char *text, size_t length);

/* Imports all of them and takes the directory away. The caller frees the fabric. */
struct fabric *import_text_run(struct import_text *files);

/* The same into a fabric that holds something; returns it. */
struct fabric *import_text_run_into(struct import_text *files, struct fabric *fabric);

/* One file in one step. */
struct fabric *import_text(const char *name, const char *text);

/* The n-th (from 0) problem with this id, or NULL. */
const struct config_problem *find_problem(const struct fabric *fabric, const char *id, size_t n);

/* The effective text of an option; fails the test when there is no such option. */
const char *effective_option(const struct fabric *fabric, const char *key);

#endif
