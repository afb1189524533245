#include "store/reads.h"

#include <string.h>

static bool is_word(const char *at, size_t length, const char *word)
{
	return strlen(word) == length && strncmp(at, word, length) == 0;
}

static struct read_word word_of(const char *at, size_t length)
{
	static const struct {
		const char *word;
		enum read_kind kind;
	} table[] = {
		{"live", READ_LIVE},
		{"devices", READ_DEVICES},
		{"neighbor", READ_NEIGHBOR},
		{"sm", READ_SM},
		{"description", READ_DESCRIPTION},
		{"lft", READ_LFT},
		{"holes", READ_HOLES},
		{"sl2vl", READ_SL2VL},
		{"vlarb", READ_VLARB},
		{"counters", READ_COUNTERS},
		{"host_ports", READ_HOST_PORTS},
		{"host_gids", READ_HOST_GIDS},
		{"opensm.conf", READ_OPENSM_CONF},
		{"qos-policy.conf", READ_QOS_POLICY},
		{"partitions.conf", READ_PARTITIONS},
		{"opensm.log", READ_OPENSM_LOG},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (is_word(at, length, table[i].word))
			return (struct read_word){table[i].kind, NULL};
	}
	for (const struct field *field = port_field_table; field->member; field++) {
		if (is_word(at, length, field->member))
			return (struct read_word){READ_FIELD, field};
	}
	return (struct read_word){READ_UNKNOWN, NULL};
}

bool reads_next(const char **at, struct read_word *ret_word)
{
	size_t length;

	if (!*at)
		return false;
	*at += strspn(*at, " ");
	length = strcspn(*at, " ");
	if (length == 0)
		return false;
	*ret_word = word_of(*at, length);
	*at += length;
	return true;
}

bool reads_port_knows(const struct port *port, const struct read_word *word)
{
	switch (word->kind) {
	case READ_FIELD:
		return field_get(&port->info, word->field) != FIELD_UNKNOWN;
	case READ_SL2VL:
		return port->sl2vl != NULL;
	case READ_VLARB:
		return port->vlarb_high && port->vlarb_low;
	case READ_COUNTERS:
		return port->counters != NULL;
	default:
		return false;
	}
}

bool reads_device_knows(const struct device *device, const struct read_word *word)
{
	if (word->kind == READ_LFT)
		return device->lft != NULL;
	return word->kind == READ_DESCRIPTION && device->description != NULL;
}
