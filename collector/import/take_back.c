#include "collector/import/take_back.h"

/* Others keep their order. */
static void forget_facts(struct fabric *fabric, const struct port *port, source_ref source)
{
	size_t kept = 0;

	for (size_t i = 0; i < fabric->fact_count; i++) {
		const struct fact *fact = &fabric->facts[i];

		if (fact->device != port->device || fact->port != (int)port->num ||
		    fact->source != source)
			fabric->facts[kept++] = *fact;
	}
	fabric->fact_count = kept;
}

void take_back_link(struct import *import, struct port *port)
{
	static const char *const members[] = {"link_width_active", "link_speed_active",
					      "link_speed_code", "vl_cap", "port_state",
					      "port_phys_state"};
	source_ref source = import_source_ref(import);

	if (port->source_of[ATTRIBUTE_NEIGHBOR] == source) {
		port->peer = NULL;
		port->source_of[ATTRIBUTE_NEIGHBOR] = 0;
		forget_facts(import_fabric(import), port, source);
	}
	if (port->source_of[ATTRIBUTE_PORT_INFO] != source)
		return;
	port->source_of[ATTRIBUTE_PORT_INFO] = 0;
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		field_set(&port->info, field_find(port_field_table, members[i]), FIELD_UNKNOWN);
}
