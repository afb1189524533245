/*
 * One live run: who is asked what, and what is known so far. Shared by the
 * files of this folder; live.h is the door.
 *
 * Everything asked of one device through one of its ports is a target: a
 * switch is one, a CA or router one for each of its ports that lies in this
 * subnet. A target walks through stages; each stage offers questions until it
 * has none left, and the next begins when all answers of it are there. The
 * engine decides how many go out, over all targets; a target never has more
 * than per_device of them unanswered.
 *
 * SMPs go by directed route always: LFTs are what is audited, so they are not
 * relied on. Performance MADs need LIDs.
 */
#ifndef COLLECTOR_LIVE_COLLECT_H
#define COLLECTOR_LIVE_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/live/engine.h"
#include "collector/live/keys.h"
#include "collector/live/live.h"
#include "collector/live/wire.h"
#include "store/fabric.h"

struct collect;
struct target;

/* What a question is about; the reader of its answer is picked by it. */
enum ask {
	ASK_NEIGHBOR,		/* NodeInfo of what is behind a port */
	ASK_IDENTITY,		/* what identity.c sends to tell a device from its twin */
	ASK_ALIVE,		/* NodeInfo of the target itself, after silence */
	ASK_PROOF,		/* NodeInfo, sent once: does the path lose what is kept back? */
	ASK_OTHER_WAY,		/* NodeInfo of a silent target by another route */
	ASK_NODE_DESCRIPTION,
	ASK_SWITCH_INFO,
	ASK_PORT_INFO,
	ASK_EXTENDED_PORT_INFO,
	ASK_GUID_INFO,
	ASK_PKEY_TABLE,
	ASK_SL2VL,
	ASK_VLARB,
	ASK_LFT,
	ASK_MFT,
	ASK_SM_INFO,
	ASK_CLASS_PORT_INFO,
	ASK_COUNTERS,
	ASK_COUNTERS_EXTENDED,
	ASK_RCV_ERROR_DETAILS,
	ASK_XMIT_DISCARD_DETAILS,
	ASK_XMIT_DATA_SL,
	ASK_RCV_DATA_SL,
	ASK_VL_OP_PACKETS,
	ASK_VL_OP_DATA,
	ASK_VL_XMIT_WAIT,
	ASK_COUNT
};

enum stage {
	STAGE_FIRST,		/* NodeDescription, SwitchInfo, port 0 or the port itself */
	STAGE_PORTS,		/* PortInfo of a switch's other ports, and their neighbours */
	STAGE_SPEED,		/* FDR10 */
	STAGE_LFT,
	STAGE_MFT,
	STAGE_SL2VL,
	STAGE_VLARB,
	STAGE_PKEYS,
	STAGE_GUIDS,
	STAGE_SM,		/* waits for lids_gather, and with it all that follows */
	STAGE_COUNTER_CLASS,	/* ClassPortInfo */
	STAGE_COUNTERS,
	STAGE_COUNTER_DETAILS,
	STAGE_VL_COUNTERS,
	STAGE_DONE
};

/* One question to a target. */
struct question {
	enum ask ask;
	unsigned port;		/* the port it is about, or 0 */
	uint32_t modifier;
	uint8_t port_select;
	uint8_t rounds;		/* times it was given up before */
};

/* A question that was given up, to be asked once more when its stage ends. */
struct unanswered {
	struct question question;
	struct unanswered *next;
};

/* What a target did not give; becomes a hole when the run ends. */
struct miss {
	uint8_t attribute;	/* enum attribute */
	uint8_t reason;		/* enum hole_reason */
	int16_t port;		/* -1: the device as a whole */
	uint16_t status;	/* MAD status of the first refusal, or 0 */
	unsigned count;		/* questions */
	const char *text;	/* a literal, the fabric's, or NULL */
};

struct target {
	struct device *device;
	uint8_t port;			/* own port of a CA or router; 0 of a switch */
	uint8_t stage;
	bool entered;			/* the stage has begun */
	bool ready;			/* is on the agenda */
	bool check_wanted, checking;	/* ASK_ALIVE is to be sent; is out */
	bool silent;			/* stopped answering: nothing more is asked for now */
	bool proven_shut;		/* its silence about all else is no loss */
	uint8_t proof_round, proof_sent, proof_got;	/* ASK_PROOF */
	bool changes;			/* names another GUID each time */
	bool shut;			/* answers NodeInfo and nothing else */
	bool looked;			/* behind those ports of it that could not be read */
	uint8_t ways;			/* other routes tried since it is silent */
	uint8_t odd_ports;		/* PortInfos of it that could not be right */
	bool odd_guids;			/* so is its GUIDInfo: nothing of that is kept */
	bool pm_shared_lid;		/* another port claims its LID: nothing is asked by it */
	bool pm_known;			/* the two pm_ fields mean something */
	uint8_t failures[ASK_COUNT];	/* answers that were refusals or silence */
	uint32_t answered;		/* bit per enum ask: it was answered once */
	uint32_t refused;		/* bit per enum ask: it was refused once */
	uint32_t hopeless;		/* bit per enum ask: asking on is no use */
	uint32_t told;			/* bit per enum ask: the hole says so */
	uint32_t missing;		/* bit per enum attribute: it has a miss */
	struct miss *misses;
	size_t miss_count, miss_room;
	unsigned out;			/* questions not answered yet */
	uint32_t patience_us;		/* what its answers take, the slow ones above all */
	uint32_t cursor, cursor_end;	/* of the stage: the next question's number */
	uint16_t pm_capability;		/* ClassPortInfo.CapabilityMask */
	uint32_t pm_capability2;
	void *table;			/* malloc'd: what a stage is putting together */
	uint64_t m_key;
	struct target *next_ready;
	struct target *next;		/* of collect->targets, newest first */
	struct target *next_of_device;	/* another port of the same device */
	uint64_t told_behind[4];	/* bit per port: a hole says that nothing was found behind it */
	uint64_t looked_last[4];	/* bit per port: it was read again when the run ended ... */
	uint64_t came_up[4];		/* ... and was Down before */
	struct unanswered *unanswered;
	struct mad_route route;
};

/* A port whose other end is to be looked at. */
struct probe {
	struct target *target;
	uint8_t port;
	uint8_t looks;		/* times the place changed while it was looked at */
	bool again;		/* nothing was there the first time */
	bool untrue;		/* what was there cannot be: sent even if the other end has told */
	bool guess;		/* nobody said that there is a link */
};

struct probe_queue {
	struct probe *list;	/* waiting: [first, count) */
	size_t first, count, room;
};

/*
 * What can be asked now, nearest devices first: routes stay short when every
 * port at n hops is looked behind before one at n + 1. Targets that are found
 * out about come before those that are read through.
 */
struct agenda {
	struct probe_queue probes[MAD_ROUTE_MAX + 1];	/* by hops of the target */
	struct target *finding[MAD_ROUTE_MAX + 1];	/* stacks: what was asked last is ... */
	struct target *reading;				/* ... still in the cache */
	uint64_t has_probes, has_finding;		/* bit per hops */
};

struct collect {
	const struct live_options *options;
	struct fabric *fabric;
	struct engine *engine;
	struct source *source;
	source_ref source_ref;
	unsigned groups;
	unsigned per_device;
	struct keys *keys;		/* guid2mkey, or NULL */
	struct target *local;		/* where the run starts */
	uint64_t local_guid;
	bool has_lid;			/* the local port can send by LID */
	struct target *targets;
	size_t target_count, target_done;	/* done: as far as is asked before, or after lids_gather */
	size_t shut_count;		/* devices that answered NodeInfo and nothing else */
	size_t hole_count;		/* so far, but for what is not supported */
	bool full;			/* as many devices as a subnet has LIDs: none is added */
	struct target **target_of;	/* first target of each device, by device index */
	size_t target_of_room;
	struct agenda agenda;
	struct probe *lost_probes;	/* to be sent again at the end */
	size_t lost_probe_count, lost_probe_room;
	struct lids *lids;		/* NULL until all devices are found */
	struct identity *identities;	/* all cases that are not decided yet; owned */
	struct identity *identities_first, *identities_last;	/* those whose question waits */
	uint64_t far_guid;		/* the GUID that the local port has for the fabric */
	size_t changing_count;		/* rows of switches that change their GUID */
	bool home_asked;		/* the local port was asked through the fabric ... */
	bool homeless;			/* ... and does not answer there, or otherwise each time */
	int64_t started_ms;		/* on the monotonic clock */
	int64_t progress_ms;		/* when the line was shown last */
};

/* UTC seconds, as the run's `now` and the time since then have it. */
int64_t collect_now(const struct collect *collect);

/* --- target.c --- */

/* A new target; NULL without memory. It is ready to be asked. */
struct target *target_add(struct collect *collect, struct device *device, uint8_t port,
			  const struct mad_route *route);

/* The target that is asked of this port of the device: a switch's only one, whatever the port; or NULL. */
struct target *target_find(const struct collect *collect, const struct device *device,
			   unsigned port);

bool target_is_switch(const struct target *target);

/*
 * The ports with a cable that this target tells of, counted from 0: a switch's
 * external ports, else the one it is asked through.
 */
unsigned target_ports(const struct target *target);

/* Number of the port at such a position. */
unsigned target_port_num(const struct target *target, unsigned position);

/* Port `num` of its device if that has a link, of which PortInfo tells; else NULL. */
const struct port *target_linked_port(const struct target *target, unsigned num);

/* It has said something to this question: an answer, or that it will not. */
bool target_heard(const struct target *target, enum ask ask);

/* Puts it on the agenda. */
void target_wake(struct collect *collect, struct target *target);

/* The next question of the target: 1; 0 none now; or ERR_NOMEM. */
int target_next(struct collect *collect, struct target *target, struct question *ret_question,
		struct err *err);

/* Sends it, one hop further than the target when `port` is not 0 and it asks for a neighbour. */
int target_ask(struct collect *collect, struct target *target, const struct question *question,
	       struct err *err);

/* An answer to one of its questions. 0 or a negative enum err_code. */
int target_answer(struct collect *collect, struct target *target,
		  const struct mad_request *request, const struct answer *answer,
		  struct err *err);

/* Frees what is malloc'd in it, and itself. */
void target_free(struct target *target);

/* Ends the current stage with what there is. 0 or ERR_NOMEM. */
int target_leave(struct collect *collect, struct target *target, struct err *err);

/* It has answered after this time. */
void target_took(struct target *target, uint32_t after_us);

/* The question an answer is to. */
struct question question_of(const struct mad_request *request);

/* --- protection.c --- */

/*
 * True when ASK_PROOF is to be sent before anything is asked again or given up.
 * Decides target->proven_shut when enough were sent.
 */
bool protection_wants_proof(const struct collect *collect, struct target *target);

/* --- agenda.c --- */

enum agenda_item {
	AGENDA_NOTHING,
	AGENDA_PROBE,
	AGENDA_TARGET,
};

/* Takes off what comes next. */
enum agenda_item agenda_take(struct agenda *agenda, struct probe *ret_probe,
			     struct target **ret_target);

bool agenda_is_empty(const struct agenda *agenda);

/* False: no memory. */
bool agenda_add_probe(struct agenda *agenda, const struct probe *probe);

void agenda_add_target(struct agenda *agenda, struct target *target);

void agenda_free(struct agenda *agenda);

/* --- discover.c --- */

/* Asks the local device. 0 or an error. */
int discover_start(struct collect *collect, struct err *err);

/* The local device's answer: its row and target. 0, ERR_FABRIC, ERR_NOMEM. */
int discover_local(struct collect *collect, const struct answer *answer, struct err *err);

/* Queues a look behind a port; looks: how often the place changed meanwhile. 0 or ERR_NOMEM. */
int discover_probe(struct collect *collect, struct target *target, uint8_t port, unsigned looks,
		   struct err *err);

/* PortInfo says that a cable leads on from this port: up, or LinkUp only physically. */
bool discover_says_link(const struct port *port);

/*
 * Queues a look behind every port (of a switch, or the local one) of which no
 * PortInfo was read: it may lead somewhere all the same. A port that is down
 * costs two attempts. Only the first call for a target does something. 0 or
 * ERR_NOMEM.
 */
int discover_unread(struct collect *collect, struct target *target, struct err *err);

/* Forgets what is known to be plugged in there; NULL is fine. */
void discover_unlink(struct port *port);

/* Sends a probe. 0 or an error. */
int discover_send(struct collect *collect, const struct probe *probe, struct err *err);

/* What a probe found, or did not. */
int discover_answer(struct collect *collect, const struct mad_request *request,
		    const struct answer *answer, struct err *err);

/* NodeInfo decoded, enough to know a device by. */
struct node_seen {
	uint64_t guid, port_guid, system_image_guid;
	enum node_type type;
	unsigned num_ports, local_port, partition_cap, device_id, revision, vendor_id;
	unsigned base_version, class_version;
};

/* False when these 64 bytes cannot be a NodeInfo; *ret_why then says it in words. */
bool node_decode(uint8_t *data, struct node_seen *ret_seen, const char **ret_why);

/*
 * True when the answer came through the port that it calls LocalPortNum. The
 * cable that was crossed ends there, and a route, a link or a twin that is told
 * by another number leads to devices that do not exist.
 */
bool node_entered_right(const struct node_seen *seen, const struct answer *answer);

/* Makes (or completes) the row of what was seen behind `from`, whose device is new. 0 or ERR_NOMEM. */
int discover_new_device(struct collect *collect, const struct node_seen *seen, struct target *from,
			uint8_t from_port, struct device **ret_device, struct err *err);

/* What is behind `from` is port `local_port` of a device that is known. 0 or ERR_NOMEM. */
int discover_known_device(struct collect *collect, const struct node_seen *seen,
			  struct device *device, struct target *from, uint8_t from_port,
			  struct err *err);

/* --- identity.c --- */

/* Behind from/from_port answers a GUID that has rows already: is it one of them? 0 or an error. */
int identity_open(struct collect *collect, const struct node_seen *seen, struct target *from,
		  uint8_t from_port, unsigned looks, struct err *err);

/* The same of a switch whose GUID is new: its row, once it has said that GUID twice. 0 or an error. */
int identity_meet(struct collect *collect, const struct node_seen *seen, struct target *from,
		  uint8_t from_port, unsigned looks, struct err *err);

int identity_send(struct collect *collect, struct err *err);

int identity_answer(struct collect *collect, const struct mad_request *request,
		    const struct answer *answer, struct err *err);

/* Frees cases whose question was never sent. */
void identity_free_all(struct collect *collect);

/* --- lids.c --- */

/*
 * Gathers the LIDs of all ports that were found, and lets the targets go on that
 * wait for that before STAGE_SM. 0 or ERR_NOMEM.
 */
int lids_gather(struct collect *collect, struct err *err);

/* True when some port names a LID of this port as its SM's; false before lids_gather. */
bool lids_name_sm(const struct collect *collect, const struct port *port);

/* Another port that claims this port's base LID (by its own LMC too), or NULL; NULL before lids_gather. */
const struct port *lids_rival(const struct collect *collect, const struct port *port);

/* --- one file for each group of attributes --- */

/* Begins a stage: sets cursor_end. 0 or ERR_NOMEM. */
typedef int stage_enter(struct collect *collect, struct target *target, struct err *err);
/* Turns a cursor position into a question: 1, or 0 to leave it out. */
typedef int stage_question(struct collect *collect, struct target *target, uint32_t position,
			   struct question *ret_question);
/* After the last answer. 0 or ERR_NOMEM. */
typedef int stage_leave(struct collect *collect, struct target *target, struct err *err);

struct stage_reader {
	unsigned group;		/* enum live_group bit it belongs to */
	stage_enter *enter;
	stage_question *question;
	stage_leave *leave;	/* or NULL */
};

extern const struct stage_reader node_stage, ports_stage, speed_stage, lft_stage, mft_stage,
	sl2vl_stage, vlarb_stage, pkeys_stage, guids_stage, sm_stage, counter_class_stage,
	counters_stage, counter_details_stage, vl_counters_stage;

/*
 * Reads an answer's attribute into the fabric. 0, 1 when the bytes cannot be
 * right (*ret_why says it), or a negative enum err_code.
 */
typedef int answer_reader(struct collect *collect, struct target *target,
			  const struct question *question, uint8_t *data, const char **ret_why,
			  struct err *err);

answer_reader read_node_description, read_switch_info, read_port_info, read_extended_port_info,
	read_guid_info, read_pkey_table, read_sl2vl, read_vlarb, read_lft, read_mft, read_sm_info,
	read_class_port_info, read_counters, read_counters_extended, read_rcv_error_details,
	read_xmit_discard_details, read_vl_counters;

/* --- speed.c --- */

/*
 * ExtendedPortInfo of this port (-1: of all) stayed open: what PortInfo calls QDR may
 * be FDR10 or EDR20, so that no speed of it is known.
 */
void speed_forget(const struct target *target, int port);

/* --- hole.c --- */

/* enum attribute of a question. */
enum attribute ask_attribute(enum ask ask);

/* The port through which the target is reached, or NULL for the local device. */
struct port *target_behind(const struct collect *collect, const struct target *target);

/*
 * Notes a hole in what a known device was asked: one for each port, attribute
 * and reason, however often. text is NULL, a literal or the fabric's. 0 or ERR_NOMEM.
 */
int hole_of_target(struct collect *collect, struct target *target, int port,
		   enum attribute attribute, enum hole_reason reason, uint16_t status,
		   const char *text, struct err *err);

/* Nothing (or nonsense) answers behind this port: one hole for each port. 0 or ERR_NOMEM. */
int hole_behind_port(struct collect *collect, struct port *behind, const struct mad_route *route,
		     enum hole_reason reason, uint16_t status, const char *text, struct err *err);

/* What is behind this port of the target is told: no other hole says so. False: it was already. */
bool hole_is_told(struct target *target, const struct port *behind);

/* Makes holes of all that was noted, once all links and names are known. 0 or ERR_NOMEM. */
int holes_write(struct collect *collect, struct err *err);

/* --- again.c: what was lost is asked once more, by another way if there is one. --- */

/* Puts whatever can be asked again on the agenda: 1 something was, 0 nothing left, or an error. */
int again_start(struct collect *collect, struct err *err);

/* What another way to a silent target gave. 0. */
int again_other_way(struct collect *collect, const struct mad_request *request,
		    const struct answer *answer);

/* What stays unread becomes holes. 0 or ERR_NOMEM. */
int again_finish(struct collect *collect, struct err *err);

#endif
