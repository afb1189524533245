/*
 * M_Keys by port GUID, as OpenSM's guid2mkey file lists them: one line for each
 * port, "0x<port GUID> 0x<M_Key>". M_Keys are secrets: they go into SMPs and
 * nowhere else.
 */
#ifndef COLLECTOR_LIVE_KEYS_H
#define COLLECTOR_LIVE_KEYS_H

#include <stdint.h>

#include "store/err.h"

struct keys;			/* opaque */

/* *ret_keys belongs to the caller. ERR_INPUT (unreadable, or a line that is not such), ERR_NOMEM. */
int keys_read(const char *path, struct keys **ret_keys, struct err *err);

/* The key of this port; `fallback` if it has none or keys is NULL. */
uint64_t keys_find(const struct keys *keys, uint64_t port_guid, uint64_t fallback);

/* The one key that all ports share; `fallback` if they differ or keys is NULL. */
uint64_t keys_common(const struct keys *keys, uint64_t fallback);

/* Overwrites the keys. NULL is fine. */
void keys_free(struct keys *keys);

#endif
