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
	analysis_keep(analysis, ANALYSIS_SM_VIEW, view, free);
	view->asked = fabric->asked >> ATTRIBUTE_SM_INFO & 1;
	for (size_t i = 0; i < fabric->sm_count; i++) {
		const struct sm *sm = &fabric->sms[i];

		view->standbys += sm->state == SM_STATE_STANDBY;
		if (sm->state != SM_STATE_MASTER)
			continue;
		if (!view->master)
			view->master = sm;
		view->masters++;
	}
	count_links(view, fabric);
	view->unmanaged = owners->last == 0 && owners->end_ports > owners->unknown &&
			  view->active_links == 0;
	*ret_view = view;
	return 0;
}
