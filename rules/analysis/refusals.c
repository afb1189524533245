#include "rules/analysis/refusals.h"

#include <stdio.h>
#include <string.h>

const char *hole_words(const struct hole *hole, char out[HOLE_WORDS_SIZE])
{
	const size_t size = HOLE_WORDS_SIZE;
	char status[MAD_STATUS_WORDS_SIZE];

	out[0] = '\0';
	switch (hole->reason) {
	case HOLE_TIMEOUT:
		snprintf(out, size, "did not answer");
		break;
	case HOLE_STATUS:
		snprintf(out, size, "refused with MAD status 0x%04x (%s)",
			 (unsigned)hole->status & 0x7fff, mad_status_words((unsigned)hole->status & 0x7fff, status));
		break;
	case HOLE_UNSUPPORTED:
		snprintf(out, size, "does not support it");
		break;
	case HOLE_PROTECTED:
		snprintf(out, size, "kept answers back behind an M_Key");
		break;
	case HOLE_BAD_ANSWER:
		snprintf(out, size, "answered nonsense");
		break;
	case HOLE_NOT_REACHED:
		snprintf(out, size, "was not reached");
		break;
	case HOLE_LIMIT:
		snprintf(out, size, "was left out by a limit of this program");
		break;
	case HOLE_INCONSISTENT:
		snprintf(out, size, "is told of by a file that contradicts itself");
		break;
	case HOLE_CUT:
		snprintf(out, size, "stands behind the end of a file that breaks off");
		break;
	case HOLE_ODD:
		snprintf(out, size, "may stand in lines of a file that were not understood");
		break;
	case HOLE_UNDECIDED:
		snprintf(out, size, "could not be told from others");
		break;
	}
	return out;
}

/* Devices that gave no answer for one reason. */
struct refusal {
	const struct hole *first;
	const struct device *last;	/* counted last */
	size_t devices;
};

#define REFUSALS_APART 4

static void write_refusal(const struct refusal *refusal, char *out, size_t size)
{
	char label[DEVICE_LABEL_SIZE];
	char words[HOLE_WORDS_SIZE];
	size_t used = strlen(out);

	snprintf(out + used, size - used, "%s%zu %s %s, %s%s", used ? "; " : "", refusal->devices,
		 text_plural(refusal->devices, "device", "devices"), hole_words(refusal->first, words),
		 text_plural(refusal->devices, "", "first "),
		 device_label(refusal->first->device, label, sizeof(label)));
}

/* An M_Key keeps everything back and is told once, with PortInfo. */
static bool is_hole_of(const struct hole *hole, enum attribute attribute)
{
	return hole->device && (hole->attribute == attribute ||
				(hole->attribute == ATTRIBUTE_PORT_INFO && attribute != ATTRIBUTE_NODE_INFO &&
				 hole->reason == HOLE_PROTECTED));
}

const char *refusals_text(const struct fabric *fabric, enum attribute attribute,
			  char out[REFUSALS_SIZE])
{
	struct refusal list[REFUSALS_APART] = {{NULL, NULL, 0}};
	size_t count = 0;

	out[0] = '\0';
	for (size_t i = 0; i < fabric->hole_count; i++) {
		const struct hole *hole = &fabric->holes[i];
		size_t at = 0;

		if (!is_hole_of(hole, attribute))
			continue;
		while (at < count && (list[at].first->reason != hole->reason ||
				      list[at].first->status != hole->status))
			at++;
		if (at == REFUSALS_APART)
			continue;
		if (at == count)
			list[count++].first = hole;
		/* Holes of one device come in a row. */
		list[at].devices += list[at].last != hole->device;
		list[at].last = hole->device;
	}
	for (size_t i = 0; i < count; i++)
		write_refusal(&list[i], out, REFUSALS_SIZE);
	return out;
}

const char *refusals_why(const struct fabric *fabric, enum attribute attribute, const char *how,
			 char out[REFUSALS_SIZE])
{
	char text[REFUSALS_SIZE];

	refusals_text(fabric, attribute, text);
	if (text[0] != '\0')
		snprintf(out, REFUSALS_SIZE, ": %.*s", REFUSALS_SIZE - 3, text);
	else if (!fabric->live)
		snprintf(out, REFUSALS_SIZE, "%s", how);
	else if (!(fabric->asked >> attribute & 1))
		snprintf(out, REFUSALS_SIZE, ": this scan did not ask for them");
	else
		snprintf(out, REFUSALS_SIZE, ": no device that answered gave them");
	return out;
}
