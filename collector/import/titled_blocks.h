/*
 * A file of blocks: a title between two dashed lines, then lines of a name and a
 * value until the next one. A block is used when it is known to be one: a name that
 * comes again belongs to a block whose title is lost, and where nearly all blocks have
 * the same number of lines, a single one with fewer may be the beginning of one block
 * and the end of another.
 */
#ifndef COLLECTOR_IMPORT_TITLED_BLOCKS_H
#define COLLECTOR_IMPORT_TITLED_BLOCKS_H

#include "collector/import/format.h"

struct block_pair {
	const char *name;	/* interned */
	size_t value;		/* in the block's text, ended by a NUL */
	size_t length;
};

struct titled_block {
	struct port *port;	/* whose block it is; both NULL: nobody's, or not known yet */
	struct device *device;
	int64_t line;		/* it began at */
	struct block_pair *pairs;
	size_t count, room;
	char *text;
	size_t text_used, text_room;
};

/* What a format does; each returns 0, 1 (not understood) or ERR_NOMEM. */
struct block_format {
	char separator;
	enum attribute loses;	/* what is not known when blocks are not used */
	int (*title)(struct titled_block *block, struct import *import, const char *line,
		     size_t length, struct err *err);
	/* Looks at a pair that is kept for take(). */
	int (*pair)(struct titled_block *block, struct import *import, const char *name,
		    size_t name_length, const char *value, size_t value_length, struct err *err);
	int (*take)(const struct titled_block *block, struct import *import, struct err *err);
};

/* The value of a pair of this block. */
static inline const char *block_value(const struct titled_block *block, size_t pair)
{
	return block->text + block->pairs[pair].value;
}

/* Reads all lines. 0 or an error. */
int titled_blocks_read(const struct block_format *format, struct import *import,
		       struct input *input, struct err *err);

#endif
