/*
 * What tools and the kernel print of a host's ports: rates, GIDs, and the host's
 * name in a prompt.
 */
#ifndef COLLECTOR_IMPORT_HOST_WORDS_H
#define COLLECTOR_IMPORT_HOST_WORDS_H

#include "collector/import/format.h"

/*
 * "200 Gb/sec (4X HDR)", "10 Gb/sec (4X)", "2.5", "40 (FDR10)": Mb/s, lanes and
 * the speed's name (static text, or NULL). "0 GB/sec" is no rate: all unknown.
 * False: no number, outputs untouched.
 */
bool host_rate(const char *text, size_t length, int64_t *ret_mbps, int64_t *ret_width,
	       const char **ret_speed);

/* "fe80:0000:...": 16 bytes in network order. False: no GID in that full form. */
bool host_gid_parse(const char *text, size_t length, uint8_t ret_gid[16]);

bool host_gid_is_zero(const uint8_t gid[16]);

/* The low 64 bits of a GID: a port GUID on InfiniBand. */
uint64_t host_gid_guid(const uint8_t gid[16]);

/* "0c42:a103:00d0:0010" as sysfs prints GUIDs, or 0x and digits. */
bool host_guid_parse(const char *text, size_t length, uint64_t *ret_guid);

/* The host in "[root@wren ~]# " or "user@wren:~$ "; NULL: none. Points into text. */
const char *host_in_prompt(const char *text, size_t length, size_t *ret_length);

/* A port that is down keeps the rate of its last link: none of it counts. */
void host_port_settle(struct host_port *port);

#endif
