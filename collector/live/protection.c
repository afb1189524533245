/* Is it an M_Key that keeps the answers of a device back, or the path that loses them? */
#include "collector/live/collect.h"

/* NodeInfos sent once each, and how many of them must come back, after one round and after two. */
#define PROOFS 8
static const uint8_t proofs_enough[] = {8, 6};
/* Silent attempts that make it worth asking after a single round. */
#define SILENCE_ENOUGH 6

/* It has said NodeInfo and nothing else: a status says that no M_Key stands before the answers. */
static bool said_nothing(const struct target *target)
{
	return target->stage == STAGE_FIRST && target->answered == 0 && target->refused == 0 &&
	       target->missing == 0;
}

static unsigned silent_attempts(const struct collect *collect, const struct target *target)
{
	unsigned questions = 0;

	for (const struct unanswered *u = target->unanswered; u; u = u->next)
		questions++;
	return questions * (collect->options->retries + 1);
}

/*
 * All of the first questions were lost, as they are before an M_Key that lets
 * nothing but NodeInfo pass, and as they are on a path that loses packets.
 * NodeInfo tells the two apart: it is asked several times, each a single packet
 * forth and back. Where too few come back the questions go out once more.
 */
bool protection_wants_proof(const struct collect *collect, struct target *target)
{
	if (!said_nothing(target) || target->proven_shut)
		return false;
	if (target->proof_round == 0 && target->proof_sent == 0 && target->unanswered &&
	    silent_attempts(collect, target) < SILENCE_ENOUGH)
		target->proof_round = 1;
	/* In the second round the questions come first. */
	if (target->proof_round > 1 || (target->proof_round == 0) != (target->unanswered != NULL))
		return false;
	if (target->proof_sent < PROOFS) {
		target->proof_sent++;
		return true;
	}
	target->proven_shut = target->proof_got >= proofs_enough[target->proof_round];
	target->proof_round++;
	target->proof_sent = target->proof_got = 0;
	return false;
}
