#include "store/lists.h"

#include <limits.h>
#include <string.h>

#include "store/config.h"

#define OFF(type, member) offsetof(struct type, member)

static const struct column source_columns[] = {
	{"kind", COLUMN_INT, OFF(source, kind), SOURCE_FILE},
	{"name", COLUMN_WORDS, OFF(source, name), 0},
	{"format", COLUMN_WORDS, OFF(source, format), 0},
	{"taken_at", COLUMN_FIELD, OFF(source, taken_at), 0},
	{"rows", COLUMN_I64, OFF(source, rows), 0},
	{"odd_rows", COLUMN_I64, OFF(source, odd_rows), 0},
	{"detail", COLUMN_TEXT, OFF(source, detail), 0},
};

static const struct column hole_columns[] = {
	{"body_id", COLUMN_DEVICE, OFF(hole, device), 0},
	{"port", COLUMN_PORT, OFF(hole, port), 0},
	{"attribute", COLUMN_INT, OFF(hole, attribute), ATTRIBUTE_COUNT - 1},
	{"reason", COLUMN_INT, OFF(hole, reason), HOLE_UNDECIDED},
	{"status", COLUMN_INT, OFF(hole, status), INT_MAX},
	{"behind_body", COLUMN_PORT_DEVICE, OFF(hole, behind), 0},
	{"behind_port", COLUMN_PORT_NUM, OFF(hole, behind), 0},
	{"text", COLUMN_TEXT, OFF(hole, text), 0},
	{"source", COLUMN_SOURCE, OFF(hole, source), 0},
};

static const struct column odd_line_columns[] = {
	{"source", COLUMN_SOURCE, OFF(odd_line, source), 0},
	{"line", COLUMN_I64, OFF(odd_line, line), 0},
	{"text", COLUMN_WORDS, OFF(odd_line, text), 0},
	{"reason", COLUMN_WORDS, OFF(odd_line, reason), 0},
};

static const struct column contradiction_columns[] = {
	{"body_id", COLUMN_DEVICE, OFF(contradiction, device), 0},
	{"port", COLUMN_PORT, OFF(contradiction, port), 0},
	{"fact", COLUMN_WORDS, OFF(contradiction, fact), 0},
	{"kept", COLUMN_WORDS, OFF(contradiction, kept), 0},
	{"kept_source", COLUMN_SOURCE, OFF(contradiction, kept_source), 0},
	{"other", COLUMN_WORDS, OFF(contradiction, other), 0},
	{"other_source", COLUMN_SOURCE, OFF(contradiction, other_source), 0},
};

static const struct column guid_conflict_columns[] = {
	{"guid", COLUMN_GUID, OFF(guid_conflict, guid), 0},
	{"is_port_guid", COLUMN_BOOL, OFF(guid_conflict, is_port_guid), 0},
	{"a_body", COLUMN_PORT_DEVICE, OFF(guid_conflict, place_a), 0},
	{"a_port", COLUMN_PORT_NUM, OFF(guid_conflict, place_a), 0},
	{"b_body", COLUMN_PORT_DEVICE, OFF(guid_conflict, place_b), 0},
	{"b_port", COLUMN_PORT_NUM, OFF(guid_conflict, place_b), 0},
	{"detail", COLUMN_WORDS, OFF(guid_conflict, detail), 0},
	{"source", COLUMN_SOURCE, OFF(guid_conflict, source), 0},
};

static const struct column sm_columns[] = {
	{"body_id", COLUMN_PORT_DEVICE, OFF(sm, port), 0},
	{"port", COLUMN_PORT_NUM, OFF(sm, port), 0},
	{"port_guid", COLUMN_GUID, OFF(sm, port_guid), 0},
	{"lid", COLUMN_FIELD, OFF(sm, lid), 0},
	{"priority", COLUMN_FIELD, OFF(sm, priority), 0},
	{"state", COLUMN_FIELD, OFF(sm, state), 0},
	{"act_count", COLUMN_FIELD, OFF(sm, act_count), 0},
	{"source", COLUMN_SOURCE, OFF(sm, source), 0},
};

static const struct column host_gid_columns[] = {
	{"host", COLUMN_TEXT, OFF(host_gid, host), 0},
	{"device", COLUMN_WORDS, OFF(host_gid, device), 0},
	{"port", COLUMN_U8, OFF(host_gid, port), 0},
	{"gid_index", COLUMN_INT, OFF(host_gid, index), INT_MAX},
	{"gid", COLUMN_GID, OFF(host_gid, gid), 0},
	{"type", COLUMN_TEXT, OFF(host_gid, type), 0},
	{"netdev", COLUMN_TEXT, OFF(host_gid, netdev), 0},
	{"port_guid", COLUMN_GUID, OFF(host_gid, port_guid), 0},
	{"source", COLUMN_SOURCE, OFF(host_gid, source), 0},
};

static const struct column host_port_columns[] = {
	{"host", COLUMN_TEXT, OFF(host_port, host), 0},
	{"device", COLUMN_WORDS, OFF(host_port, device), 0},
	{"port", COLUMN_U8, OFF(host_port, port), 0},
	{"node_guid", COLUMN_GUID, OFF(host_port, node_guid), 0},
	{"port_guid", COLUMN_GUID, OFF(host_port, port_guid), 0},
	{"link_layer", COLUMN_TEXT, OFF(host_port, link_layer), 0},
	{"state", COLUMN_FIELD, OFF(host_port, state), 0},
	{"phys_state", COLUMN_FIELD, OFF(host_port, phys_state), 0},
	{"rate_mbps", COLUMN_FIELD, OFF(host_port, rate_mbps), 0},
	{"width", COLUMN_FIELD, OFF(host_port, width), 0},
	{"speed", COLUMN_TEXT, OFF(host_port, speed), 0},
	{"lid", COLUMN_FIELD, OFF(host_port, lid), 0},
	{"lmc", COLUMN_FIELD, OFF(host_port, lmc), 0},
	{"sm_lid", COLUMN_FIELD, OFF(host_port, sm_lid), 0},
	{"fw_version", COLUMN_TEXT, OFF(host_port, fw_version), 0},
	{"gid_slots", COLUMN_FIELD, OFF(host_port, gid_slots), 0},
	{"gids_unread", COLUMN_FIELD, OFF(host_port, gids_unread), 0},
	{"source", COLUMN_SOURCE, OFF(host_port, source), 0},
};

static const struct column planned_link_columns[] = {
	{"node_a", COLUMN_WORDS, OFF(planned_link, node_a), 0},
	{"port_a", COLUMN_WORDS, OFF(planned_link, port_a), 0},
	{"node_b", COLUMN_WORDS, OFF(planned_link, node_b), 0},
	{"port_b", COLUMN_WORDS, OFF(planned_link, port_b), 0},
	{"detail", COLUMN_TEXT, OFF(planned_link, detail), 0},
	{"source", COLUMN_SOURCE, OFF(planned_link, source), 0},
};

static const struct column option_columns[] = {
	{"key", COLUMN_WORDS, OFF(config_option, key), 0},
	{"raw", COLUMN_TEXT, OFF(config_option, raw), 0},
	{"effective", COLUMN_TEXT, OFF(config_option, effective), 0},
	{"line", COLUMN_I64, OFF(config_option, line), 0},
	{"source", COLUMN_SOURCE, OFF(config_option, source), 0},
};

static const struct column partition_columns[] = {
	{"name", COLUMN_TEXT, OFF(partition, name), 0},
	{"pkey", COLUMN_U16, OFF(partition, pkey), 0},
	{"ipoib", COLUMN_BOOL, OFF(partition, ipoib), 0},
	{"mtu_code", COLUMN_FIELD, OFF(partition, mtu_code), 0},
	{"rate_code", COLUMN_FIELD, OFF(partition, rate_code), 0},
	{"sl", COLUMN_FIELD, OFF(partition, sl), 0},
	{"line", COLUMN_I64, OFF(partition, line), 0},
	{"source", COLUMN_SOURCE, OFF(partition, source), 0},
};

static const struct column log_event_columns[] = {
	{"kind", COLUMN_INT, OFF(log_event, kind), LOG_EVENT_KIND_COUNT - 1},
	{"error", COLUMN_TEXT, OFF(log_event, error), 0},
	{"text", COLUMN_TEXT, OFF(log_event, text), 0},
	{"guid", COLUMN_GUID, OFF(log_event, guid), 0},
	{"guid_a", COLUMN_GUID, OFF(log_event, guid_a), 0},
	{"guid_b", COLUMN_GUID, OFF(log_event, guid_b), 0},
	{"port", COLUMN_PORT, OFF(log_event, port), 0},
	{"port_a", COLUMN_PORT, OFF(log_event, port_a), 0},
	{"port_b", COLUMN_PORT, OFF(log_event, port_b), 0},
	{"first_time", COLUMN_TEXT, OFF(log_event, first_time), 0},
	{"last_time", COLUMN_TEXT, OFF(log_event, last_time), 0},
	{"first_line", COLUMN_I64, OFF(log_event, first_line), 0},
	{"last_line", COLUMN_I64, OFF(log_event, last_line), 0},
	{"count", COLUMN_I64, OFF(log_event, count), 0},
	{"source", COLUMN_SOURCE, OFF(log_event, source), 0},
	{"run", COLUMN_INT, OFF(log_event, run), LOG_RUN_STATE_COUNT - 1},
	{"run_until", COLUMN_TEXT, OFF(log_event, run_until), 0},
};

static const struct column config_problem_columns[] = {
	{"problem", COLUMN_WORDS, OFF(config_problem, id), 0},
	{"key", COLUMN_TEXT, OFF(config_problem, key), 0},
	{"text", COLUMN_WORDS, OFF(config_problem, text), 0},
	{"remedy", COLUMN_TEXT, OFF(config_problem, remedy), 0},
	{"severity", COLUMN_INT, OFF(config_problem, severity), 3},
	{"line", COLUMN_I64, OFF(config_problem, line), 0},
	{"source", COLUMN_SOURCE, OFF(config_problem, source), 0},
};

static void *add_source(struct fabric *fabric)
{
	return fabric_source_add(fabric, SOURCE_FILE, "", "");
}

static const void *elements_source(const struct fabric *fabric, size_t *ret_count)
{
	*ret_count = fabric->source_count;
	return fabric->sources;
}

/* The two functions of a list in struct fabric, and of one in struct config. */
#define FABRIC_LIST(name)                                                                         \
	static void *add_##name(struct fabric *fabric)                                            \
	{                                                                                         \
		return fabric_##name##_add(fabric);                                               \
	}                                                                                         \
	static const void *elements_##name(const struct fabric *fabric, size_t *ret_count)        \
	{                                                                                         \
		*ret_count = fabric->name##_count;                                                \
		return fabric->name##s;                                                           \
	}
#define CONFIG_LIST(name, adder, list, count)                                                     \
	static void *add_##name(struct fabric *fabric)                                            \
	{                                                                                         \
		return adder(fabric->config);                                                     \
	}                                                                                         \
	static const void *elements_##name(const struct fabric *fabric, size_t *ret_count)        \
	{                                                                                         \
		*ret_count = fabric->config->count;                                               \
		return fabric->config->list;                                                      \
	}

FABRIC_LIST(hole)
FABRIC_LIST(odd_line)
FABRIC_LIST(contradiction)
FABRIC_LIST(guid_conflict)
FABRIC_LIST(sm)
FABRIC_LIST(host_gid)
FABRIC_LIST(host_port)
FABRIC_LIST(planned_link)
CONFIG_LIST(option, config_option_add, options, option_count)
CONFIG_LIST(partition, config_partition_add, partitions, partition_count)
CONFIG_LIST(log_event, config_event_add, events, event_count)
CONFIG_LIST(config_problem, config_problem_add, problems, problem_count)

#define KIND(name, type)                                                                          \
	{                                                                                         \
		#name "_row", name##_columns, sizeof(name##_columns) / sizeof(name##_columns[0]), \
			sizeof(struct type), elements_##name, add_##name                          \
	}

const struct list_kind list_kinds[] = {
	KIND(source, source),
	KIND(hole, hole),
	KIND(odd_line, odd_line),
	KIND(contradiction, contradiction),
	KIND(guid_conflict, guid_conflict),
	KIND(sm, sm),
	KIND(host_gid, host_gid),
	KIND(host_port, host_port),
	KIND(planned_link, planned_link),
	KIND(option, config_option),
	KIND(partition, partition),
	KIND(log_event, log_event),
	KIND(config_problem, config_problem),
	{NULL, NULL, 0, 0, NULL, NULL},
};

static void column_names(const struct list_kind *kind, const char *names[LIST_COLUMNS_MAX + 1])
{
	for (size_t i = 0; i < kind->column_count; i++)
		names[i] = kind->columns[i].name;
	names[kind->column_count] = NULL;
}

int list_write(struct column_writer *writer, const struct list_kind *kind,
	       const struct fabric *fabric, int64_t snapshot_id, struct err *err)
{
	const char *names[LIST_COLUMNS_MAX + 1];
	struct stmt *insert = NULL;
	size_t count = 0;
	const char *elements = kind->elements(fabric, &count);
	int rc;

	if (count == 0)
		return 0;
	column_names(kind, names);
	rc = stmt_prepare_insert(writer->store, kind->table, "snapshot_id", "seq", names, &insert,
				 err);
	if (rc < 0)
		return rc;
	stmt_bind_i64_at(insert, 1, snapshot_id);
	for (size_t i = 0; i < count && rc == 0; i++) {
		stmt_bind_i64_at(insert, 2, (int64_t)i + 1);
		for (size_t c = 0; c < kind->column_count && rc == 0; c++) {
			struct value value;

			rc = column_get(writer, &kind->columns[c],
					elements + i * kind->element_size, &value, err);
			if (rc == 0)
				value_bind(insert, (int)c + 3, &value);
		}
		if (rc == 0)
			rc = stmt_run(insert, err);
	}
	stmt_free(insert);
	return rc;
}

int list_read(struct column_reader *reader, const struct list_kind *kind, int64_t snapshot_id,
	      struct err *err)
{
	const char *names[LIST_COLUMNS_MAX + 1];
	struct stmt *rows = NULL;
	int rc;

	column_names(kind, names);
	rc = stmt_prepare_select(reader->store, NULL, names, kind->table,
				 "WHERE snapshot_id = ? ORDER BY seq", &rows, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64_at(rows, 1, snapshot_id);
	while ((rc = stmt_step(rows, err)) == 1) {
		void *element = kind->add(reader->fabric);

		if (!element) {
			rc = err_no_memory(err);
			break;
		}
		for (size_t c = 0; c < kind->column_count && rc == 1; c++) {
			int set = column_set(reader, &kind->columns[c], element, rows, (int)c, err);

			if (set < 0)
				rc = set;
		}
		if (rc < 0)
			break;
	}
	stmt_free(rows);
	return rc;
}
