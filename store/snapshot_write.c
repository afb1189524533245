#include <stdlib.h>
#include <string.h>

#include "store/config.h"
#include "store/counters.h"
#include "store/db.h"
#include "store/device.h"
#include "store/lists.h"
#include "store/tree.h"
#include "store/words.h"
#include "version.h"

/* A site or label goes into struct snapshot whole; a label must not look like another name. */
static int check_name(const char *what, const char *name, bool is_label, struct err *err)
{
	if (!name)
		return 0;
	if (strlen(name) >= sizeof(((struct snapshot *)NULL)->label))
		return err_set(err, ERR_USAGE, "the %s \"%s\" is longer than 63 bytes", what, name);
	if (*name == '\0')
		return err_set(err, ERR_USAGE, "the %s is empty", what);
	if (is_label && (name[strspn(name, "0123456789")] == '\0' ||
			 strcmp(name, "latest") == 0 || strncmp(name, "latest~", 7) == 0))
		return err_set(err, ERR_USAGE,
			       "\"%s\" cannot be a label: it already names a snapshot by number or "
			       "age",
			       name);
	return 0;
}

struct census {
	int64_t of_type[NODE_TYPE_ROUTER + 1];
	int64_t links;
};

/* A link counts once; what one end alone tells is a link too. */
static void take_census(const struct fabric *fabric, struct census *census)
{
	int64_t both = 0;
	int64_t one = 0;
	int64_t loops = 0;

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		census->of_type[device->type]++;
		for (size_t p = 0; p < device->port_slots; p++) {
			const struct port *port = device->ports[p];

			if (!port || !port->peer)
				continue;
			if (port->peer == port)
				loops++;
			else if (port->peer->peer == port)
				both++;
			else
				one++;
		}
	}
	census->links = both / 2 + one + loops;
}

static int write_header(struct column_writer *writer, const struct fabric *fabric,
			const char *site, const char *label, int64_t stored_at, int64_t *ret_id,
			struct err *err)
{
	const struct config *config = fabric->config;
	struct census census = {0};
	struct stmt *insert = NULL;
	struct value name;
	int rc;

	take_census(fabric, &census);
	rc = stmt_prepare(
		writer->store,
		"INSERT INTO snapshot_row (taken_at, stored_at, site, label, live, partial, asked,"
		" devices, switches, cas, routers, links, holes, opensm_conf, partitions_conf,"
		" opensm_log, policy_present, policy_source, policy_dropped, program)"
		" VALUES (:taken_at, :stored_at, ?3, ?4, :live, :partial, :asked, :devices,"
		" :switches, :cas, :routers, :links, :holes, :opensm_conf, :partitions_conf,"
		" :opensm_log, :policy_present, :policy_source, :policy_dropped, :program)",
		&insert, err);
	if (rc < 0)
		return rc;
	stmt_bind_field(insert, ":taken_at", fabric->taken_at);
	stmt_bind_i64(insert, ":stored_at", stored_at);
	stmt_bind_i64(insert, ":live", fabric->live);
	stmt_bind_i64(insert, ":partial", fabric->partial);
	stmt_bind_i64(insert, ":asked", fabric->asked);
	stmt_bind_i64(insert, ":devices", (int64_t)fabric->device_count);
	stmt_bind_i64(insert, ":switches", census.of_type[NODE_TYPE_SWITCH]);
	stmt_bind_i64(insert, ":cas", census.of_type[NODE_TYPE_CA]);
	stmt_bind_i64(insert, ":routers", census.of_type[NODE_TYPE_ROUTER]);
	stmt_bind_i64(insert, ":links", census.links);
	stmt_bind_i64(insert, ":holes", (int64_t)fabric->hole_count);
	stmt_bind_guid(insert, ":opensm_conf", config->opensm_conf);
	stmt_bind_guid(insert, ":partitions_conf", config->partitions_conf);
	stmt_bind_guid(insert, ":opensm_log", config->opensm_log);
	stmt_bind_i64(insert, ":policy_present", config->policy.present);
	stmt_bind_guid(insert, ":policy_source", config->policy.source);
	stmt_bind_i64(insert, ":policy_dropped", config->policy.dropped);
	stmt_bind_text(insert, ":program", IBAUDIT_VERSION);
	rc = column_text(writer, site, &name, err);
	if (rc == 0) {
		value_bind(insert, 3, &name);
		rc = column_text(writer, label, &name, err);
	}
	if (rc == 0) {
		value_bind(insert, 4, &name);
		rc = stmt_run(insert, err);
	}
	if (rc == 0)
		*ret_id = stmt_insert_id(insert);
	stmt_free(insert);
	return rc;
}

static int write_all(struct column_writer *writer, const struct fabric *fabric, const char *site,
		     const char *label, int64_t stored_at, int64_t *ret_id, struct err *err)
{
	int64_t *bodies = NULL;
	int64_t id = 0;
	int rc;

	rc = words_write(writer->store, err);
	if (rc == 0)
		rc = write_header(writer, fabric, site, label, stored_at, &id, err);
	if (rc == 0)
		rc = devices_write(writer, fabric, id, &bodies, err);
	writer->body_of = bodies;
	for (const struct list_kind *kind = list_kinds; kind->table && rc == 0; kind++)
		rc = list_write(writer, kind, fabric, id, err);
	if (rc == 0)
		rc = host_counters_write(writer, fabric, id, err);
	if (rc == 0)
		rc = facts_write(writer, fabric, id, err);
	if (rc == 0)
		rc = policy_write(writer, fabric, id, err);
	if (rc == 0)
		rc = members_write(writer, fabric, id, err);
	*ret_id = id;
	free(bodies);
	return rc;
}

int store_snapshot_write(struct store *store, const struct fabric *fabric, const char *site,
			 const char *label, int64_t stored_at, int64_t *ret_id, struct err *err)
{
	struct column_writer writer = {.store = store, .source_count = fabric->source_count};
	int64_t id = 0;
	int rc;

	rc = check_name("site", site, false, err);
	if (rc == 0)
		rc = check_name("label", label, true, err);
	if (rc < 0)
		return rc;
	rc = db_begin(store, err);
	if (rc < 0)
		return rc;
	rc = write_all(&writer, fabric, site, label, stored_at, &id, err);
	column_writer_free(&writer);
	if (rc == 0)
		rc = db_commit(store, err);
	if (rc == 0)
		*ret_id = id;
	db_rollback(store);
	return rc;
}
