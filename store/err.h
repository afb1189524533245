/*
 * Errors: a code to decide on, a sentence to show.
 *
 * A function that can fail returns int: 0 on success (or 1 for "a row"), a
 * negative enum err_code on failure. Whoever meets the failure writes the
 * sentence with err_set; each caller that knows more puts it in front with
 * err_prefix; only main prints it. struct err lives on main's stack: no
 * allocation, so it works when memory is gone.
 *
 * The sentence names the thing, the place and the way out. Foreign text in it
 * (a path, a node description) is escaped by err_set, so printing is safe.
 */
#ifndef STORE_ERR_H
#define STORE_ERR_H

enum err_code {
	ERR_NOMEM = -1,		/* memory is gone */
	ERR_USAGE = -2,		/* the command line is wrong */
	ERR_INPUT = -3,		/* an input cannot be read or understood */
	ERR_DEVICE = -4,	/* no such HCA or port, no permission, umad failed */
	ERR_FABRIC = -5,	/* the fabric does not answer at all */
	ERR_DB = -6,		/* the store: not ours, locked, full, newer schema */
	ERR_IO = -7,		/* an output cannot be written */
	ERR_NOT_FOUND = -8,	/* no such snapshot, rule, device */
	ERR_LIMIT = -9,		/* an input is larger than we accept */
	ERR_STOPPED = -10,	/* the user stopped it */
};

struct err {
	int code;		/* 0 or a negative enum err_code */
	char text[512];		/* printable, one line, no newline at the end */
};

/* Writes code and sentence; returns code, so that "return err_set(...)" reads well. */
int err_set(struct err *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts "<formatted>: " in front of the sentence. A cut at 511 bytes loses the end, never the start. */
void err_prefix(struct err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* ERR_NOMEM with its sentence; inline, so that a reader (and an analyzer) sees that it is never 0. */
static inline int err_no_memory(struct err *err)
{
	err_set(err, ERR_NOMEM, "out of memory");
	return ERR_NOMEM;
}

#endif
