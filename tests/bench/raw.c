/*
 * The limit of the path: keeps N NodeInfo Gets in flight to the port's own node,
 * through the same library and device as any client, and prints the answers per
 * second. Nothing is decoded, kept or decided, so no collector can be faster.
 *
 *	raw [-w WINDOW] [-n COUNT] [-p PATH] [-t MS]
 *
 * PATH as "1,8": a directed route; MS: when an answer counts as lost. What was lost
 * is asked again, so that COUNT were answered in the end; "lost" says how many were.
 */
#include <errno.h>
#include <infiniband/umad.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAD_SIZE 256

struct raw {
	int port;
	int agent;
	uint8_t *umad;
	uint8_t path[64];
	uint8_t hops;
	int timeout_ms;
	uint64_t lost;
};

static void die(const char *what)
{
	fprintf(stderr, "raw: %s\n", what);
	exit(2);
}

static void send_one(struct raw *raw, uint32_t tid)
{
	uint8_t *mad = umad_get_mad(raw->umad);

	memset(raw->umad, 0, umad_size() + MAD_SIZE);
	umad_set_addr(raw->umad, 0xffff, 0, 0, 0);
	mad[0] = 1;
	mad[1] = 0x81;
	mad[2] = 1;
	mad[3] = 1;		/* Get */
	mad[7] = raw->hops;
	mad[12] = (uint8_t)(tid >> 24);
	mad[13] = (uint8_t)(tid >> 16);
	mad[14] = (uint8_t)(tid >> 8);
	mad[15] = (uint8_t)tid;
	mad[17] = 0x11;		/* NodeInfo */
	memset(mad + 32, 0xff, 4);
	memcpy(mad + 128, raw->path, 64);
	if (umad_send(raw->port, raw->agent, raw->umad, MAD_SIZE, raw->timeout_ms, 0) < 0)
		die("umad_send fails");
}

/* False where the answer was lost. */
static bool receive_one(struct raw *raw)
{
	int length = MAD_SIZE;
	int agent = umad_recv(raw->port, raw->umad, &length, raw->timeout_ms * 2);

	if (agent < 0)
		die("no answer");
	if (!umad_status(raw->umad))
		return true;
	raw->lost++;
	return false;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void set_path(struct raw *raw, const char *text)
{
	char *end;

	while (*text && raw->hops < 63) {
		raw->path[++raw->hops] = (uint8_t)strtoul(text, &end, 10);
		text = *end ? end + 1 : end;
	}
}

int main(int argc, char **argv)
{
	long window = 64, count = 200000;
	struct raw raw = {.port = -1, .timeout_ms = 1000};
	long sent = 0, answered = 0;
	double begun, taken;
	int option;

	while ((option = getopt(argc, argv, "w:n:p:t:")) != -1) {
		if (option == 'w')
			window = strtol(optarg, NULL, 0);
		else if (option == 'n')
			count = strtol(optarg, NULL, 0);
		else if (option == 'p')
			set_path(&raw, optarg);
		else if (option == 't')
			raw.timeout_ms = (int)strtol(optarg, NULL, 0);
		else
			die("usage: raw [-w WINDOW] [-n COUNT] [-p PATH] [-t MS]");
	}
	if (window < 1 || count < window)
		die("the window must be 1 or more, the count no less");
	umad_init();
	raw.port = umad_open_port(NULL, 0);
	if (raw.port < 0)
		die("no port to open");
	raw.agent = umad_register(raw.port, 0x81, 1, 0, NULL);
	raw.umad = umad_alloc(1, umad_size() + MAD_SIZE);
	if (raw.agent < 0 || !raw.umad)
		die("cannot register");
	begun = seconds();
	for (; sent < window; sent++)
		send_one(&raw, (uint32_t)sent + 1);
	while (answered < count) {
		bool again = !receive_one(&raw);

		answered += !again;
		if (raw.lost > 10 * (uint64_t)count)
			die("nearly everything is lost: is there such a path?");
		if (again || sent - (long)raw.lost < count)
			send_one(&raw, (uint32_t)++sent);
	}
	taken = seconds() - begun;
	printf("%.0f MADs/s window %ld count %ld lost %lu\n", (double)count / taken, window, count,
	       (unsigned long)raw.lost);
	umad_free(raw.umad);
	umad_close_port(raw.port);
	return 0;
}
