/*
 * A partitions.conf while it is read. The rule's header, in front of the colon, is
 * partitions_header.c's; lines and members are partitions_conf.c's.
 */
#ifndef COLLECTOR_IMPORT_PARTITIONS_READER_H
#define COLLECTOR_IMPORT_PARTITIONS_READER_H

#include "collector/import/partitions.h"

/* fgets into 4096 bytes with a size of 4095. */
#define PARTITIONS_LINE_LENGTH 4094
#define PARTITIONS_BUFFER_SIZE 4096

/* Outcomes besides 0 and errors: OpenSM gives up the whole file here. */
#define PARTITIONS_FAULT 1

struct partitions_reader {
	struct partition_table table;
	char buffer[2 * PARTITIONS_BUFFER_SIZE];	/* the second half stays zero */
	size_t filled;			/* bytes of it that some line has written */
	bool in_rule;			/* between a rule's header and its ; */
	size_t index;			/* its draft */
	enum membership membership;
	bool any_text;			/* something was there to be read */
	bool on_left_over;		/* behind the end of the line */
	int64_t line;
	struct err *err;
};

/* Says that `text` is a fault. PARTITIONS_FAULT or ERR_NOMEM. */
int partitions_fault(struct partitions_reader *reader, const char *text, const char *what,
		     const char *remedy);

/* Says what OpenSM makes of the word, and goes on. 0 or ERR_NOMEM. */
int partitions_warn(struct partitions_reader *reader, const char *id, const char *word,
		    const char *remedy, const char *what);

/* As OpenSM compares: the word is a beginning of `whole`, an empty one of anything. */
bool partitions_abbreviates(const char *word, const char *whole);

/*
 * "name = value" in place; *ret_value is NULL without a =. Blanks at the ends are
 * gone. Returns how far OpenSM thinks it came: the text and its NUL.
 */
size_t partitions_split(char *text, char **ret_name, char **ret_value);

/* Everything in front of the colon; `text` ends there. 0, PARTITIONS_FAULT or ERR_NOMEM. */
int partitions_header(struct partitions_reader *reader, char *text);

#endif
