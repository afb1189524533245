#include "collector/live/live.h"

#include <string.h>

static const struct {
	const char *word;
	unsigned bit;
} words[] = {
	{"topology", LIVE_TOPOLOGY}, {"portinfo", LIVE_PORTINFO}, {"lft", LIVE_LFT},
	{"mft", LIVE_MFT},	     {"sl2vl", LIVE_SL2VL},	  {"vlarb", LIVE_VLARB},
	{"pkeys", LIVE_PKEYS},	     {"guids", LIVE_GUIDS},	  {"sm", LIVE_SM},
	{"counters", LIVE_COUNTERS}, {"host", LIVE_HOST},	  {"vl-counters", LIVE_VL_COUNTERS},
};

bool live_groups_parse(const char *text, unsigned *ret_groups, const char **ret_bad)
{
	unsigned groups = 0;

	do {
		size_t length = strcspn(text, ",");
		unsigned bit = 0;

		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			if (strlen(words[i].word) == length &&
			    memcmp(words[i].word, text, length) == 0)
				bit = words[i].bit;
		}
		if (bit == 0) {
			*ret_bad = text;
			return false;
		}
		groups |= bit;
		text += length;
	} while (*text++ == ',');
	*ret_groups = groups;
	return true;
}
