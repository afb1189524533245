/*
 * The words iblinkinfo and ibqueryerrors print of a link:
 *
 *   2    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>  0x... 4 17[  ] "name" ( )
 *
 * Source: print_port() in iblinkinfo.c, print_port_config() in ibqueryerrors.c.
 */
#ifndef COLLECTOR_IMPORT_LINK_LINE_H
#define COLLECTOR_IMPORT_LINK_LINE_H

#include "collector/import/format.h"
#include "collector/import/scan.h"

struct link_line {
	int64_t lid;		/* of the port's owner */
	unsigned num;
	int64_t width;		/* lanes; unknown of a port that is Down */
	int64_t speed_code;	/* joined code; the same */
	int64_t state;
	int64_t phys_state;
	bool cut;		/* the line ends before its last words do */
	bool odd_word;		/* one that names no state, width or speed stands in their place */
	bool has_remote;
	uint64_t remote_guid;	/* port GUID, 0: not printed (iblinkinfo without --line) */
	int64_t remote_lid;
	unsigned remote_num;
	const char *remote_name;
	size_t remote_name_length;
};

/* From the LID at the cursor on. False: no such words. */
bool link_line_parse(struct scan scan, struct link_line *ret_link);

/* State, width and speed of the line into the port. 0 or ERR_NOMEM. */
int link_line_apply(struct import *import, const struct link_line *link, struct port *port,
		    struct err *err);

#endif
