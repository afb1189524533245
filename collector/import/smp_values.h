/*
 * NodeInfo, SwitchInfo and PortInfo as libibmad prints them, a key and a value a
 * line ("LinkWidthActive:.................4X"), gathered until the block ends
 * and then put into the fabric: what a value means can depend on others of the
 * block (supported speeds, the port asked, the kind of port 0).
 *
 * M_Keys are never taken. Source: libibmad fields.c and dump.c; saquery.c.
 */
#ifndef COLLECTOR_IMPORT_SMP_VALUES_H
#define COLLECTOR_IMPORT_SMP_VALUES_H

#include "collector/import/format.h"
#include "collector/import/rows.h"

/*
 * The keys that libibmad prints of each attribute, in order, for struct record_kind.
 * The second release is that of IBA 1.2.1 and the extended speeds, the third that of
 * XDR. An M_Key's line is none of them: people take it out.
 */
extern const char *const smp_node_lines[];
extern const char *const smp_switch_lines[];
extern const char *const smp_port_lines[];

/*
 * "Name:....value", "name....value": the two texts. False: the line is none; what has no dots
 * is another program's, but "Name:value" where the name fills the column.
 */
bool smp_split(const char *text, size_t length, const char **ret_key, size_t *ret_key_length,
	       const char **ret_value, size_t *ret_value_length);

struct smp_node {
	struct node_fields info;
	enum node_type type;
	uint64_t guid, port_guid, system_image_guid;
	bool port_guid_invalid;		/* it was told as 0 or all ones */
	int64_t local_port;
	int64_t lid;			/* of a NodeRecord, or unknown */
	const char *description;	/* of a NodeRecord; points into memory of smp_node_key's caller */
	size_t description_length;
};

struct smp_switch {
	struct switch_fields info;
};

struct smp_port {
	struct port_fields info;
	int64_t local_port;
	int64_t speed[3][3];		/* legacy, Ext, Ext2 x active, supported, enabled: codes of the field */
	bool speed_told[3];		/* any of the field was printed: so its other two belong to the whole */
	bool as_supported[3];		/* "enabled" is the code for: as supported */
	bool width_as_supported;
	bool cut;			/* lines that every release prints are missing */
};

void smp_node_init(struct smp_node *node);
void smp_switch_init(struct smp_switch *sw);
void smp_port_init(struct smp_port *port);

/* One key and its value; false: no key of this attribute. Values that say nothing stay unknown. */
bool smp_node_key(struct smp_node *node, const char *key, size_t key_length, const char *value,
		  size_t value_length);
bool smp_switch_key(struct smp_switch *sw, const char *key, size_t key_length, const char *value,
		    size_t value_length);
bool smp_port_key(struct smp_port *port, const char *key, size_t key_length, const char *value,
		  size_t value_length);

/* The device a NodeInfo is of; *ret_device stays NULL when it has no GUID. 0 or ERR_NOMEM. */
int smp_node_apply(const struct smp_node *node, struct rows *rows, struct import *import,
		   struct device **ret_device, struct err *err);

int smp_switch_apply(const struct smp_switch *sw, struct import *import, struct device *device,
		     struct err *err);

/*
 * num: the port asked for; 0 of a CA or router means the port the question came
 * in by, which the answer names. *ret_port is the port told, NULL when there is
 * none such. 0 or ERR_NOMEM.
 */
int smp_port_apply(const struct smp_port *values, struct import *import, struct device *device,
		   unsigned num, struct port **ret_port, struct err *err);

#endif
