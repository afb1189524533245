#include "collector/import/titled_blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/ibdiagnet_text.h"
#include "store/array.h"
#include "store/text.h"

#define LENGTHS 128	/* blocks with more lines than this are one kind */
#define KIND_MIN 8	/* so many blocks make a usual length */

struct blocks {
	const struct block_format *format;
	struct import *import;
	struct titled_block block;
	/* By the number of lines of a block: how many there are, and the first until there are two. */
	size_t of_length[LENGTHS + 1];
	struct titled_block *first[LENGTHS + 1];
	size_t count;
};

static void block_free(struct titled_block *block)
{
	free(block->pairs);
	free(block->text);
	*block = (struct titled_block){.port = NULL};
}

/* Makes the block ready for the next one, with what it has allocated. */
static void block_empty(struct titled_block *block, int64_t line)
{
	block->port = NULL;
	block->device = NULL;
	block->line = line;
	block->count = 0;
	block->text_used = 0;
}

static int block_add(struct blocks *blocks, const char *name, const char *value, size_t length,
		     struct err *err)
{
	struct titled_block *block = &blocks->block;
	struct block_pair *pairs = array_grow(block->pairs, block->count, &block->room, sizeof(*pairs));

	if (!pairs)
		return err_no_memory(err);
	block->pairs = pairs;
	if (block->text_room - block->text_used < length + 1) {
		size_t room = 2 * (block->text_used + length + 1);
		char *text = realloc(block->text, room);

		if (!text)
			return err_no_memory(err);
		block->text = text;
		block->text_room = room;
	}
	pairs[block->count++] = (struct block_pair){name, block->text_used, length};
	memcpy(block->text + block->text_used, value, length);
	block->text[block->text_used + length] = '\0';
	block->text_used += length + 1;
	return 0;
}

/* The first block of a length waits for a second one. */
static int keep_first(struct blocks *blocks, size_t length, struct err *err)
{
	struct titled_block *first = malloc(sizeof(*first));

	if (!first)
		return err_no_memory(err);
	*first = blocks->block;
	blocks->block = (struct titled_block){.port = NULL};
	blocks->first[length] = first;
	return 0;
}

static int take_first(struct blocks *blocks, size_t length, struct err *err)
{
	struct titled_block *first = blocks->first[length];
	int rc = blocks->format->take(first, blocks->import, err);

	block_free(first);
	free(first);
	blocks->first[length] = NULL;
	return rc;
}

/* The block's last line was read; another begins at this one. */
static int end_block(struct blocks *blocks, int64_t line, struct err *err)
{
	struct titled_block *block = &blocks->block;
	size_t length = block->count < LENGTHS ? block->count : LENGTHS;
	int rc = 0;

	if (block->port || block->device) {
		blocks->count++;
		blocks->of_length[length]++;
		if (blocks->first[length])
			rc = take_first(blocks, length, err);
		if (rc == 0 && blocks->of_length[length] == 1)
			rc = keep_first(blocks, length, err);
		else if (rc == 0)
			rc = blocks->format->take(block, blocks->import, err);
	}
	block_empty(block, line);
	return rc;
}

static size_t usual_length(const struct blocks *blocks)
{
	size_t usual = 0;

	for (size_t i = 1; i <= LENGTHS; i++) {
		if (blocks->of_length[i] > blocks->of_length[usual])
			usual = i;
	}
	return usual;
}

static int tell_short(struct blocks *blocks, size_t count, int64_t first, struct err *err)
{
	char text[160];

	if (count == 0)
		return 0;
	snprintf(text, sizeof(text), "%zu %s fewer lines than the others and %s not used, the first begins at "
		 "line %lld", count, text_plural(count, "block has", "blocks have"),
		 text_plural(count, "is", "are"), (long long)first);
	return import_cut(blocks->import, blocks->format->loses, text, err);
}

/* Blocks that remained the only ones of their length: other devices' kind, or not whole. */
static int settle(struct blocks *blocks, struct err *err)
{
	size_t usual = usual_length(blocks);
	bool all_alike = blocks->count >= KIND_MIN && blocks->of_length[usual] * 10 >= blocks->count * 9;
	int64_t line = 0;
	size_t count = 0;
	int rc = 0;

	for (size_t i = 0; i <= LENGTHS && rc == 0; i++) {
		if (!blocks->first[i])
			continue;
		if (!all_alike || i >= usual) {
			rc = take_first(blocks, i, err);
			continue;
		}
		if (count++ == 0 || blocks->first[i]->line < line)
			line = blocks->first[i]->line;
	}
	return rc < 0 ? rc : tell_short(blocks, count, line, err);
}

static bool is_rule(const char *line, size_t length)
{
	size_t i = 0;

	while (i < length && line[i] == '-')
		i++;
	return length >= 10 && i == length;
}

static int read_pair(struct blocks *blocks, const char *line, size_t length, int64_t number,
		     struct err *err)
{
	const char *separator = memchr(line, blocks->format->separator, length);
	const char *value;
	const char *name;
	size_t name_length;
	size_t value_length;
	int rc = 0;

	if (!separator || separator == line)
		return 1;
	value = separator + 1;
	value_length = length - (size_t)(value - line);
	name_length = (size_t)(separator - line);
	import_trim(&value, &value_length);
	import_trim(&line, &name_length);
	name = import_intern(blocks->import, line, name_length);
	if (!name)
		return err_no_memory(err);
	for (size_t i = 0; i < blocks->block.count && rc == 0; i++) {
		if (blocks->block.pairs[i].name == name)
			rc = end_block(blocks, number, err);
	}
	if (rc == 0)
		rc = blocks->format->pair(&blocks->block, blocks->import, line, name_length, value,
					  value_length, err);
	return rc != 0 ? rc : block_add(blocks, name, value, value_length, err);
}

static int read_lines(struct blocks *blocks, struct input *input, struct err *err)
{
	bool title = false;		/* the last line was a rule that opens a title */
	bool titled = false;		/* the last line was a title */
	char *line;
	size_t length;
	int rc;

	while ((rc = input_line(input, &line, &length, err)) == 1) {
		int64_t number = input_line_number(input);

		if (ibdiagnet_comment(blocks->import, line, length))
			continue;
		if (is_rule(line, length)) {
			title = !titled;
			titled = false;
			continue;
		}
		rc = title || ibdiagnet_gap(line, length) ? end_block(blocks, number, err) : 0;
		titled = title;
		if (rc == 0)
			rc = title ? blocks->format->title(&blocks->block, blocks->import, line,
							   length, err)
				   : read_pair(blocks, line, length, number, err);
		title = false;
		if (rc == 0)
			import_row(blocks->import);
		else if (rc == 1)
			rc = import_odd(blocks->import, input, titled ? "a title that names no port or node"
								      : "no name and value of a block", err);
		if (rc < 0)
			return rc;
	}
	return rc < 0 ? rc : end_block(blocks, 0, err);
}

int titled_blocks_read(const struct block_format *format, struct import *import,
		       struct input *input, struct err *err)
{
	struct blocks *blocks = calloc(1, sizeof(*blocks));
	int rc;

	if (!blocks)
		return err_no_memory(err);
	blocks->format = format;
	blocks->import = import;
	rc = read_lines(blocks, input, err);
	if (rc == 0)
		rc = settle(blocks, err);
	for (size_t i = 0; i <= LENGTHS; i++) {
		if (blocks->first[i])
			block_free(blocks->first[i]);
		free(blocks->first[i]);
	}
	block_free(&blocks->block);
	free(blocks);
	return rc;
}
