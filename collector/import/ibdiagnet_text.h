/*
 * What the text files of ibdiagnet 2 have in common: a head and a foot of '#'
 * lines, and ports named by GUID, number and LID.
 */
#ifndef COLLECTOR_IMPORT_IBDIAGNET_TEXT_H
#define COLLECTOR_IMPORT_IBDIAGNET_TEXT_H

#include "collector/import/format.h"

/* True when the probe begins as those files do. */
bool ibdiagnet_is(const struct probe *probe);

/* True for blank and '#' lines; takes the time of the run from them. */
bool ibdiagnet_comment(struct import *import, const char *line, size_t length);

/* "[...]", "...", "[snip]": what somebody left out stood here, a title maybe. */
bool ibdiagnet_gap(const char *line, size_t length);

/*
 * The value behind `name` ("guid=", "Port=") in a line, up to the next blank;
 * false: not there.
 */
bool ibdiagnet_value(const char *line, size_t length, const char *name, const char **ret_value,
		     size_t *ret_length);

/* The same as a number, decimal or 0x. */
bool ibdiagnet_number(const char *line, size_t length, const char *name, uint64_t *ret_value);

/* The same as a GUID, 0x and 16 digits where the line ends behind it (it may be cut). */
bool ibdiagnet_guid(const char *line, size_t length, const char *name, uint64_t *ret_guid);

/*
 * Port `num` of the device that holds this port GUID; of a CA the port that has
 * the GUID, whatever its number. A GUID nobody has becomes a device of its own:
 * its node GUID is not in such a file. NULL: no memory.
 */
struct port *ibdiagnet_port(struct import *import, uint64_t port_guid, unsigned num);

/*
 * The port's LID behind `name` ("lid="), where the line has it; a switch's is
 * that of port 0. Of a device whose kind is not known it is only looked at. 0 or
 * ERR_NOMEM.
 */
int ibdiagnet_lid(struct import *import, struct port *port, const char *line, size_t length,
		  const char *name, struct err *err);

#endif
