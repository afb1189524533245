/*
 * What one run over several files keeps beside the fabric: which source each
 * fact came from, so that the next file can agree with it or contradict it.
 * For import.c, merge*.c and the tests; formats use format.h.
 */
#ifndef COLLECTOR_IMPORT_MERGE_H
#define COLLECTOR_IMPORT_MERGE_H

#include "collector/import/format.h"
#include "collector/import/import.h"
#include "collector/import/told_rows.h"

#define IMPORT_ODD_KEPT 100		/* lines not understood that are kept of one source */
#define IMPORT_UNKNOWN_KEPT 1000	/* files of no known format that become a source */
#define IMPORT_CONTRADICTIONS_KEPT 10000	/* of one run */
#define IMPORT_CONFLICTS_KEPT 1000	/* GUID conflicts of one fabric */
#define IMPORT_DEVICES_MAX 200000	/* four times what one subnet's LIDs can name */
#define IMPORT_RANK_LIVE 100		/* what was read off the fabric itself */
/*
 * Sources whose times differ by more than this are of different sweeps: then the
 * newer wins whatever the ranks, and a device that only older ones know is gone.
 * Many tools write local time without a zone, so less may be none at all.
 */
#define IMPORT_SAME_SWEEP INT64_C(57600)
#define IMPORT_SMS_MAX 1000
#define IMPORT_FACTS_MAX 20000000

#define NODE_FIELD_COUNT (sizeof(struct node_fields) / sizeof(int64_t))
#define SWITCH_FIELD_COUNT (sizeof(struct switch_fields) / sizeof(int64_t))
#define PORT_FIELD_COUNT (sizeof(struct port_fields) / sizeof(int64_t))

/*
 * Sources of one port's facts, all of them source_ref; 0: nobody's. What the
 * fabric held before this run belongs to the live source.
 */
struct port_origin {
	source_ref first;		/* import_touch */
	source_ref field[PORT_FIELD_COUNT];
	source_ref guid;
	source_ref peer;
	source_ref counter[COUNTER_COUNT];
	source_ref vlarb[2];		/* low, high */
};

struct device_origin {			/* up to `ports` all of them source_ref */
	source_ref seen;		/* the newest source that names it */
	source_ref elsewhere;		/* one that is no other run of that one's tool in its file; 0: none */
	source_ref first;		/* import_touch */
	source_ref type;
	source_ref node[NODE_FIELD_COUNT];
	source_ref sw[SWITCH_FIELD_COUNT];
	source_ref system_image_guid;
	source_ref description;
	source_ref alias;
	source_ref fw_version;
	source_ref psid;
	struct port_origin **ports;
	size_t port_slots;
};

/* Port GUID -> port, open addressing; also interned texts. */
struct guid_slot {
	uint64_t guid;
	struct port *port;	/* NULL: free */
};

struct text_slot {
	uint64_t hash;
	char *text;		/* NULL: free */
};

struct import {
	struct fabric *fabric;
	const struct import_options *options;
	size_t first_config;		/* the paths from here on are --config's */
	bool config;			/* the file being read was given with --config */
	struct input *input;		/* the file being read, or NULL */
	const char *prompt_host;	/* of the part being read, or NULL */
	const char *part_file;		/* what it is a part of, or NULL; then */
	int64_t part_line;		/* its first line, and */
	int64_t part_time;		/* its time as the lines around it tell, or 0 */
	source_ref ref;			/* its source */
	source_ref live;		/* of what was read off the fabric before this run; 0: none */
	struct source_note {
		int rank;
		bool whole;		/* it tells of every device there is */
		bool whole_of_series;	/* the same, for earlier runs in its file */
		bool unclear;		/* its odd rows have holes */
		bool links;		/* it tells links */
		const char *file;	/* it is a part of, or NULL */
		int64_t line;		/* of that file it begins at */
		source_ref touched_by;	/* the last source that is known to name what it names */
	} *notes;			/* of each source, by ref */
	size_t note_room;
	struct source_pair *pairs;	/* sources that name the same: merge_subnets.c */
	size_t pair_count;
	size_t pair_room;
	struct device_origin *origins;	/* by device->index */
	size_t origin_room;
	struct guid_slot *guids;
	size_t guid_room;		/* a power of two, or 0 */
	size_t guid_count;
	struct text_slot *texts;
	size_t text_room;
	size_t text_count;
	uint32_t *fact_slots;		/* fact number plus 1 by device, port, section, key */
	size_t fact_room;
	size_t fact_kept;
	struct told_rows events;
	struct torn_lft *torn_lfts;	/* merge_lft.c */
	size_t torn_lft_count;
	size_t torn_lft_room;
	size_t unknown_kept;
	source_ref others;		/* of a file's parts that are of no format; 0: none so far */
	int64_t odd_kept;		/* of this source */
	int64_t odd_line;		/* the line that was counted last */
	int64_t contradictions_dropped;	/* of this run */
	const char *limit;		/* why a function gave NULL although memory was there */
};

/* Takes over what the fabric holds already: its sources' ranks, and that all of it is the live one's. 0 or ERR_NOMEM. */
int import_begin(struct import *import, struct fabric *fabric, const struct import_options *options,
		 struct err *err);

/* Opens a source of this format (NULL: unknown) for the facts that follow. 0, ERR_NOMEM, ERR_LIMIT. */
int import_source_begin(struct import *import, struct input *input, const char *name,
			const struct format *format, struct err *err);

/*
 * Reads one opened file as one source of this format (NULL: unknown, nothing is
 * read). 0, or what the format's read gives.
 */
int import_read(struct import *import, struct input *input, const char *name,
		const struct format *format, struct err *err);

/*
 * Both are parts of one file and one look of one tool each, whose later one stands
 * further down.
 */
bool import_one_series(const struct import *import, source_ref a, source_ref b);

/* 1: a is of a later sweep than b, -1: of an earlier one, 0: of the same or nobody knows. */
int import_sweep(const struct import *import, source_ref a, source_ref b);

/* Frees what belongs to the run; the fabric stays. */
void import_end(struct import *import);

/*
 * Ends a run: takes out the devices that are known from an older sweep only, and
 * what base ports 0 were said to have. 0 or ERR_NOMEM.
 */
int import_settle(struct import *import, struct err *err);

/* When all files are read: the holes of the forwarding tables that none of them tells whole. 0 or ERR_NOMEM. */
int import_settle_lfts(struct import *import, struct err *err);

/*
 * The same for ports above NumPorts, whichever file told it: those that counters or a
 * neighbour's line alone made are none, and a contradiction. 0 or ERR_NOMEM.
 */
int import_settle_ports(struct import *import, struct err *err);

/* Where the sources of this device's or port's facts are kept; NULL: no memory. */
struct device_origin *import_device_origin(struct import *import, const struct device *device);
struct port_origin *import_port_origin(struct import *import, const struct port *port);

#endif
