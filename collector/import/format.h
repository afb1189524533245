/*
 * What a capture format's file provides, and what it may call. To add one:
 * collector/import/<name>.c with `const struct format format_<name>`, and a
 * line FORMAT(<name>) in formats.h, stronger and more exact ones first.
 *
 * A reader pulls lines from struct input, and puts facts into the fabric
 * through the import_* functions below, which keep provenance, notice
 * contradictions and decide who wins:
 *
 *   an empty place takes any value; an equal value changes nothing; of two
 *   different values the one wins whose source is of a later sweep (its time is
 *   more than IMPORT_SAME_SWEEP later); within a sweep the one from the source
 *   with the higher rank, at equal rank the later taken_at, at equal time the one
 *   read first; the loser is kept as a contradiction. A device that only files
 *   of earlier sweeps name is taken out again at the end, as a contradiction.
 */
#ifndef COLLECTOR_IMPORT_FORMAT_H
#define COLLECTOR_IMPORT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/err.h"
#include "store/fabric.h"

struct told_rows;
struct import;			/* one run over several files */
struct input;			/* one file, as lines */

/* The first bytes of a file, for telling its format. */
struct probe {
	const char *name;	/* file name without directory; a hint, never proof */
	const char *text;	/* up to 64 KiB, cleaned as lines are (below), not ended by NUL */
	size_t length;
};

struct format {
	const char *id;		/* "ibdiagnet2.db_csv": shown, stored */
	const char *title;
	/*
	 * How exact its facts are, 0..100: db_csv 90, smpquery 85, ibnetdiscover 70,
	 * iblinkinfo 60, ... the more a format reads straight off the port, the higher.
	 */
	int rank;
	/*
	 * It names ports by LID or port GUID alone, and what it tells must wait until
	 * other files have said whose they are: read behind all that are not late.
	 */
	bool late;
	/*
	 * People write it, or paste it: a last line without an end means nothing. What a
	 * tool prints ends with a line end; without one it was cut, maybe in a number.
	 */
	bool by_hand;
	/*
	 * by_hand, but of a file on the SM's host: without an end of the last line a copy may be
	 * cut, which is told. With --config it is the SM's own, and OpenSM reads it as it is.
	 */
	bool copied;
	/*
	 * One file of it is one look at the whole fabric: of two in one log the second is
	 * another look, maybe of another day, and a source of its own.
	 */
	bool one_look;
	/*
	 * What a file of it that breaks off tells nothing of, for the part behind the cut;
	 * NodeInfo where nothing is said: devices may be missing.
	 */
	enum attribute loses;
	/* A file of the SM's host that says what the SM was told or did, not what the fabric is: for --config. */
	bool config;
	/*
	 * What OpenSM writes down of the fabric as it sees it, maybe long ago. In a directory
	 * or an archive given with --config it is passed over, and its source says so.
	 */
	bool sm_view;
	/* 0: not this format; else how sure, 1..100. The surest wins. */
	int (*detect)(const struct probe *probe);
	/* 0, or ERR_NOMEM / ERR_LIMIT / ERR_INPUT (the file breaks off in a way nothing of it can be used). */
	int (*read)(struct import *import, struct input *input, struct err *err);
};

/* --- For detect functions. --- */

/* The next line of the probe from *offset (0 at first), without its end; false: no more. */
bool probe_line(const struct probe *probe, size_t *offset, const char **ret_line,
		size_t *ret_length);
/* True when the text occurs anywhere. */
bool probe_has(const struct probe *probe, const char *word);
/* True when a line begins with it, blanks in front not counted. */
bool probe_has_line(const struct probe *probe, const char *prefix);

/*
 * Next line without its end: 1, 0 at the end, ERR_INPUT or ERR_LIMIT. Line ends
 * LF, CRLF, CR; a leading BOM, ANSI colour sequences, mail quotation marks
 * ("> " on every line of the file) and, but in what is by_hand, what copying did to
 * all lines (copied_text.h) and blanks in front of the line's end are taken off. Good until the next call. *ret_line is ended by a
 * NUL and may hold others.
 */
int input_line(struct input *input, char **ret_line, size_t *ret_length, struct err *err);

/*
 * Before the first input_line: lines end at LF alone, as fgets has it. A CR in
 * front of it is taken off and told by input_line_had_cr; any other stays.
 */
void input_like_fgets(struct input *input);

/* True when nearly all lines begin with a mail's quotation marks and come with them: a program read it so. */
bool input_keeps_quotes(const struct input *input);

/* Number of the line input_line gave last, from 1. */
int64_t input_line_number(const struct input *input);

/* What was taken off: a CR in the end of the last line, an end at all, a byte order mark in front of all. */
bool input_line_had_cr(const struct input *input);
bool input_line_had_end(const struct input *input);
bool input_had_bom(const struct input *input);

/* Of the lines so far: a head of ibdiagnet's was not followed by its foot, "# File closed at". */
bool input_lacks_foot(const struct input *input);

/* Gives the last line once more. */
void input_unread(struct input *input);

struct fabric *import_fabric(struct import *import);

/* The source of the file being read. */
struct source *import_source(struct import *import);
source_ref import_source_ref(struct import *import);

/* Counts a row as understood. */
void import_row(struct import *import);

/* Counts and (the first ones) keeps the last line as not understood. 0 or ERR_NOMEM. */
int import_odd(struct import *import, struct input *input, const char *reason, struct err *err);

/* The same where the line's text may hold a key: it is not kept. */
int import_odd_hidden(struct import *import, struct input *input, const char *reason,
		      struct err *err);

/* The same for one more value of a line, which counts once however many are wrong. */
int import_odd_once(struct import *import, const char *reason, struct err *err);

/*
 * The file is not whole: `what` says how that shows and what is missing ("it ends
 * inside the section LINKS"), to which the number of its last line is added;
 * attribute is the first thing that suffers. The snapshot is partial, with a hole;
 * the same of one file and attribute is told once. 0 or ERR_NOMEM.
 */
int import_cut(struct import *import, enum attribute attribute, const char *what, struct err *err);

/*
 * Rows of this attribute stand in lines that were not understood, `what` says in
 * which: a hole, so that nobody concludes from their absence. 0 or ERR_NOMEM.
 */
int import_unclear(struct import *import, enum attribute attribute, const char *what,
		   struct err *err);

/* The time the content names itself (UTC seconds). */
void import_taken_at(struct import *import, int64_t taken_at);

/* Marks an attribute as something this source could tell of the whole fabric. */
void import_asked(struct import *import, enum attribute attribute);

/* The same for NodeInfo of all devices: what newer sources of this kind do not list has left. */
void import_lists_all(struct import *import);

/* Of one tool's runs in one file, a later one lists all: what it does not list has left. */
void import_lists_all_of_series(struct import *import);

/*
 * The device with this GUID, made if missing; type may be NODE_TYPE_UNKNOWN. A
 * GUID that an earlier row of the SAME source gave to a device that cannot be
 * this one (other type, NumPorts or device id) is the format's to notice; it
 * then calls import_device_twin for a second row. NULL: no memory.
 */
struct device *import_device(struct import *import, uint64_t guid, enum node_type type);
/* The source names this device by something else than its GUID: it is there. NULL: no memory. */
struct device *import_device_seen(struct import *import, struct device *device);
struct device *import_device_twin(struct import *import, uint64_t guid, enum node_type type);

/* The port, made if missing; NULL: no memory. */
struct port *import_port(struct import *import, struct device *device, unsigned num);

/* The end port that has this port GUID, or NULL. */
struct port *import_port_by_guid(struct import *import, uint64_t port_guid);
void import_port_guid(struct import *import, struct port *port, uint64_t port_guid);
/* The device gave the port a GUID of 0 or all ones, which is nobody's: kept as 0, and told. */
void import_port_guid_invalid(struct import *import, struct port *port);

/*
 * Scalars, by field table row; FIELD_UNKNOWN is ignored. A value that the field
 * cannot hold (a LID above 65535, a negative count) is not kept: the line is odd.
 * So give numbers as they stand in the file. 0 or ERR_NOMEM.
 */
int import_node_field(struct import *import, struct device *device, const struct field *field,
		      int64_t value, struct err *err);
int import_switch_field(struct import *import, struct device *device, const struct field *field,
			int64_t value, struct err *err);
int import_port_field(struct import *import, struct port *port, const struct field *field,
		      int64_t value, struct err *err);

/*
 * For a number that is kept elsewhere (a host's port, an SM): *slot is set when
 * the value is within 0..largest; else the line is odd. `name` is for its reason.
 */
int import_within(struct import *import, const char *name, int64_t value, int64_t largest,
		  int64_t *slot, struct err *err);

/* Short forms: IMPORT_PORT(im, port, lid, 5, err). */
#define IMPORT_NODE(im, device, member, value, err)                                               \
	import_node_field(im, device, field_find(node_field_table, #member), value, err)
#define IMPORT_SWITCH(im, device, member, value, err)                                             \
	import_switch_field(im, device, field_find(switch_field_table, #member), value, err)
#define IMPORT_PORT(im, port, member, value, err)                                                 \
	import_port_field(im, port, field_find(port_field_table, #member), value, err)

/* Sets a joined speed code as active speed: link_speed_code and link_speed_active. */
int import_port_speed(struct import *import, struct port *port, int64_t code, struct err *err);

/*
 * What Mellanox' ExtendedPortInfo says of the active speed: FDR10 (1) and EDR20
 * (2), which PortInfo calls QDR. Marks the attribute as read. 0 or ERR_NOMEM.
 */
int import_port_extended_speed(struct import *import, struct port *port, int64_t active,
			       struct err *err);

/* "4xEDR", "4x EDR", "2x", "??": width and speed as infiniband-diags prints them. False: not such. */
bool import_parse_width(const char *text, size_t length, int64_t *ret_lanes);
/* "EDR", "FDR10", "25.78125", "25", "???": the joined code of one speed, FIELD_UNKNOWN for "???". */
bool import_parse_speed(const char *text, size_t length, int64_t *ret_code);

int import_description(struct import *import, struct device *device, const char *text,
		       size_t length, struct err *err);
int import_alias(struct import *import, struct device *device, const char *text, size_t length,
		 struct err *err);
int import_fw_version(struct import *import, struct device *device, const char *text,
		      size_t length, struct err *err);
int import_psid(struct import *import, struct device *device, const char *text, size_t length,
		struct err *err);
/* 0 is ignored. */
int import_system_image_guid(struct import *import, struct device *device, uint64_t guid,
			     struct err *err);

/*
 * Tables. Each row or table is compared with what another source gave before,
 * wins or loses as a whole, and marks its attribute as read. 0 or ERR_NOMEM.
 */
/* One counter; `saturated`: the short form at its maximum. The 64-bit twin goes before the short form. */
int import_counter(struct import *import, struct port *port, enum counter counter, uint64_t value,
		   bool saturated, struct err *err);
/*
 * The same from a short form and its 64-bit twin, each NULL when not told. The
 * twin is the value; one that is less than the short form was not counted at
 * all (some devices answer zeros), and a short form at its maximum saturates.
 */
int import_counter_pair(struct import *import, struct port *port, enum counter counter,
			const uint64_t *value, const uint64_t *twin, struct err *err);
/* P_Keys as on the wire, 0 entries left out by the caller; the whole table at once. */
int import_pkeys(struct import *import, struct port *port, const uint16_t *pkeys, size_t count,
		 struct err *err);
/* One more entry for a table that comes row by row; 0 and repetitions are left out. */
int import_pkey_add(struct import *import, struct port *port, uint16_t pkey, struct err *err);
int import_guids(struct import *import, struct port *port, const uint64_t *guids, size_t count,
		 struct err *err);
/* The map from in-port `in` (0 for a CA) to this port; folded here. */
int import_sl2vl(struct import *import, struct port *port, unsigned in, const uint8_t vl[16],
		 struct err *err);
int import_vlarb(struct import *import, struct port *port, bool high,
		 const struct vlarb_entry *entries, size_t count, struct err *err);

/*
 * For tables with no function here (LFT, MFT): true when the current source
 * is to replace what `other` gave (0: nobody did).
 */
bool import_replaces(struct import *import, source_ref other);

/*
 * The same with bookkeeping: 1: take the new table, 0: keep the old one.
 * *origin is who stands behind the table and is kept up to date. present: there
 * is an old one; equal: both say the same; old and new name them in a contradiction.
 */
int import_table(struct import *import, struct device *device, int port, const char *fact,
		 source_ref *origin, bool present, bool equal, const char *old, const char *new,
		 struct err *err);

/*
 * The device's forwarding table up to LID `last` lacks rows in this file, as `text`
 * (interned) says: a hole, unless in the end all of it is known by another file's
 * word; `doubtful`: even so. 0 or ERR_NOMEM.
 */
int import_torn_lft(struct import *import, const struct device *device, unsigned last,
		    bool doubtful, char *text, struct err *err);

/* Adds a contradiction that the caller decided. 0 or ERR_NOMEM. */
int import_contradiction(struct import *import, struct device *device, int port, const char *fact,
			 const char *kept, source_ref kept_source, const char *other,
			 source_ref other_source, struct err *err);

/* A text kept once for the whole fabric however often it comes. NULL: no memory. */
char *import_intern(struct import *import, const char *text, size_t length);

/* Adds an SM, or gives the one with this port GUID that is there. NULL: no memory. */
struct sm *import_sm(struct import *import, uint64_t port_guid);

/*
 * A link seen from `a`: both ways if `both`, where the file tells a link once and
 * means both ends. An end that already has another
 * peer from this same source is a guid_conflict candidate and is kept as a
 * contradiction of fact "link"; nothing is merged.
 */
int import_link(struct import *import, struct port *a, struct port *b, bool both, struct err *err);

/* This source says that nothing is behind the port: what an earlier sweep told of a link is undone. 0 or ERR_NOMEM. */
int import_no_link(struct import *import, struct port *port, struct err *err);

/*
 * The far end of the port's link has no word in this file and knows no peer: it gets
 * the port, as what the port's side alone says. 0 or ERR_NOMEM.
 */
int import_link_back(struct import *import, struct port *port, struct err *err);

/* The same for all links of the file, when it was read: where it has no word of the far end. */
int import_links_back(struct import *import, struct err *err);

/* The host of the prompt in front of this part of a log, interned; NULL: none, or it is no part. */
const char *import_prompt_host(const struct import *import);

/* The events that db_csv files of this run told. */
struct told_rows *import_events(struct import *import);

/* Notes that the attribute of this port (or device) came from this source. */
void import_port_read(struct import *import, struct port *port, enum attribute attribute);
void import_device_read(struct import *import, struct device *device, enum attribute attribute);

/*
 * A fact without a field. What another source told of the same device, port,
 * section and key is replaced or stays by the rule above; rows of one source
 * stand side by side. Sections in use: "cable", "temperature", "fec",
 * "counter-delta" (what a run of ibdiagnet saw counted), "port" (label,
 * FECActv, ...), "device", "hierarchy", "adaptive-routing", "router", "vport",
 * "vnode", "chassis", "run", "ibdiagnet-warning", "ibdiagnet-error",
 * "ibdiagnet-stage".
 */
int import_fact(struct import *import, struct device *device, int port, const char *section,
		const char *key, const char *value, size_t length, struct err *err);

/* --- Small parsers, all on (text, length); false: not such, outputs untouched. --- */

/* Decimal or 0x; the whole text. */
bool import_parse_u64(const char *text, size_t length, uint64_t *ret_value);
/* Like it, and "N/A", "NA", "ERR", "-1", "?", "???", "" and blanks give FIELD_UNKNOWN. */
bool import_parse_cell(const char *text, size_t length, int64_t *ret_value);
/*
 * What can be the GUID of a device or a port, told with so many hex digits. Not 0 and all ones,
 * which are nobody's (IBA Volume 1, 4.1.1), not the all ones but one that ibdiagnet prints for "not
 * available", and with fewer than 16 digits not what is less than any maker's or simulator's, or
 * begins with a zero: that is another column's number.
 */
bool import_is_guid(uint64_t guid, size_t digits);
/* Such a GUID as 0x and hex digits; the whole text. */
bool import_parse_guid(const char *text, size_t length, uint64_t *ret_guid);
/* Hex digits with or without 0x; the whole text. */
bool import_parse_hex(const char *text, size_t length, uint64_t *ret_value);
/* One of the words for "no value" above. */
bool import_is_unknown(const char *text, size_t length);
/* Equal to `word` (given in lower case) without regard to case. */
bool import_is_word(const char *text, size_t length, const char *word);
/* Takes blanks (space, tab) off both ends. */
void import_trim(const char **text, size_t *length);
/* "Mon Dec 18 12:34:08 2023" (no zone: taken as UTC) and "2025-03-31 23:43:37 CST +0800" -> UTC seconds. */
bool import_parse_time(const char *text, size_t length, int64_t *ret_time);

#endif
