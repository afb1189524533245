#include "rules/config_problems.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rules/analysis/cite.h"
#include "rules/places.h"
#include "store/text.h"

const struct config_problem *config_problem_find(const struct config *config, const char *id,
						 const char *key)
{
	for (size_t i = 0; i < config->problem_count; i++) {
		const struct config_problem *problem = &config->problems[i];

		if (problem->id && strcmp(problem->id, id) == 0 &&
		    (!key || (problem->key && strcmp(problem->key, key) == 0)))
			return problem;
	}
	return NULL;
}

bool config_finding_place(struct finding *finding, const struct fabric *fabric, source_ref source,
			  int64_t line, const char *otherwise)
{
	char place[CITE_SIZE];

	return finding_text(&finding->subject, "%s", cite(fabric, source, line, otherwise, place)) &&
	       finding_source(finding, fabric, source, line);
}

static bool is_chosen(const struct fabric *fabric, const struct config_problem *problem,
		      const struct problem_choice *choice)
{
	const char *format;
	bool listed = false;

	if (problem == choice->skip || !problem->id || problem->source == 0 || problem->source > fabric->source_count)
		return false;
	format = fabric->sources[problem->source - 1].format;
	if (!format || strcmp(format, choice->format) != 0)
		return false;
	for (size_t i = 0; choice->ids[i]; i++)
		listed = listed || strcmp(choice->ids[i], problem->id) == 0;
	return listed != choice->others;
}

/*
 * What the finding is known by in the next run: the problem and its key, and
 * where there is more than one of them, which. Lines move, so they take no part.
 */
static void identify(const struct fabric *fabric, size_t index, char *out, size_t size)
{
	const struct config_problem *problem = &fabric->config->problems[index];
	const char *key = problem->key ? problem->key : "";
	size_t before = 0;

	for (size_t i = 0; i < index; i++) {
		const struct config_problem *other = &fabric->config->problems[i];

		before += other->source == problem->source && other->id &&
			  strcmp(other->id, problem->id) == 0 &&
			  strcmp(other->key ? other->key : "", key) == 0;
	}
	if (before > 0)
		snprintf(out, size, "%.60s:%.100s#%zu", problem->id, key, before + 1);
	else if (*key)
		snprintf(out, size, "%.60s:%.100s", problem->id, key);
	else
		snprintf(out, size, "%.60s", problem->id);
}

/* As written and as held, where the problem is an option's. */
static bool add_option(struct finding *finding, const struct fabric *fabric,
		       const struct config_problem *problem)
{
	const struct config_option *option = NULL;
	char text[256];

	if (problem->key && problem->source == fabric->config->opensm_conf)
		option = config_option_find(fabric->config, problem->key);
	if (!option || !option->raw)
		return true;
	text_escape(option->raw, strlen(option->raw), text, sizeof(text));
	if (!finding_evidence(finding, "written", "%s", text))
		return false;
	if (!option->effective)
		return finding_evidence(finding, "held", "not set");
	text_escape(option->effective, strlen(option->effective), text, sizeof(text));
	return finding_evidence(finding, "held", "%s", text);
}

static int tell(const struct rule_input *in, struct rule_output *out, size_t index,
		enum severity most, struct err *err)
{
	const struct config_problem *problem = &in->fabric->config->problems[index];
	enum severity severity = (enum severity)problem->severity;
	char discriminator[200];
	struct finding *finding;

	if (severity > most)
		severity = most;
	identify(in->fabric, index, discriminator, sizeof(discriminator));
	finding = rule_finding(out, severity, NULL, NULL, discriminator, "%s",
			       problem->text ? problem->text : problem->id);
	if (!finding ||
	    !config_finding_place(finding, in->fabric, problem->source, problem->line, "configuration") ||
	    !add_option(finding, in->fabric, problem))
		return err_no_memory(err);
	if (problem->remedy && !finding_text(&finding->remedy, "%s", problem->remedy))
		return err_no_memory(err);
	return 0;
}

int config_problems_tell(const struct rule_input *in, struct rule_output *out,
			 const struct problem_choice *choice, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < in->fabric->config->problem_count; i++) {
		if (is_chosen(in->fabric, &in->fabric->config->problems[i], choice))
			rc = tell(in, out, i, choice->most, err);
	}
	return rc;
}
