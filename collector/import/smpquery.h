/*
 * One file of smpquery's answers while it is read: smpquery.c tells the answers
 * apart and takes those of one key a line, smpquery_tables.c those of rows.
 */
#ifndef COLLECTOR_IMPORT_SMPQUERY_H
#define COLLECTOR_IMPORT_SMPQUERY_H

#include "collector/import/diag_dest.h"
#include "collector/import/record_ends.h"
#include "collector/import/rows.h"
#include "collector/import/smp_values.h"
#include "collector/import/trouble.h"

#define SMPQUERY_TABLE_MAX 2048

enum smpquery_block {
	BLOCK_NONE,
	BLOCK_NODE,
	BLOCK_SWITCH,
	BLOCK_PORT,
	BLOCK_MLNX_PORT,	/* Mellanox' ExtendedPortInfo */
	BLOCK_PORT_EXTENDED,	/* PortInfoExtended: FEC */
	BLOCK_SL2VL,
	BLOCK_VLARB,
	BLOCK_OTHER,		/* recognised, nothing of it is kept */
};

struct smpquery {
	struct import *import;
	struct input *input;
	struct err *err;
	struct rows rows;
	struct diag_dests dests;
	struct trouble_list *troubles;
	struct record_ends ends;
	enum smpquery_block block;
	char address[128];	/* of the block, or of the last command line; "" none */
	struct device *device;	/* of that address, or NULL */
	int num;		/* port asked for, -1 not told */
	struct smp_node node;
	struct smp_switch sw;
	struct smp_port port;
	int64_t mlnx_active;	/* LinkSpeedActive of Mellanox' ExtendedPortInfo */
	struct smpquery_vlarb {
		struct vlarb_entry entries[64];
		size_t count;		/* with a VL; weights follow */
		size_t weight_count;
		int cap;		/* entries that the title promises, -1 not told */
		bool told;		/* it has a heading */
	} vlarb[2];		/* low, high */
	int vlarb_open;		/* which of them the lines are of, -1 none */
	int sl2vl_in, sl2vl_out;	/* ports of the SL to VL row before, -1 none */
	bool sl2vl_torn;	/* rows are missing */
	uint64_t table[SMPQUERY_TABLE_MAX];	/* of a GUID or P_Key table */
	size_t table_count;
	int table_digits;	/* of its values, with 0x */
};

/* The last line is odd. 0 or ERR_NOMEM. */
int smpquery_odd(struct smpquery *reader, const char *reason);

/* Port 0 of a CA's arbitration and P_Key tables is the port asked through; with one port, port 1. */
void smpquery_settle_num(struct smpquery *reader);

/* The rest of a VLArb title: " LowCap 8 HighCap 8". */
void smpquery_vlarb_caps(struct smpquery *reader, struct scan scan);

/* Puts the open answer into the fabric; then none is open. 0 or ERR_NOMEM. */
int smpquery_block_end(struct smpquery *reader);

/* What follows without a title or a command line in front is of no node that is known. 0 or ERR_NOMEM. */
int smpquery_forget_whose(struct smpquery *reader);

/* Puts the arbitration tables into the fabric when both are whole. 0 or ERR_NOMEM. */
int smpquery_vlarb_end(struct smpquery *reader);

/* A row, a heading or the last line of a table. 1: taken, 0: none, or ERR_NOMEM. */
int smpquery_table_line(struct smpquery *reader, struct scan scan);

#endif
