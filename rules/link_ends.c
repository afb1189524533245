#include "rules/link_ends.h"

#include <inttypes.h>
#include <stdio.h>

#include "rules/port_list.h"

/* Joined code of speeds: ExtendedPortInfo's from bit 16 on, LinkSpeedExt2 from bit 24 on. */
#define CODE_EXTRA (INT64_C(0xffff) << 16)

static int64_t width_of(const struct port *port, const struct port *peer)
{
	(void)peer;
	return port->info.link_width_active;
}

/*
 * FDR10 and EDR20 are told by an attribute that not every device is asked for, the
 * newest speeds by bits that count by its capability alone: where one end tells such
 * a speed and the other does not, they need not disagree.
 */
static int64_t speed_of(const struct port *port, const struct port *peer)
{
	int64_t own = port->info.link_speed_code;
	int64_t other = peer->info.link_speed_code;

	if (own == FIELD_UNKNOWN || other == FIELD_UNKNOWN || speed_code_has_unknown(own) ||
	    port_capability(port, CAPABILITY_EXTENDED_SPEEDS) == -1 ||
	    !(own & CODE_EXTRA) != !(other & CODE_EXTRA))
		return FIELD_UNKNOWN;
	return port->info.link_speed_active;
}

static int64_t mtu_of(const struct port *port, const struct port *peer)
{
	(void)peer;
	return port->info.neighbor_mtu;
}

static void width_words(int64_t value, char *out, size_t size)
{
	snprintf(out, size, "%" PRId64 "x", value);
}

static void speed_words(int64_t value, char *out, size_t size)
{
	const char *name = speed_name(value);

	if (name)
		snprintf(out, size, "%s", name);
	else
		snprintf(out, size, "%" PRId64 " Mb/s a lane", value);
}

static void mtu_words(int64_t value, char *out, size_t size)
{
	snprintf(out, size, "%" PRId64 " bytes", value);
}

static const struct matter {
	const char *name;
	const char *id;
	/* What the port says; FIELD_UNKNOWN where that cannot be held against its peer. */
	int64_t (*told)(const struct port *port, const struct port *peer);
	void (*words)(int64_t value, char *out, size_t size);
	const char *many;
	const char *remedy;
} matters[] = {
	{"width", "width-ends", width_of, width_words, "links whose ends tell another width of them",
	 NULL},
	{"speed", "speed-ends", speed_of, speed_words, "links whose ends tell another speed of them",
	 NULL},
	{"MTU", "mtu-ends", mtu_of, mtu_words, "links whose ends tell another MTU of them",
	 "Let the SM sweep (SIGHUP to OpenSM), which writes NeighborMTU to both ends and moves no link. "
	 "If they stay apart, look in its log for a port that refuses PortInfo: packets longer than the "
	 "lower one are dropped there."},
};

#define MATTERS (sizeof(matters) / sizeof(matters[0]))

static const char retrain[] =
	"Collect again: a link that trained anew meanwhile agrees then. If the ends stay apart, one of "
	"them has a firmware that does not know its own link: compare with ibportstate, and retrain the "
	"link, which takes it down for seconds.";

static bool disagree(const struct matter *matter, const struct port *port)
{
	int64_t here = matter->told(port, port->peer);
	int64_t there = matter->told(port->peer, port);

	return here > 0 && there > 0 && here != there;
}

static int tell(void *opaque, const struct port *port, struct rule_output *out, struct err *err)
{
	const struct matter *matter = opaque;
	const struct port *ends[] = {port, port->peer};
	char label[2][DEVICE_LABEL_SIZE + 16];
	char words[2][48];
	struct finding *finding;

	for (size_t i = 0; i < 2; i++) {
		port_label(ends[i], false, label[i], sizeof(label[i]));
		matter->words(matter->told(ends[i], ends[1 - i]), words[i], sizeof(words[i]));
	}
	finding = rule_finding(out, SEVERITY_WARNING, NULL, port, matter->id,
			       "The ends of one link disagree on its %s: %s says %s, %s says %s",
			       matter->name, label[0], words[0], label[1], words[1]);
	if (!finding || !finding_evidence(finding, "end_1", "%s: %s", label[0], words[0]) ||
	    !finding_evidence(finding, "end_2", "%s: %s", label[1], words[1]) ||
	    !finding_text(&finding->remedy, "%s", matter->remedy ? matter->remedy : retrain))
		return err_no_memory(err);
	return 0;
}

/* Both ends Active, as one source tells. */
static bool comparable(const struct port *port)
{
	return port_is_first_end(port) && port->peer->peer == port && port->peer != port &&
	       port_is_active(port) && port_is_active(port->peer) &&
	       port->source_of[ATTRIBUTE_PORT_INFO] == port->peer->source_of[ATTRIBUTE_PORT_INFO];
}

int link_ends_check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct fabric *fabric = in->fabric;
	int rc = 0;

	for (size_t m = 0; rc == 0 && m < MATTERS; m++) {
		const struct matter *matter = &matters[m];
		struct port_list apart = {0};

		for (size_t i = 0; rc == 0 && i < fabric->device_count; i++) {
			const struct device *device = fabric->devices[i];

			for (size_t num = 1; rc == 0 && num < device->port_slots; num++) {
				const struct port *port = device->ports[num];

				if (port && comparable(port) && disagree(matter, port))
					rc = port_list_add(&apart, port, err);
			}
		}
		if (rc == 0)
			rc = port_list_tell(&apart, SEVERITY_WARNING, matter->id, matter->many, tell,
					    (void *)(uintptr_t)matter, out, err);
		port_list_clear(&apart);
	}
	return rc;
}
