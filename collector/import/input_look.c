/* What is still to come of an input, as lines, without taking any. */
#include "collector/import/input_state.h"

#include <stdlib.h>
#include <string.h>

void input_raw(const struct input *input, const unsigned char **ret_bytes, size_t *ret_length)
{
	*ret_bytes = (const unsigned char *)input->buffer;
	*ret_length = input->end < INPUT_PROBE_SIZE ? input->end : INPUT_PROBE_SIZE;
}

size_t input_held(const struct input *input)
{
	return input->end;
}

/* Up to `size` bytes of the buffer from `from` on, as lines behind the first `used` bytes of the probe's text. */
static void clean_lines(struct input *input, size_t from, size_t size, size_t used,
			struct probe *ret_probe)
{
	const char *slash = strrchr(input->name, '/');
	struct input copy = *input;
	struct err err;
	size_t length;
	char *line;

	/* The lines of a copy, written over it as they are cleaned: never longer than it was. */
	copy.buffer = input->probe + 2 * INPUT_PROBE_SIZE + 2;
	copy.start = 0;
	copy.end = input->end - from < size ? input->end - from : size;
	copy.at_end = true;
	copy.watch = NULL;
	copy.held = NULL;
	copy.again = copy.stopped = false;
	copy.lf = copy.cr = (struct input_mark){.at = INPUT_NONE};
	memcpy(copy.buffer, input->buffer + from, copy.end);
	while (input_line(&copy, &line, &length, &err) == 1) {
		memcpy(input->probe + used, line, length);
		used += length;
		if (copy.start < copy.end)
			input->probe[used++] = '\n';
	}
	ret_probe->name = slash ? slash + 1 : input->name;
	ret_probe->text = input->probe;
	ret_probe->length = used;
}

/* Room for a held line, the lines behind it, and what they are made of. */
static int probe_room(struct input *input, struct err *err)
{
	if (!input->probe)
		input->probe = malloc(3 * INPUT_PROBE_SIZE + 4);
	return input->probe ? 0 : err_no_memory(err);
}

int input_probe(struct input *input, struct probe *ret_probe, struct err *err)
{
	if (probe_room(input, err) < 0)
		return err->code;
	clean_lines(input, input->start, INPUT_PROBE_SIZE - input->start, 0, ret_probe);
	return 0;
}

int input_window(struct input *input, size_t size, struct probe *ret_probe, struct err *err)
{
	size_t used = 0;

	if (probe_room(input, err) < 0)
		return err->code;
	while (!input->at_end && input->end - input->start < size) {
		int rc;

		if (INPUT_BUFFER_SIZE - input->end < INPUT_READ_SIZE)
			input_compact(input);
		/* Behind a line of the greatest length there may be no room. */
		if (INPUT_BUFFER_SIZE == input->end)
			break;
		rc = input_fill(input, err);
		/* What came in front of the damage is there to be read. */
		if (rc == ERR_INPUT) {
			input->failure = *err;
			break;
		}
		if (rc < 0)
			return rc;
	}
	if (input->held) {
		used = input->held_length < INPUT_PROBE_SIZE ? input->held_length : INPUT_PROBE_SIZE;
		memcpy(input->probe, input->held, used);
		if (input->held_ended)
			input->probe[used++] = '\n';
	}
	clean_lines(input, input->start, size, used, ret_probe);
	return 0;
}
