/* What was lost, at the end of the run: a hole for each thing that stays unread. */
#include "collector/live/collect.h"

int again_finish(struct collect *collect, struct err *err)
{
	for (struct target *target = collect->targets; target; target = target->next) {
		for (struct unanswered *u = target->unanswered; u; u = u->next) {
			int rc = hole_of_target(collect, target, (int)u->question.port,
						ask_attribute(u->question.ask), HOLE_TIMEOUT, 0,
						NULL, err);

			if (rc < 0)
				return rc;
		}
	}
	return 0;
}
