/*
 * Faults between a program and its fabric: a library for LD_PRELOAD, in front
 * of libibumad (and of libumad2sim, where the fabric is simulated). What it does
 * is told by words in the environment variable INTERPOSE, separated by blanks:
 *
 *	latency=USEC	an answer comes no sooner than this after its request; any
 *			number of requests are under way at once
 *	service=USEC	answers come one after the other, each this long after the
 *			one before: the narrowest place of the path
 *	capacity=K	a request sent while K others are under way is lost, as on a
 *			virtual lane 15 whose buffers are full
 *	loss=PERMILLE	so many of a thousand requests are lost; seed=N chooses which
 *	log=FILE	a line for each MAD sent: method, class, attribute, modifier,
 *			LID, path
 *	stats=FILE	at the end: what was sent, answered, lost, most under way ...
 *	kernel=0	leave out the kernel's part (see below)
 *
 * Faults of some answers. WHO is a node GUID (0x...), "ca", "switch" or "any", with
 * /PORT for one port of it, or /FIRST-LAST; without @WHO every device is meant. ATTR is an
 * attribute id, with the class above bit 16 where it is not an SMP (0x40012 is
 * PortCounters), or "any".
 *
 *	mute=N@WHO	gives N answers and then none; what lies behind it answers
 *	dead=N@WHO	gives N answers and then none, nor does what lies behind it
 *			on a directed route
 *	mkey=KEY@WHO	only NodeInfo is answered to a request without this M_Key
 *	status=ATTR:STATUS@WHO	answers with a MAD status
 *	short=ATTR:BYTES@WHO	the answer is cut to so many bytes
 *	garble=ATTR@WHO	64 bytes of noise in place of the attribute
 *	wrong=ATTR:ATTR@WHO	the answer names another attribute
 *	method=ATTR:METHOD@WHO	the answer has another method
 *	late=ATTR:USEC@WHO	the answer takes so much longer
 *	twice=ATTR@WHO	the answer comes twice
 *	foreign=ATTR@WHO	a stray answer, to a request nobody sent, comes first
 *	put=ATTR:OFFSET:WIDTH:VALUE@WHO	a field, by bits from the start of the
 *			attribute, has this value: put=0x15:304:8:255 is VLHighLimit
 *			255. PORT is the modifier's low byte
 *	far=ATTR:OFFSET:WIDTH:VALUE@WHO	the same for those alone that ask through the
 *			fabric, by a directed route of a hop or more
 *	farmute=ATTR@WHO	those get no answer
 *	vary=ATTR:OFFSET:WIDTH:N@WHO	a field has another value each time, N times
 *			of 1000
 *
 * A device is known by the path or LID that its NodeInfo or PortInfo came from,
 * so a fault of one GUID begins with the answer to the first NodeInfo.
 *
 * The kernel's part, which libumad2sim leaves out: a request whose answer does
 * not come within its timeout is sent again `retries` times and then given back
 * with status ETIMEDOUT and its header; an answer to a request that was sent
 * with timeout 0, or that was given back already, is thrown away.
 */
#ifndef TESTS_LIVE_INTERPOSE_H
#define TESTS_LIVE_INTERPOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MAD_BYTES 256

/* Byte offsets in a MAD. */
enum {
	MAD_CLASS = 1, MAD_METHOD = 3, MAD_STATUS = 4, MAD_HOP_COUNT = 7, MAD_TID_LOW = 12, MAD_ATTR = 16,
	MAD_MODIFIER = 20, SMP_M_KEY = 24, SMP_DATA = 64, SMP_PATH = 128, PMA_PORT = 65,
};

#define CLASS_SMP 0x01
#define CLASS_SMP_DIRECTED 0x81
#define RESPONSE_BIT 0x80
#define ATTR_ANY 0xffffffffu
#define ATTR_NODE_INFO 0x11
#define ATTR_PORT_INFO 0x15

enum fault_kind {
	FAULT_MUTE, FAULT_DEAD, FAULT_M_KEY, FAULT_STATUS, FAULT_SHORT, FAULT_GARBLE, FAULT_WRONG,
	FAULT_METHOD, FAULT_LATE, FAULT_TWICE, FAULT_FOREIGN, FAULT_PUT,
	FAULT_FAR, FAULT_FAR_MUTE, FAULT_VARY,
};

struct fault {
	enum fault_kind kind;
	uint32_t attr;		/* class above bit 16 unless an SMP; ATTR_ANY */
	uint64_t value;		/* N, KEY, STATUS, BYTES, ATTR, METHOD, USEC, VALUE */
	unsigned offset, width;	/* of put, in bits */
	uint64_t guid;		/* 0: any */
	int type;		/* NodeInfo's node type, 0: any */
	int port_first, port_last;	/* -1: any */
	uint64_t answers;	/* so far from WHO */
};

/* The device behind a path or LID, as its NodeInfo told it. */
struct known {
	uint64_t path_hash;	/* 0: empty place */
	uint64_t guid;
	int type;
};

struct settings {
	uint64_t latency, service;	/* microseconds */
	uint64_t capacity;	/* 0: no bound */
	uint64_t loss;		/* of a thousand */
	uint64_t seed;
	bool kernel;
	FILE *log;
	const char *stats;
	struct fault *faults;
	size_t fault_count;
	struct known *places;	/* by path, open addressing, a power of two */
	size_t place_room, place_count;
	struct known *lids;	/* by LID, 65536 of them */
};

/* What becomes of an answer. */
struct outcome {
	bool dropped;
	bool twice;
	bool foreign;
	uint64_t late;		/* microseconds more */
	int length;		/* of the MAD that is handed over */
};

/* Reads INTERPOSE; a word it does not know ends the program, so that no test passes by a typing error. */
void settings_read(struct settings *settings, const char *text);

/* Applies the faults to an answer in place; `request` is what was sent, to `lid` if not by path. */
void settings_apply(struct settings *settings, const uint8_t *request, uint16_t lid, uint8_t *answer,
		    int length, struct outcome *ret_outcome);

uint64_t settings_random(struct settings *settings);

uint16_t get16(const uint8_t *at);
uint32_t get32(const uint8_t *at);
uint64_t get64(const uint8_t *at);

#endif
