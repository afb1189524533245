#include "store/words.h"

#include "store/block.h"
#include "store/config.h"
#include "store/stmt.h"

static const char *node_type_word(int64_t code)
{
	static const char *const names[] = {
		[NODE_TYPE_UNKNOWN] = "unknown",
		[NODE_TYPE_CA] = "CA",
		[NODE_TYPE_SWITCH] = "switch",
		[NODE_TYPE_ROUTER] = "router",
	};

	return names[code];
}

static const char *source_kind_word(int64_t code)
{
	return code == SOURCE_LIVE ? "live" : "file";
}

static const char *member_kind_word(int64_t code)
{
	static const char *const names[] = {
		[MEMBER_GUID] = "guid",
		[MEMBER_ALL] = "all",
		[MEMBER_ALL_CAS] = "all-cas",
		[MEMBER_ALL_SWITCHES] = "all-switches",
		[MEMBER_ALL_ROUTERS] = "all-routers",
		[MEMBER_SELF] = "self",
	};

	return names[code];
}

static const char *membership_word(int64_t code)
{
	static const char *const names[] = {
		[MEMBERSHIP_LIMITED] = "limited",
		[MEMBERSHIP_FULL] = "full",
		[MEMBERSHIP_BOTH] = "both",
	};

	return names[code];
}

/* The named functions take enums; these take what a table of them needs. */
#define WORD(name, type)                                                                          \
	static const char *name##_word(int64_t code)                                              \
	{                                                                                         \
		return name##_name((type)code);                                                   \
	}

WORD(attribute, enum attribute)
WORD(hole_reason, enum hole_reason)
WORD(severity, enum severity)
WORD(verdict, enum verdict_kind)
WORD(finding_status, enum finding_status)
WORD(log_event_kind, enum log_event_kind)
WORD(log_run_state, enum log_run_state)
WORD(block_kind, enum block_kind)

static const char *counter_word(int64_t code)
{
	return counter_table[code].name;
}

static const struct {
	const char *list;
	const char *(*word)(int64_t code);
	int64_t first;
	int64_t last;
} lists[] = {
	{"node_type", node_type_word, 0, NODE_TYPE_ROUTER},
	{"source_kind", source_kind_word, 0, SOURCE_FILE},
	{"member_kind", member_kind_word, 0, MEMBER_SELF},
	{"membership", membership_word, 0, MEMBERSHIP_BOTH},
	{"attribute", attribute_word, 0, ATTRIBUTE_COUNT - 1},
	{"hole_reason", hole_reason_word, 0, HOLE_UNDECIDED},
	{"severity", severity_word, 0, SEVERITY_CRITICAL},
	{"verdict", verdict_word, 0, VERDICT_NOT_CHECKED},
	{"finding_status", finding_status_word, 0, FINDING_UNCHECKED},
	{"log_event", log_event_kind_word, 0, LOG_EVENT_KIND_COUNT - 1},
	{"log_run", log_run_state_word, 0, LOG_RUN_STATE_COUNT - 1},
	{"block", block_kind_word, BLOCK_LFT, BLOCK_SOURCE},
	{"counter", counter_word, 0, COUNTER_COUNT - 1},
	{"port_state", port_state_name, 1, 5},
	{"port_phys_state", port_phys_state_name, 1, 7},
	{"sm_state", sm_state_name, 0, 3},
};

static int put_word(struct stmt *insert, const char *list, int64_t code, const char *name,
		    struct err *err)
{
	stmt_bind_text(insert, ":list", list);
	stmt_bind_i64(insert, ":code", code);
	stmt_bind_text(insert, ":name", name);
	return stmt_run(insert, err);
}

/* Speeds are numbers with a name; each bit of a code is one speed. */
static int put_speeds(struct stmt *insert, struct err *err)
{
	int rc = 0;

	for (int bit = 0; bit < 32 && rc == 0; bit++) {
		int64_t mbps = speed_of_code(INT64_C(1) << bit);

		if (mbps != FIELD_UNKNOWN)
			rc = put_word(insert, "speed", mbps, speed_name(mbps), err);
	}
	return rc;
}

int words_write(struct store *store, struct err *err)
{
	struct stmt *insert = NULL;
	int rc;

	rc = stmt_prepare(store,
			  "INSERT OR IGNORE INTO word (list, code, name)"
			  " VALUES (:list, :code, :name)",
			  &insert, err);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]) && rc == 0; i++) {
		for (int64_t code = lists[i].first; code <= lists[i].last && rc == 0; code++)
			rc = put_word(insert, lists[i].list, code, lists[i].word(code), err);
	}
	if (rc == 0)
		rc = put_speeds(insert, err);
	stmt_free(insert);
	return rc;
}
