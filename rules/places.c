#include "rules/places.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/analysis/cite.h"

/* Appends printed text; false leaves the list as it was. */
static bool append(struct places *places, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static bool append(struct places *places, const char *format, va_list args)
{
	va_list again;
	int need;

	va_copy(again, args);
	need = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (need < 0)
		return false;
	if (places->length + (size_t)need + 1 > places->room) {
		size_t room = 2 * places->room + (size_t)need + 64;
		char *grown = realloc(places->text, room);

		if (!grown)
			return false;
		places->text = grown;
		places->room = room;
	}
	vsnprintf(places->text + places->length, (size_t)need + 1, format, args);
	places->length += (size_t)need;
	return true;
}

static bool append_text(struct places *places, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool append_text(struct places *places, const char *format, ...)
{
	va_list args;
	bool done;

	va_start(args, format);
	done = append(places, format, args);
	va_end(args);
	return done;
}

void places_add(struct places *places, const char *format, ...)
{
	va_list args;

	if (places->count++ >= PLACES_SHOWN)
		return;
	va_start(args, format);
	if ((places->length > 0 && !append_text(places, ", ")) || !append(places, format, args))
		places->failed = true;
	va_end(args);
}

void places_add_port(struct places *places, const struct port *port)
{
	char label[DEVICE_LABEL_SIZE + 16];

	if (port)
		places_add(places, "%s", port_label(port, false, label, sizeof(label)));
}

void places_add_device(struct places *places, const struct device *device)
{
	char label[DEVICE_LABEL_SIZE];

	places_add(places, "%s", device_label(device, label, sizeof(label)));
}

bool places_evidence(struct places *places, struct finding *finding, const char *key)
{
	bool done = !places->failed;

	if (done && places->count > PLACES_SHOWN)
		done = append_text(places, " and %zu more", places->count - PLACES_SHOWN);
	if (done)
		done = finding_evidence(finding, key, "%s", places->text ? places->text : "");
	places_clear(places);
	return done;
}

void places_clear(struct places *places)
{
	free(places->text);
	memset(places, 0, sizeof(*places));
}

static void write_range(struct number_list *list)
{
	if (list->first == list->last)
		places_add(&list->ranges, "%u", list->first);
	else
		places_add(&list->ranges, "%u-%u", list->first, list->last);
}

void number_list_add(struct number_list *list, unsigned number)
{
	if (list->count++ > 0) {
		if (number == list->last + 1) {
			list->last = number;
			return;
		}
		write_range(list);
	}
	list->first = number;
	list->last = number;
}

bool number_list_evidence(struct number_list *list, struct finding *finding, const char *key)
{
	bool done;

	if (list->count > 0)
		write_range(list);
	done = places_evidence(&list->ranges, finding, key);
	number_list_clear(list);
	return done;
}

void number_list_clear(struct number_list *list)
{
	places_clear(&list->ranges);
	memset(list, 0, sizeof(*list));
}

bool finding_source(struct finding *finding, const struct fabric *fabric, source_ref ref,
		    int64_t line)
{
	char place[CITE_SIZE];

	if (ref == 0 || ref > fabric->source_count)
		return true;
	return finding_text(&finding->source, "%s", cite(fabric, ref, line, "", place));
}
