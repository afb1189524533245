#include "collector/import/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK ((size_t)64 << 10)
/* A bomb: this many times the archive's own bytes, and more than this part of what one file may hold. */
#define BOMB_RATIO 1000
#define BOMB_PART 16

struct stream {
	struct replay *replay;
	unsigned char block[BLOCK];
};

/* What tells that a member is compressed by itself; more than any magic needs. */
#define HEAD 512

struct walk {
	struct archive *archive;
	const struct archive_limits *limits;
	uint64_t unpacked;	/* bytes of content so far */
	/* Of the current member: */
	bool compressed;	/* by itself */
	struct archive *inner;	/* unpacks it then, when it is a single file */
	const char *block;	/* what was unpacked and not handed out */
	size_t left;
	bool ended;		/* nothing comes behind that */
	char head[HEAD];	/* its first bytes, in `block` when they are all that is given of it */
	struct err failure;	/* why not even its first block came */
	int failed;		/* the code for it, or 0 */
};

struct magic {
	size_t offset;
	size_t length;
	const char *bytes;
};

static bool is_one_of(const struct magic *magics, size_t count, const void *bytes, size_t length)
{
	for (size_t i = 0; i < count; i++) {
		if (length >= magics[i].offset + magics[i].length &&
		    memcmp((const char *)bytes + magics[i].offset, magics[i].bytes, magics[i].length) == 0)
			return true;
	}
	return false;
}

static bool is_compressed(const void *bytes, size_t length)
{
	static const struct magic magics[] = {
		{0, 2, "\x1f\x8b"}, {0, 6, "\xfd" "7zXZ\0"}, {0, 3, "BZh"}, {0, 4, "\x28\xb5\x2f\xfd"},
	};

	return is_one_of(magics, sizeof(magics) / sizeof(magics[0]), bytes, length);
}

bool archive_is(const unsigned char *bytes, size_t length)
{
	static const struct magic magics[] = {
		{0, 4, "PK\x03\x04"}, {0, 4, "PK\x05\x06"}, {257, 5, "ustar"},
	};

	return is_compressed(bytes, length) ||
	       is_one_of(magics, sizeof(magics) / sizeof(magics[0]), bytes, length);
}

/* libarchive's and liblzma's words for a stream that ends too early. */
static bool is_cut(const char *why)
{
	static const char *const words[] = {"runcated", "No progress is possible", "unexpected end"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strstr(why, words[i]))
			return true;
	}
	return false;
}

/* libarchive unpacks by 64 KB and more, and gives nothing of the block in which the stream ends. */
static int archive_failed(struct archive *archive, bool unpacked, struct err *err)
{
	const char *why = archive_error_string(archive);

	if (!why)
		why = "no reason given";
	if (!is_cut(why))
		return err_set(err, ERR_INPUT, "the archive is damaged or of a kind that cannot be read: %s",
			       why);
	return err_set(err, ERR_INPUT, "it is cut: copied or written in part, or its disk was full (%s)%s", why,
		       unpacked ? "" : "; unpacked by hand (zcat FILE >PART, xz -dc) its first lines may be "
				       "there: give those");
}

/* Unpacks the next block; none is left at the member's end. A gap in a sparse file is left out. */
static int next_block(struct walk *walk, struct err *err)
{
	struct archive *archive = walk->inner ? walk->inner : walk->archive;
	const void *block = NULL;
	la_int64_t offset;
	int status;

	if (walk->failed < 0) {
		*err = walk->failure;
		return walk->failed;
	}
	if (walk->ended)
		return 0;
	do
		status = archive_read_data_block(archive, &block, &walk->left, &offset);
	while (status == ARCHIVE_OK && walk->left == 0);
	walk->block = block;
	if (status == ARCHIVE_OK || status == ARCHIVE_WARN)
		return 0;
	walk->left = 0;
	walk->ended = status == ARCHIVE_EOF;
	return walk->ended ? 0 : archive_failed(archive, walk->unpacked > 0, err);
}

/*
 * An input_read over the current member. It gives block by block what was unpacked:
 * archive_read_data loses what it has in hand when the next block is damaged.
 */
static ssize_t member_read(void *context, void *buffer, size_t size, struct err *err)
{
	struct walk *walk = context;
	int64_t packed;
	size_t got;
	int rc = walk->left == 0 ? next_block(walk, err) : 0;

	if (rc < 0)
		return rc;
	got = walk->left < size ? walk->left : size;
	if (got > 0) {
		memcpy(buffer, walk->block, got);
		walk->block += got;
		walk->left -= got;
	}
	walk->unpacked += got;
	packed = archive_filter_bytes(walk->archive, -1);
	if (walk->unpacked > walk->limits->max_bytes / BOMB_PART &&
	    walk->unpacked / BOMB_RATIO > (uint64_t)(packed > 0 ? packed : 1))
		return err_set(err, ERR_LIMIT,
			       "the archive unpacks to more than %d times its size: taken for a bomb",
			       BOMB_RATIO);
	if (walk->unpacked / 4 > walk->limits->max_bytes)
		return err_set(err, ERR_LIMIT, "the archive unpacks to more than %llu bytes",
			       (unsigned long long)walk->limits->max_bytes * 4);
	return (ssize_t)got;
}

/* The rest of the member, counted: libarchive's own skipping knows no bounds. */
static int member_skip(struct walk *walk, struct err *err)
{
	char buffer[16 << 10];
	ssize_t got;

	/* The members of a zip file are found by its directory: they need no unpacking. */
	if ((archive_format(walk->archive) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP) {
		walk->left = 0;
		return 0;
	}
	do
		got = member_read(walk, buffer, sizeof(buffer), err);
	while (got > 0);
	return (int)got;
}

static void archive_support(struct archive *archive)
{
	archive_read_support_filter_gzip(archive);
	archive_read_support_filter_bzip2(archive);
	archive_read_support_filter_xz(archive);
	archive_read_support_filter_zstd(archive);
	archive_read_support_format_tar(archive);
	archive_read_support_format_zip(archive);
	archive_read_support_format_raw(archive);
	archive_read_support_format_empty(archive);
}

/* libarchive's read callback over a struct stream: the head, then what the descriptor has left. */
static la_ssize_t stream_read(struct archive *archive, void *context, const void **ret_block)
{
	struct stream *stream = context;
	struct replay *replay = stream->replay;
	ssize_t got;

	if (replay->length) {
		*ret_block = replay->head;
		got = (ssize_t)replay->length;
		replay->length = 0;
		return got;
	}
	do
		got = read(replay->fd, stream->block, sizeof(stream->block));
	while (got < 0 && errno == EINTR);
	if (got < 0)
		archive_set_error(archive, errno, "%s", strerror(errno));
	*ret_block = stream->block;
	return got;
}

/* libarchive's read callback over the current member as it is stored. */
static la_ssize_t stored_read(struct archive *inner, void *context, const void **ret_block)
{
	struct walk *walk = context;
	const void *block = walk->block;
	size_t length = walk->left;
	la_int64_t offset;
	int status = ARCHIVE_OK;

	walk->left = 0;
	while (length == 0 && status == ARCHIVE_OK)
		status = archive_read_data_block(walk->archive, &block, &length, &offset);
	*ret_block = block;
	if (status == ARCHIVE_EOF)
		return 0;
	if (status == ARCHIVE_OK || status == ARCHIVE_WARN)
		return (la_ssize_t)length;
	archive_set_error(inner, archive_errno(walk->archive), "%s", archive_error_string(walk->archive));
	return ARCHIVE_FATAL;
}

/*
 * A compressed member (a rotated log) is unpacked when it is a single file,
 * compressed once. Of another one the head is given, which tells what it is.
 */
static int open_compressed(struct walk *walk, struct err *err)
{
	struct archive *inner = archive_read_new();
	struct archive_entry *entry;
	size_t head = walk->left < HEAD ? walk->left : HEAD;
	int status;

	if (!inner)
		return err_no_memory(err);
	memcpy(walk->head, walk->block, head);
	archive_support(inner);
	status = archive_read_open(inner, walk, NULL, stored_read, NULL);
	if (status == ARCHIVE_OK)
		status = archive_read_next_header(inner, &entry);
	walk->left = 0;
	if ((status == ARCHIVE_OK || status == ARCHIVE_WARN) &&
	    archive_format(inner) == ARCHIVE_FORMAT_RAW && archive_filter_count(inner) == 2) {
		walk->inner = inner;
		return 0;
	}
	archive_read_free(inner);
	walk->ended = true;
	/* An empty file is one that has no header either. */
	if (status == ARCHIVE_EOF)
		return 0;
	walk->block = walk->head;
	walk->left = head;
	return 0;
}

/* Gets the first block, to see whether the member is compressed by itself. */
static int member_open(struct walk *walk, struct err *err)
{
	walk->left = 0;
	walk->ended = false;
	walk->failed = 0;
	/* Who reads it is told. */
	walk->failed = next_block(walk, &walk->failure);
	walk->compressed = walk->failed == 0 && is_compressed(walk->block, walk->left);
	return walk->compressed ? open_compressed(walk, err) : 0;
}

/* The member's bytes are the archive's again, for what is left of it. */
static void member_close(struct walk *walk)
{
	if (!walk->compressed)
		return;
	archive_read_free(walk->inner);
	walk->inner = NULL;
	walk->left = 0;
	walk->ended = false;
}

static int walk_members(struct walk *walk, archive_file visit, void *context, struct err *err)
{
	struct archive *archive = walk->archive;
	struct archive_entry *entry;
	size_t index = 0;
	int status;
	int rc = 0;

	while ((status = archive_read_next_header(archive, &entry)) != ARCHIVE_EOF) {
		bool raw = archive_format(archive) == ARCHIVE_FORMAT_RAW;
		const char *name = archive_entry_pathname(entry);

		if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
			return archive_failed(archive, walk->unpacked > 0, err);
		/* One filter and the file itself; more is compressed twice. */
		if (archive_filter_count(archive) > 2)
			return err_set(err, ERR_INPUT, "is compressed twice: unpack it once first");
		if (archive_entry_filetype(entry) != AE_IFREG && !raw)
			continue;
		if (index >= walk->limits->max_files)
			return err_set(err, ERR_LIMIT, "holds more than the %zu files accepted",
				       walk->limits->max_files);
		rc = member_open(walk, err);
		if (rc == 0)
			rc = visit(context, raw || !name ? "" : name, index++, member_read, walk, err);
		member_close(walk);
		if (rc == 0)
			rc = member_skip(walk, err);
		if (rc < 0)
			return rc;
	}
	if (archive_format(archive) != ARCHIVE_FORMAT_EMPTY)
		return 0;
	/* An empty file, compressed. */
	walk->ended = true;
	return visit(context, "", index, member_read, walk, err);
}

/* Walks an archive that `status` says was opened; frees it. */
static int walk_opened(struct archive *archive, int status, const struct archive_limits *limits,
		       archive_file visit, void *context, struct err *err)
{
	struct walk walk = {.archive = archive, .limits = limits};
	/* libarchive drops the names of a zip file that the locale cannot hold. */
	locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
	int rc;

	if (status != ARCHIVE_OK)
		rc = archive_failed(archive, false, err);
	else
		rc = walk_members(&walk, visit, context, err);
	archive_read_free(archive);
	if (utf8) {
		uselocale(before);
		freelocale(utf8);
	}
	return rc;
}

int archive_walk(int fd, const struct archive_limits *limits, archive_file visit, void *context,
		 struct err *err)
{
	struct archive *archive = archive_read_new();

	if (!archive)
		return err_no_memory(err);
	archive_support(archive);
	return walk_opened(archive, archive_read_open_fd(archive, fd, BLOCK), limits, visit,
			   context, err);
}

int archive_walk_stream(struct replay *replay, const struct archive_limits *limits,
			archive_file visit, void *context, struct err *err)
{
	struct stream *stream = calloc(1, sizeof(*stream));
	struct archive *archive = archive_read_new();
	int rc;

	if (!stream || !archive) {
		rc = err_no_memory(err);
		archive_read_free(archive);
		goto out;
	}
	stream->replay = replay;
	archive_support(archive);
	rc = walk_opened(archive, archive_read_open(archive, stream, NULL, stream_read, NULL),
			 limits, visit, context, err);
out:
	free(stream);
	return rc;
}
