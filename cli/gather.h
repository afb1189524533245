/* What several subcommands do before and after the other rooms have worked. */
#ifndef CLI_GATHER_H
#define CLI_GATHER_H

#include "cli/args.h"
#include "store/store.h"

/*
 * A fabric from the operands (files) or, without any, live; then the --config
 * files on top. *ret_fabric belongs to the caller.
 */
int gather(const struct args *args, bool live, struct fabric **ret_fabric, struct err *err);

/*
 * A stored snapshot by what the user typed: an id, latest, latest~N, a label, or
 * FILE[:any of these]. *ret_fabric belongs to the caller.
 */
int gather_snapshot(const struct args *args, const char *name, struct snapshot *ret_snapshot,
		    struct fabric **ret_fabric, struct err *err);

/*
 * The rules over `fabric`, with findings marked new, still or gone if there is a
 * baseline, whose devices get the names that they have in `fabric`.
 */
int audit_against(const struct fabric *fabric, struct fabric *baseline,
		  struct audit **ret_audit, struct err *err);

/*
 * Keeps the fabric as a snapshot in args' store and, unless NULL, its audit. A
 * file that this made and nothing could be put into is taken away again.
 */
int gather_store(const struct args *args, const struct fabric *fabric, const struct audit *audit,
		 int64_t baseline_id, int64_t *ret_id, struct err *err);

/* Keeps an audit beside its snapshot, in the store that `name` (as for gather_snapshot) names. */
int gather_keep_audit(const struct args *args, const char *name, const struct snapshot *snapshot,
		      int64_t baseline_id, const struct audit *audit, struct err *err);

/*
 * ERR_USAGE when -o or --html names a file that this command reads, its store,
 * or one another: writing the report would destroy it.
 */
int output_check(const struct args *args, struct err *err);

/* A stream to write a report to: the file, or standard output for NULL and "-". */
int output_open(const char *path, FILE **ret_out, struct err *err);

/*
 * Closes it (standard output is flushed). Passes `rc` of the writing on; ERR_IO
 * when that was 0 and something was not written all the same.
 */
int output_finish(const char *path, FILE *out, int rc, struct err *err);

/* Writes an audit as args ask for it: --format, -o and --html. */
int output_audit(const struct args *args, const struct report_audit *report, struct err *err);

/* EXIT_FOUND or EXIT_CLEAN by --fail-on. */
int exit_of_audit(const struct args *args, const struct audit *audit);

#endif
