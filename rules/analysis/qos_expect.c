#include "rules/analysis/qos_expect.h"

#include <stdio.h>
#include <string.h>

#include "store/text.h"

enum qos_state qos_state_of(const struct config *config)
{
	if (config->opensm_conf == 0)
		return QOS_UNKNOWN;
	return config->opensm.qos ? QOS_ON : QOS_OFF;
}

const char *qos_class_words(enum qos_class class)
{
	static const char *const words[QOS_CLASS_COUNT] = {
		[QOS_CLASS_DEFAULT] = "ports",
		[QOS_CLASS_CA] = "CA ports",
		[QOS_CLASS_SW0] = "enhanced switch ports 0",
		[QOS_CLASS_SWE] = "external switch ports",
		[QOS_CLASS_RTR] = "router ports",
	};

	return words[class];
}

const char *qos_class_counted(enum qos_class class, size_t count)
{
	static const char *const one[QOS_CLASS_COUNT] = {
		[QOS_CLASS_DEFAULT] = "port",
		[QOS_CLASS_CA] = "CA port",
		[QOS_CLASS_SW0] = "enhanced switch port 0",
		[QOS_CLASS_SWE] = "external switch port",
		[QOS_CLASS_RTR] = "router port",
	};

	return text_plural(count, one[class], qos_class_words(class));
}

const char *qos_class_word(enum qos_class class)
{
	static const char *const words[QOS_CLASS_COUNT] = {
		[QOS_CLASS_DEFAULT] = "all", [QOS_CLASS_CA] = "ca",   [QOS_CLASS_SW0] = "sw0",
		[QOS_CLASS_SWE] = "swe",     [QOS_CLASS_RTR] = "rtr",
	};

	return words[class];
}

bool qos_port_counts(const struct port *port)
{
	if (port_is_base_port0(port))
		return false;
	if (port->info.port_state != FIELD_UNKNOWN && !port_is_active(port))
		return false;
	return port->info.vl_cap != 1;
}

bool qos_port_has_sl2vl(const struct port *port)
{
	return qos_port_counts(port) && port_capability(port, CAPABILITY_SL_MAPPING) != 0;
}

bool qos_in_port_counts(const struct port *port, unsigned in)
{
	const struct port *from;

	if (port->device->type != NODE_TYPE_SWITCH)
		return in == 0;
	if (in == port->num)
		return in == 0;
	if (in == 0)
		return true;
	from = device_port(port->device, in);
	if (!from || from->info.port_state == FIELD_UNKNOWN)
		return true;
	return port_is_active(from);
}

bool qos_run_counts(const struct port *port, const struct sl2vl *run)
{
	for (unsigned in = run->in_first; in <= run->in_last; in++) {
		if (qos_in_port_counts(port, in))
			return true;
	}
	return false;
}

static int64_t valid_vls(int64_t vls)
{
	return vls >= 1 && vls <= 15 ? vls : FIELD_UNKNOWN;
}

int64_t qos_lanes(const struct port *port)
{
	int64_t lanes = valid_vls(port->info.oper_vls);
	int64_t cap = valid_vls(port->info.vl_cap);

	/* More than the port can have: one of the two is nonsense. */
	return cap != FIELD_UNKNOWN && lanes > cap ? FIELD_UNKNOWN : lanes;
}

int64_t qos_link_vl_cap(const struct port *port)
{
	int64_t own = valid_vls(port->info.vl_cap), other;

	if (port->num == 0 && port->device->type == NODE_TYPE_SWITCH)
		return own;
	other = port->peer ? valid_vls(port->peer->info.vl_cap) : FIELD_UNKNOWN;
	if (own == FIELD_UNKNOWN || other == FIELD_UNKNOWN)
		return FIELD_UNKNOWN;
	return own < other ? own : other;
}

static bool is_aggregation_node(const struct device *device)
{
	return device->info.device_id == 53001 ||
	       (device->type == NODE_TYPE_CA && device->description &&
		strstr(device->description, "Aggregation Node"));
}

bool qos_link_of_aggregation_node(const struct port *port)
{
	return is_aggregation_node(port->device) ||
	       (port->peer && is_aggregation_node(port->peer->device));
}

int64_t qos_expect_oper_vls(const struct opensm_options *options, const struct port *port)
{
	int64_t cap = qos_link_vl_cap(port);

	if (options->max_op_vls == 0 || port->num == 0 || cap == FIELD_UNKNOWN)
		return FIELD_UNKNOWN;
	return config_oper_vls(options, cap, cap);
}

bool qos_max_op_vls_cuts(const struct opensm_options *options, int64_t vls)
{
	int64_t limit = config_oper_vls(options, FIELD_UNKNOWN, FIELD_UNKNOWN);

	return limit != FIELD_UNKNOWN && vls != FIELD_UNKNOWN && limit < vls;
}

void qos_mask_sl2vl(const uint8_t table[SL_COUNT], int64_t lanes, uint8_t ret_table[SL_COUNT])
{
	for (size_t sl = 0; sl < SL_COUNT; sl++)
		ret_table[sl] = config_mask_vl(table[sl], lanes);
}

enum qos_class qos_class_of_sl2vl(const struct port *port, unsigned in)
{
	enum qos_class class = qos_class_of_port(port);

	return class == QOS_CLASS_SW0 && in != 0 ? QOS_CLASS_SWE : class;
}

const uint8_t *qos_expect_sl2vl(const struct opensm_options *options, const struct port *port,
				unsigned in)
{
	return options->set[qos_class_of_sl2vl(port, in)].sl2vl;
}

size_t qos_expect_vlarb(const struct vlarb_entry *set, size_t set_count, int64_t cap,
			int64_t lanes, struct vlarb_entry ret_table[64])
{
	size_t count;

	if (cap <= 0)
		return 0;
	if (cap > 64)
		cap = 64;
	count = (size_t)(cap <= 32 ? cap : 32 + cap % 32);
	memset(ret_table, 0, 64 * sizeof(*ret_table));
	for (size_t i = 0; i < count && i < set_count; i++) {
		ret_table[i].vl = config_mask_vl(set[i].vl, lanes);
		ret_table[i].weight = set[i].weight;
	}
	return count;
}

bool qos_vlarb_equal(const struct vlarb_entry *a, size_t a_count, const struct vlarb_entry *b,
		     size_t b_count)
{
	size_t i = 0, k = 0;

	for (;; i++, k++) {
		while (i < a_count && a[i].weight == 0)
			i++;
		while (k < b_count && b[k].weight == 0)
			k++;
		if (i == a_count || k == b_count)
			return i == a_count && k == b_count;
		if (a[i].vl != b[k].vl || a[i].weight != b[k].weight)
			return false;
	}
}

uint16_t qos_lanes_mask(int64_t lanes)
{
	return lanes >= 1 && lanes < 15 ? (uint16_t)((1u << lanes) - 1) : 0x7fff;
}

uint16_t qos_vlarb_served(const struct vlarb_entry *table, size_t count)
{
	uint16_t served = 0;

	for (size_t i = 0; i < count; i++) {
		if (table[i].weight > 0)
			served |= (uint16_t)(1u << (table[i].vl & 15));
	}
	return served;
}

uint16_t qos_sl2vl_vls(const uint8_t table[SL_COUNT], uint16_t sls)
{
	uint16_t vls = 0;

	for (size_t sl = 0; sl < SL_COUNT; sl++) {
		if ((sls >> sl & 1) && table[sl] != VL_DROP)
			vls |= (uint16_t)(1u << (table[sl] & 15));
	}
	return vls;
}

unsigned qos_bit_count(uint16_t bits)
{
	unsigned count = 0;

	for (; bits; bits &= (uint16_t)(bits - 1))
		count++;
	return count;
}

/* printf at *used, which never passes size - 1. */
static void append(char *out, size_t size, size_t *used, const char *text)
{
	size_t length = strlen(text);

	if (length > size - 1 - *used)
		length = size - 1 - *used;
	memcpy(out + *used, text, length);
	*used += length;
	out[*used] = '\0';
}

const char *qos_bits_text(uint16_t bits, char out[QOS_BITS_SIZE])
{
	char number[32];
	size_t used = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < 16; i++) {
		unsigned end = i;

		if (!(bits >> i & 1))
			continue;
		while (end < 15 && (bits >> (end + 1) & 1))
			end++;
		if (end == i)
			snprintf(number, sizeof(number), "%s%u", used ? ", " : "", i);
		else
			snprintf(number, sizeof(number), "%s%u%s%u", used ? ", " : "", i,
				 end == i + 1 ? ", " : "-", end);
		append(out, QOS_BITS_SIZE, &used, number);
		i = end;
	}
	if (used == 0)
		append(out, QOS_BITS_SIZE, &used, "none");
	return out;
}

const char *qos_sls_are(uint16_t sls, char out[QOS_SLS_SIZE])
{
	bool many = qos_bit_count(sls) > 1;
	char bits[QOS_BITS_SIZE];

	snprintf(out, QOS_SLS_SIZE, "%s %s %s", many ? "SLs" : "SL", qos_bits_text(sls, bits),
		 many ? "are" : "is");
	return out;
}

const char *qos_vls_text(uint16_t vls, char out[QOS_SLS_SIZE])
{
	char bits[QOS_BITS_SIZE];

	snprintf(out, QOS_SLS_SIZE, "%s %s", qos_bit_count(vls) > 1 ? "VLs" : "VL",
		 qos_bits_text(vls, bits));
	return out;
}

const char *qos_sl2vl_text(const uint8_t table[SL_COUNT], char out[QOS_BITS_SIZE])
{
	char number[8];
	size_t used = 0;

	out[0] = '\0';
	for (size_t sl = 0; sl < SL_COUNT; sl++) {
		snprintf(number, sizeof(number), "%s%u", sl ? "," : "", table[sl] & 15u);
		append(out, QOS_BITS_SIZE, &used, number);
	}
	return out;
}

const char *qos_vlarb_text(const struct vlarb_entry *table, size_t count, char out[QOS_VLARB_SIZE])
{
	char entry[16];
	size_t used = 0;

	while (count > 0 && table[count - 1].weight == 0)
		count--;
	out[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		snprintf(entry, sizeof(entry), "%s%u:%u", i ? "," : "", table[i].vl,
			 table[i].weight);
		append(out, QOS_VLARB_SIZE, &used, entry);
	}
	return out;
}

const char *qos_groups_text(const uint8_t table[SL_COUNT], uint16_t sls, char out[QOS_GROUPS_SIZE])
{
	size_t used = 0;

	out[0] = '\0';
	for (unsigned vl = 0; vl < VL_DROP; vl++) {
		uint16_t group = 0;
		const char *before = used ? " {" : "{";
		char number[8];

		for (unsigned sl = 0; sl < SL_COUNT; sl++) {
			if ((sls >> sl & 1) && table[sl] == vl)
				group |= (uint16_t)(1u << sl);
		}
		if (qos_bit_count(group) < 2)
			continue;
		for (unsigned sl = 0; sl < SL_COUNT; sl++) {
			if (!(group >> sl & 1))
				continue;
			snprintf(number, sizeof(number), "%s%u", before, sl);
			append(out, QOS_GROUPS_SIZE, &used, number);
			before = ",";
		}
		append(out, QOS_GROUPS_SIZE, &used, "}");
	}
	return out;
}
