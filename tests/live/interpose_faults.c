/* What INTERPOSE asks for, and which answers it touches. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "interpose.h"

uint16_t get16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

uint32_t get32(const uint8_t *at)
{
	return (uint32_t)get16(at) << 16 | get16(at + 2);
}

uint64_t get64(const uint8_t *at)
{
	return (uint64_t)get32(at) << 32 | get32(at + 4);
}

uint64_t settings_random(struct settings *settings)
{
	settings->seed += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t mixed = settings->seed;

	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ mixed >> 31;
}

/* --- Reading --- */

static void bad_word(const char *word)
{
	fprintf(stderr, "interpose: cannot read \"%s\"\n", word);
	exit(99);
}

static uint64_t read_number(const char *word, const char **text)
{
	char *end;
	uint64_t value;

	if (strncmp(*text, "any", 3) == 0) {
		*text += (*text)[3] == ':' ? 4 : 3;
		return ATTR_ANY;
	}
	value = strtoull(*text, &end, 0);
	if (end == *text)
		bad_word(word);
	*text = *end == ':' ? end + 1 : end;
	return value;
}

static void read_who(const char *word, const char *who, struct fault *fault)
{
	char *end = NULL;

	if (strncmp(who, "switch", 6) == 0) {
		fault->type = 2;
		who += 6;
	} else if (strncmp(who, "ca", 2) == 0) {
		fault->type = 1;
		who += 2;
	} else if (strncmp(who, "any", 3) == 0) {
		who += 3;
	} else {
		fault->guid = strtoull(who, &end, 16);
		if (end == who)
			bad_word(word);
		who = end;
	}
	if (*who == '/') {
		fault->port_first = fault->port_last = (int)strtol(who + 1, &end, 0);
		if (*end == '-')
			fault->port_last = (int)strtol(end + 1, &end, 0);
		who = end;
	}
	if (*who)
		bad_word(word);
}

static bool read_fault(struct settings *settings, char *word)
{
	static const struct {
		const char *name;
		enum fault_kind kind;
		bool attr;
		int numbers;
	} kinds[] = {
		{"mute=", FAULT_MUTE, false, 1},	{"dead=", FAULT_DEAD, false, 1},
		{"mkey=", FAULT_M_KEY, false, 1},	{"status=", FAULT_STATUS, true, 1},
		{"short=", FAULT_SHORT, true, 1},	{"garble=", FAULT_GARBLE, true, 0},
		{"wrong=", FAULT_WRONG, true, 1},	{"method=", FAULT_METHOD, true, 1},
		{"late=", FAULT_LATE, true, 1},		{"twice=", FAULT_TWICE, true, 0},
		{"foreign=", FAULT_FOREIGN, true, 0},	{"put=", FAULT_PUT, true, 3},
		{"farmute=", FAULT_FAR_MUTE, true, 0},	{"far=", FAULT_FAR, true, 3},
		{"vary=", FAULT_VARY, true, 3},
	};
	struct fault fault = {.attr = ATTR_ANY, .port_first = -1};
	size_t i = 0;
	char *who;
	const char *text;

	while (i < sizeof(kinds) / sizeof(kinds[0]) && strncmp(word, kinds[i].name, strlen(kinds[i].name)) != 0)
		i++;
	if (i == sizeof(kinds) / sizeof(kinds[0]))
		return false;
	fault.kind = kinds[i].kind;
	who = strchr(word, '@');
	if (who)
		*who++ = '\0';
	text = word + strlen(kinds[i].name);
	if (kinds[i].attr)
		fault.attr = (uint32_t)read_number(word, &text);
	if (kinds[i].numbers == 3) {
		fault.offset = (unsigned)read_number(word, &text);
		fault.width = (unsigned)read_number(word, &text);
		if (fault.width > 64 || fault.offset + fault.width > 512)
			bad_word(word);
	}
	if (kinds[i].numbers)
		fault.value = read_number(word, &text);
	if (*text)
		bad_word(word);
	if (who)
		read_who(word, who, &fault);
	settings->faults = realloc(settings->faults, (settings->fault_count + 1) * sizeof(fault));
	if (!settings->faults)
		abort();
	settings->faults[settings->fault_count++] = fault;
	return true;
}

static bool read_setting(struct settings *settings, char *word)
{
	const struct {
		const char *name;
		uint64_t *value;
	} numbers[] = {
		{"latency=", &settings->latency}, {"service=", &settings->service},
		{"capacity=", &settings->capacity}, {"loss=", &settings->loss}, {"seed=", &settings->seed},
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const char *text = word + strlen(numbers[i].name);

		if (strncmp(word, numbers[i].name, strlen(numbers[i].name)) != 0)
			continue;
		*numbers[i].value = read_number(word, &text);
		if (*text)
			bad_word(word);
		return true;
	}
	if (strncmp(word, "kernel=", 7) == 0) {
		settings->kernel = word[7] != '0';
		return true;
	}
	if (strncmp(word, "log=", 4) == 0) {
		settings->log = fopen(word + 4, "a");
		if (!settings->log)
			bad_word(word);
		return true;
	}
	if (strncmp(word, "stats=", 6) == 0) {
		settings->stats = strdup(word + 6);
		return true;
	}
	return false;
}

void settings_read(struct settings *settings, const char *text)
{
	char *copy = strdup(text ? text : ""), *rest = NULL;

	*settings = (struct settings){.kernel = true, .seed = 1};
	for (char *word = strtok_r(copy, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest))
		if (!read_setting(settings, word) && !read_fault(settings, word))
			bad_word(word);
	free(copy);
}

/* --- Who is where --- */

static uint64_t hash_path(const uint8_t *mad, unsigned hops)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (unsigned i = 1; i <= hops && i < 64; i++)
		hash = (hash ^ mad[SMP_PATH + i]) * UINT64_C(0x100000001b3);
	return (hash ^ hops) | 1;
}

static struct known *find_place(const struct settings *settings, uint64_t hash)
{
	size_t at = hash >> 8 & (settings->place_room - 1);

	while (settings->places[at].path_hash && settings->places[at].path_hash != hash)
		at = (at + 1) & (settings->place_room - 1);
	return &settings->places[at];
}

static void grow_places(struct settings *settings)
{
	struct known *old = settings->places;
	size_t old_room = settings->place_room;

	settings->place_room = old_room ? old_room * 2 : 1024;
	settings->places = calloc(settings->place_room, sizeof(*settings->places));
	if (!settings->lids)
		settings->lids = calloc(65536, sizeof(*settings->lids));
	if (!settings->places || !settings->lids)
		abort();
	for (size_t i = 0; i < old_room; i++)
		if (old[i].path_hash)
			*find_place(settings, old[i].path_hash) = old[i];
	free(old);
}

static const struct known *who_is(const struct settings *settings, const uint8_t *request, uint16_t lid,
				  unsigned hops)
{
	const struct known *known = &settings->lids[lid];

	if (request[MAD_CLASS] == CLASS_SMP_DIRECTED)
		known = find_place(settings, hash_path(request, hops));
	return known->path_hash ? known : NULL;
}

/* NodeInfo names the device at a path or LID; PortInfo tells the LIDs of a device. */
static void learn(struct settings *settings, const uint8_t *request, uint16_t lid, const uint8_t *answer)
{
	const uint8_t *data = answer + SMP_DATA;
	unsigned hops = request[MAD_HOP_COUNT];
	bool directed = request[MAD_CLASS] == CLASS_SMP_DIRECTED;

	if ((!directed && request[MAD_CLASS] != CLASS_SMP) || (get16(answer + MAD_STATUS) & 0x7fff))
		return;
	if (settings->place_count * 2 >= settings->place_room)
		grow_places(settings);
	if (get16(request + MAD_ATTR) == ATTR_NODE_INFO) {
		uint64_t hash = hash_path(request, hops);
		struct known *known = directed ? find_place(settings, hash) : &settings->lids[lid];

		settings->place_count += directed && !known->path_hash;
		*known = (struct known){.path_hash = directed ? hash : 1, .guid = get64(data + 12), .type = data[2]};
	} else if (get16(request + MAD_ATTR) == ATTR_PORT_INFO) {
		const struct known *known = who_is(settings, request, lid, hops);
		unsigned base = get16(data + 16), count = 1u << (data[34] & 7);

		for (unsigned i = 0; known && base && i < count && base + i < 0xc000; i++)
			settings->lids[base + i] = *known;
	}
}

/* --- What it does --- */

static bool attr_matches(const struct fault *fault, const uint8_t *request)
{
	uint32_t class = request[MAD_CLASS] == CLASS_SMP_DIRECTED || request[MAD_CLASS] == CLASS_SMP ?
			 0 : request[MAD_CLASS];

	return fault->attr == ATTR_ANY || fault->attr == (class << 16 | get16(request + MAD_ATTR));
}

static bool who_matches(const struct fault *fault, const struct known *known, const uint8_t *request)
{
	int port = request[MAD_CLASS] == 0x04 ? request[PMA_PORT] : (int)(get32(request + MAD_MODIFIER) & 0xff);

	if ((fault->guid || fault->type) && !known)
		return false;
	return (!fault->guid || fault->guid == known->guid) && (!fault->type || fault->type == known->type) &&
	       (fault->port_first < 0 || (fault->port_first <= port && port <= fault->port_last));
}

static void put_bits(uint8_t *data, unsigned offset, unsigned width, uint64_t value)
{
	for (unsigned i = 0; i < width; i++) {
		unsigned bit = offset + width - 1 - i;
		uint8_t mask = (uint8_t)(0x80 >> (bit & 7));

		data[bit >> 3] = (uint8_t)(value >> i & 1 ? data[bit >> 3] | mask : data[bit >> 3] & ~mask);
	}
}

/* mute and dead: has this device given all the answers it had? */
static bool is_silent(struct settings *settings, struct fault *fault, const uint8_t *request, uint16_t lid)
{
	unsigned hops = request[MAD_CLASS] == CLASS_SMP_DIRECTED ? request[MAD_HOP_COUNT] : 0;

	if (who_matches(fault, who_is(settings, request, lid, hops), request))
		return ++fault->answers > fault->value;
	if (fault->kind == FAULT_MUTE || fault->answers < fault->value)
		return false;
	for (unsigned i = 0; i < hops; i++)
		if (who_matches(fault, who_is(settings, request, lid, i), request))
			return true;
	return false;
}

static void alter(struct settings *settings, const struct fault *fault, uint8_t *answer, struct outcome *outcome)
{
	switch (fault->kind) {
	case FAULT_STATUS:
		answer[MAD_STATUS] = (uint8_t)((answer[MAD_STATUS] & 0x80) | (fault->value >> 8 & 0x7f));
		answer[MAD_STATUS + 1] = (uint8_t)fault->value;
		break;
	case FAULT_SHORT:
		outcome->length = (int)fault->value;
		break;
	case FAULT_GARBLE:
		for (unsigned i = 0; i < 64; i++)
			answer[SMP_DATA + i] = (uint8_t)settings_random(settings);
		break;
	case FAULT_WRONG:
		answer[MAD_ATTR] = (uint8_t)(fault->value >> 8);
		answer[MAD_ATTR + 1] = (uint8_t)fault->value;
		break;
	case FAULT_METHOD:
		answer[MAD_METHOD] = (uint8_t)fault->value;
		break;
	case FAULT_LATE:
		outcome->late += fault->value;
		break;
	case FAULT_TWICE:
		outcome->twice = true;
		break;
	case FAULT_FOREIGN:
		outcome->foreign = true;
		break;
	case FAULT_PUT:
	case FAULT_FAR:
		put_bits(answer + SMP_DATA, fault->offset, fault->width, fault->value);
		break;
	case FAULT_VARY:
		if (settings_random(settings) % 1000 < fault->value)
			put_bits(answer + SMP_DATA, fault->offset, fault->width, settings_random(settings));
		break;
	case FAULT_FAR_MUTE:
	case FAULT_MUTE:
	case FAULT_DEAD:
	case FAULT_M_KEY:
		break;
	}
}

void settings_apply(struct settings *settings, const uint8_t *request, uint16_t lid, uint8_t *answer,
		    int length, struct outcome *ret_outcome)
{
	const struct known *known;
	bool smp = request[MAD_CLASS] == CLASS_SMP || request[MAD_CLASS] == CLASS_SMP_DIRECTED;

	*ret_outcome = (struct outcome){.length = length};
	if (!settings->fault_count || length < MAD_BYTES)
		return;
	learn(settings, request, lid, answer);
	if (!settings->place_room)
		grow_places(settings);
	known = who_is(settings, request, lid, request[MAD_HOP_COUNT]);
	for (size_t i = 0; i < settings->fault_count; i++) {
		struct fault *fault = &settings->faults[i];

		if (fault->kind == FAULT_MUTE || fault->kind == FAULT_DEAD) {
			ret_outcome->dropped |= is_silent(settings, fault, request, lid);
		} else if (!who_matches(fault, known, request) || !attr_matches(fault, request)) {
			continue;
		} else if ((fault->kind == FAULT_FAR || fault->kind == FAULT_FAR_MUTE) &&
			   (!smp || request[MAD_CLASS] != CLASS_SMP_DIRECTED || !request[MAD_HOP_COUNT])) {
			continue;
		} else if (fault->kind == FAULT_FAR_MUTE) {
			ret_outcome->dropped = true;
		} else if (fault->kind == FAULT_M_KEY) {
			ret_outcome->dropped |= smp && get16(request + MAD_ATTR) != ATTR_NODE_INFO &&
						get64(request + SMP_M_KEY) != fault->value;
		} else {
			alter(settings, fault, answer, ret_outcome);
		}
	}
}
