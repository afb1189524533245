#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/store.h"
#include "tests/support/build_fabric.h"

static int open_store(void **state)
{
	struct err err = {0};

	return store_open(":memory:", STORE_WRITE, (struct store **)state, &err);
}

static int close_store(void **state)
{
	store_close(*state);
	return 0;
}

static int64_t write_tree(struct store *store, const char *site, const char *label)
{
	struct fabric *fabric = build_tree();
	struct err err = {0};
	int64_t id = 0;

	if (store_snapshot_write(store, fabric, site, label, 1700000000, &id, &err) < 0)
		fail_msg("%s", err.text);
	fabric_free(fabric);
	return id;
}

static void assert_found(struct store *store, const char *name, const char *site, int64_t id)
{
	struct snapshot snapshot;
	struct err err = {0};

	if (store_snapshot_find(store, name, site, &snapshot, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(snapshot.id, id);
}

static void assert_not_found(struct store *store, const char *name, const char *site,
			     const char *words)
{
	struct snapshot snapshot;
	struct err err = {0};

	assert_int_equal(store_snapshot_find(store, name, site, &snapshot, &err), ERR_NOT_FOUND);
	if (!strstr(err.text, words))
		fail_msg("%s", err.text);
}

static void snapshots_are_found_by_number_age_and_label(void **state)
{
	write_tree(*state, "north", "before");
	write_tree(*state, "south", NULL);
	write_tree(*state, "north", "before");
	write_tree(*state, "south", NULL);

	assert_found(*state, "2", NULL, 2);
	assert_found(*state, "latest", NULL, 4);
	assert_found(*state, "latest~0", NULL, 4);
	assert_found(*state, "latest~3", NULL, 1);
	assert_found(*state, "latest", "north", 3);
	assert_found(*state, "latest~1", "north", 1);
	assert_found(*state, "before", NULL, 3);
	assert_found(*state, "before", "north", 3);
}

static void a_name_that_is_none_is_said_with_what_there_is(void **state)
{
	assert_not_found(*state, "latest", NULL, "holds no snapshot yet");
	write_tree(*state, "north", "before");

	assert_not_found(*state, "2", NULL, "it has 1, the newest is 1");
	assert_not_found(*state, "latest~1", NULL, "latest~1");
	assert_not_found(*state, "latest~", NULL, "latest~");
	assert_not_found(*state, "latest~x", NULL, "latest~x");
	assert_not_found(*state, "after", NULL, "after");
	assert_not_found(*state, "latest", "south", "of site south");
	assert_not_found(*state, "before", "south", "before");
	assert_not_found(*state, "99999999999999999999999", NULL, "has no snapshot");
	assert_not_found(*state, "latest~99999999999999999999999", NULL, "has no snapshot");
	assert_not_found(*state, "", NULL, "has no snapshot");
}

static void names_that_cannot_serve_are_refused(void **state)
{
	char longer[65] = "";
	const char *const labels[] = {"", "12", "latest", "latest~4", longer};
	struct fabric *fabric = build_tree();
	struct err err = {0};
	int64_t id = 0;

	memset(longer, 'x', 64);
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		assert_int_equal(store_snapshot_write(*state, fabric, NULL, labels[i], 0, &id, &err),
				 ERR_USAGE);
	assert_int_equal(store_snapshot_write(*state, fabric, "", NULL, 0, &id, &err), ERR_USAGE);
	assert_int_equal(store_snapshot_write(*state, fabric, "12", "v12", 0, &id, &err), 0);
	fabric_free(fabric);
}

static void a_list_tells_what_is_in_a_snapshot(void **state)
{
	struct fabric *fabric = build_tree();
	struct snapshot *list = NULL;
	struct err err = {0};
	size_t count = 0;
	int64_t id = 0;

	fabric->taken_at = 1600000000;
	fabric->partial = true;
	fabric_hole_add(fabric)->port = -1;
	assert_int_equal(store_snapshot_write(*state, fabric, "a\xff", "l\033", 17, &id, &err), 0);
	fabric_free(fabric);
	write_tree(*state, NULL, NULL);

	assert_int_equal(store_snapshot_list(*state, NULL, &list, &count, &err), 0);

	assert_int_equal(count, 2);
	assert_int_equal(list[0].id, 2);
	assert_int_equal(list[1].id, 1);
	assert_int_equal(list[1].taken_at, 1600000000);
	assert_int_equal(list[1].stored_at, 17);
	assert_string_equal(list[1].site, "a\xff");
	assert_string_equal(list[1].label, "l\033");
	assert_string_equal(list[0].site, "");
	assert_true(list[1].partial);
	assert_int_equal(list[1].devices, 8);
	assert_int_equal(list[1].switches, 4);
	assert_int_equal(list[1].cas, 4);
	assert_int_equal(list[1].routers, 0);
	assert_int_equal(list[1].links, 8);
	assert_int_equal(list[1].holes, 1);
	assert_int_equal(list[1].findings[0], -1);
	assert_found(*state, "latest", "a\xff", 1);
	assert_found(*state, "l\033", NULL, 1);
	free(list);
}

static void a_list_of_nothing_is_empty(void **state)
{
	struct snapshot *list = NULL;
	struct err err = {0};
	size_t count = 1;

	assert_int_equal(store_snapshot_list(*state, NULL, &list, &count, &err), 0);
	assert_int_equal(count, 0);
	free(list);
}

static void many_sources_are_cut_with_dots(void **state)
{
	struct fabric *fabric = build_tree();
	struct snapshot snapshot;
	struct err err = {0};
	int64_t id = 0;

	for (int i = 0; i < 40; i++)
		fabric_source_add(fabric, SOURCE_FILE, "capture.txt", "ibnetdiscover");
	assert_int_equal(store_snapshot_write(*state, fabric, NULL, NULL, 0, &id, &err), 0);
	fabric_free(fabric);

	assert_int_equal(store_snapshot_find(*state, "1", NULL, &snapshot, &err), 0);
	assert_true(strlen(snapshot.sources) < sizeof(snapshot.sources));
	assert_string_equal(snapshot.sources + strlen(snapshot.sources) - 14, "capture.txt...");
}

static struct audit *make_audit(void)
{
	struct audit *audit = NULL;
	struct err err = {0};
	struct finding *finding;

	assert_int_equal(audit_new(&audit, &err), 0);
	audit->verdicts = calloc(2, sizeof(*audit->verdicts));
	assert_non_null(audit->verdicts);
	audit->verdict_count = 2;
	audit->verdicts[0].rule = "lost-lid";
	audit->verdicts[0].kind = VERDICT_FINDINGS;
	audit->verdicts[0].finding_count = 2;
	audit->verdicts[1].rule = "sl-to-vl15";
	audit->verdicts[1].kind = VERDICT_NOT_CHECKED;
	assert_true(finding_text(&audit->verdicts[1].reason, "no table was read"));
	finding = audit_finding_add(audit, "lost-lid", SEVERITY_ERROR, UINT64_MAX, 3);
	assert_true(finding_text(&finding->discriminator, "unroutable:lid=17"));
	assert_true(finding_text(&finding->subject, "leaf port 3"));
	assert_true(finding_text(&finding->message, "no way \"there\""));
	assert_true(finding_text(&finding->remedy, "sweep"));
	assert_true(finding_text(&finding->source, "mlx5_0 port 1"));
	assert_true(finding_evidence(finding, "lid", "%d", 17));
	assert_true(finding_evidence(finding, "name", "%s", "a\xff\033"));
	finding->status = FINDING_NEW;
	finding = audit_finding_add(audit, "lost-lid", SEVERITY_WARNING, 0, -1);
	finding->status = FINDING_GONE;
	return audit;
}

static void assert_same_text(const char *a, const char *b)
{
	if (!a || !b)
		assert_ptr_equal(a, b);
	else
		assert_string_equal(a, b);
}

static void assert_same_audit(const struct audit *a, const struct audit *b)
{
	assert_int_equal(a->verdict_count, b->verdict_count);
	for (size_t i = 0; i < a->verdict_count; i++) {
		assert_string_equal(a->verdicts[i].rule, b->verdicts[i].rule);
		assert_int_equal(a->verdicts[i].kind, b->verdicts[i].kind);
		assert_int_equal(a->verdicts[i].finding_count, b->verdicts[i].finding_count);
		assert_same_text(a->verdicts[i].reason, b->verdicts[i].reason);
	}
	assert_int_equal(a->finding_count, b->finding_count);
	for (size_t i = 0; i < a->finding_count; i++) {
		const struct finding *x = &a->findings[i];
		const struct finding *y = &b->findings[i];

		assert_string_equal(x->rule, y->rule);
		assert_int_equal(x->severity, y->severity);
		assert_int_equal(x->status, y->status);
		assert_true(x->node_guid == y->node_guid);
		assert_int_equal(x->port, y->port);
		assert_same_text(x->discriminator, y->discriminator);
		assert_same_text(x->subject, y->subject);
		assert_same_text(x->message, y->message);
		assert_same_text(x->remedy, y->remedy);
		assert_same_text(x->source, y->source);
		assert_int_equal(x->evidence_count, y->evidence_count);
		for (size_t e = 0; e < x->evidence_count; e++) {
			assert_string_equal(x->evidence[e].key, y->evidence[e].key);
			assert_string_equal(x->evidence[e].value, y->evidence[e].value);
		}
	}
}

static void an_audit_comes_back_as_it_was(void **state)
{
	struct audit *audit = make_audit();
	struct audit *again = NULL;
	struct snapshot snapshot;
	struct err err = {0};

	write_tree(*state, NULL, NULL);
	assert_int_equal(store_audit_write(*state, 1, 0, 99, audit, &err), 0);
	assert_int_equal(store_audit_read(*state, 1, &again, &err), 0);

	assert_same_audit(audit, again);
	assert_int_equal(store_snapshot_find(*state, "1", NULL, &snapshot, &err), 0);
	assert_int_equal(snapshot.findings[SEVERITY_ERROR], 1);
	assert_int_equal(snapshot.findings[SEVERITY_WARNING], 0);
	audit_free(audit);
	audit_free(again);
}

static void the_newest_audit_counts(void **state)
{
	struct audit *audit = make_audit();
	struct audit *again = NULL;
	struct snapshot snapshot;
	struct err err = {0};

	write_tree(*state, NULL, NULL);
	assert_int_equal(store_audit_write(*state, 1, 0, 99, audit, &err), 0);
	audit->findings[0].severity = SEVERITY_INFO;
	assert_int_equal(store_audit_write(*state, 1, 1, 100, audit, &err), 0);

	assert_int_equal(store_audit_read(*state, 1, &again, &err), 0);
	assert_int_equal(again->findings[0].severity, SEVERITY_INFO);
	assert_int_equal(store_snapshot_find(*state, "1", NULL, &snapshot, &err), 0);
	assert_int_equal(snapshot.findings[SEVERITY_ERROR], 0);
	assert_int_equal(snapshot.findings[SEVERITY_INFO], 1);
	audit_free(audit);
	audit_free(again);
}

static void a_snapshot_never_audited_is_said(void **state)
{
	struct audit *audit = make_audit();
	struct audit *again = NULL;
	struct err err = {0};

	write_tree(*state, NULL, NULL);

	assert_int_equal(store_audit_read(*state, 1, &again, &err), ERR_NOT_FOUND);
	assert_non_null(strstr(err.text, "never audited"));
	assert_int_equal(store_audit_write(*state, 2, 0, 99, audit, &err), ERR_NOT_FOUND);
	audit_free(audit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define LIST_TEST(name) cmocka_unit_test_setup_teardown(name, open_store, close_store)
		LIST_TEST(snapshots_are_found_by_number_age_and_label),
		LIST_TEST(a_name_that_is_none_is_said_with_what_there_is),
		LIST_TEST(names_that_cannot_serve_are_refused),
		LIST_TEST(a_list_tells_what_is_in_a_snapshot),
		LIST_TEST(a_list_of_nothing_is_empty),
		LIST_TEST(many_sources_are_cut_with_dots),
		LIST_TEST(an_audit_comes_back_as_it_was),
		LIST_TEST(the_newest_audit_counts),
		LIST_TEST(a_snapshot_never_audited_is_said),
	};

	return cmocka_run_group_tests_name("store_list", tests, NULL, NULL);
}
