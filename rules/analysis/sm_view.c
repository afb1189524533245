#include "rules/analysis/sm_view.h"

#include <stdlib.h>

#include "rules/analysis/lids.h"

static void count_links(struct sm_view *view, const struct fabric *fabric)
{
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 1; num < device->port_slots; num++) {
			const struct port *port = device->ports[num];

			if (!port)
				continue;
			view->init_links += port->info.port_state == 2;
			view->active_links += port_is_active(port);
		}
	}
}

/* What tells one SM from another: its port GUID, or failing that its LID. */
struct key {
	uint64_t value;
	size_t index;
};

static uint64_t key_of(const struct sm *sm)
{
	if (sm->port && sm->port->guid)
		return sm->port->guid;
	if (sm->port_guid)
		return sm->port_guid;
	return sm->lid == FIELD_UNKNOWN ? 0 : (uint64_t)sm->lid;
}

static int compare_keys(const void *a, const void *b)
{
	const struct key *left = a;
	const struct key *right = b;

	if (left->value != right->value)
		return left->value < right->value ? -1 : 1;
	return (left->index > right->index) - (left->index < right->index);
}

static int find_repeated(struct sm_view *view, const struct fabric *fabric, struct err *err)
{
	struct key *keys = calloc(fabric->sm_count + 1, sizeof(*keys));

	view->repeated = calloc(fabric->sm_count + 1, sizeof(*view->repeated));
	if (!keys || !view->repeated) {
		free(keys);
		return err_no_memory(err);
	}
	for (size_t i = 0; i < fabric->sm_count; i++)
		keys[i] = (struct key){key_of(&fabric->sms[i]), i};
	qsort(keys, fabric->sm_count, sizeof(*keys), compare_keys);
	for (size_t i = 1; i < fabric->sm_count; i++) {
		if (keys[i].value != 0 && keys[i].value == keys[i - 1].value)
			view->repeated[keys[i].index] = true;
	}
	free(keys);
	return 0;
}

static void count_sms(struct sm_view *view, const struct fabric *fabric)
{
	for (size_t i = 0; i < fabric->sm_count; i++) {
		const struct sm *sm = &fabric->sms[i];

		if (view->repeated[i])
			continue;
		view->distinct++;
		view->unknown += sm->state == FIELD_UNKNOWN;
		view->standbys += sm->state == SM_STATE_STANDBY;
		view->masters += sm->state == SM_STATE_MASTER;
		if (sm->state == SM_STATE_MASTER && !view->master)
			view->master = sm;
	}
}

static void view_release(void *data)
{
	struct sm_view *view = data;

	free(view->repeated);
	free(view);
}

int analysis_sm_view(struct analysis *analysis, const struct sm_view **ret_view, struct err *err)
{
	const struct fabric *fabric = analysis_fabric(analysis);
	struct sm_view *view = analysis_part(analysis, ANALYSIS_SM_VIEW);
	const struct lid_owners *owners = NULL;
	int rc;

	if (view) {
		*ret_view = view;
		return 0;
	}
	rc = analysis_lids(analysis, &owners, err);
	if (rc < 0)
		return rc;
	view = calloc(1, sizeof(*view));
	if (!view)
		return err_no_memory(err);
	analysis_keep(analysis, ANALYSIS_SM_VIEW, view, view_release);
	view->asked = fabric->asked >> ATTRIBUTE_SM_INFO & 1;
	rc = find_repeated(view, fabric, err);
	if (rc < 0)
		return rc;
	count_sms(view, fabric);
	count_links(view, fabric);
	view->unmanaged = owners->last == 0 && owners->end_ports > owners->unknown &&
			  view->active_links == 0;
	*ret_view = view;
	return 0;
}
