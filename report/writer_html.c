/*
 * One self-contained HTML file: no script, no link to anywhere. All text goes
 * through libxml2's writer, so markup in a node description stays text; control
 * bytes and broken UTF-8 are escaped before that.
 */
#include <libxml/xmlwriter.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/writer_impl.h"

struct html_writer {
	struct writer base;
	xmlTextWriterPtr xml;
	size_t columns;
};

static const char css[] =
	"body{font:15px/1.45 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;"
	"color:#1c1e21;background:#fff}"
	"h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem;border-bottom:1px solid #ccc}"
	".tally span{display:inline-block;padding:.2rem .7rem;margin-right:.5rem;border-radius:.3rem}"
	".critical{background:#a40000;color:#fff}.error{background:#d6452b;color:#fff}"
	".warning{background:#f2c037;color:#222}.info{background:#d9e7f5;color:#222}"
	".none{background:#eee;color:#666}"
	"details{border:1px solid #ddd;border-left:.4rem solid #ccc;border-radius:.3rem;"
	"margin:.5rem 0;padding:.4rem .8rem}"
	"details.f-critical{border-left-color:#a40000}details.f-error{border-left-color:#d6452b}"
	"details.f-warning{border-left-color:#f2c037}details.f-info{border-left-color:#9dbfe0}"
	"summary{cursor:pointer}summary b{margin:0 .4rem}"
	".badge{font-size:.8rem;padding:.1rem .45rem;border-radius:.3rem}"
	"code,td,pre{overflow-wrap:anywhere}"
	"pre{background:#f6f6f6;padding:.5rem;white-space:pre-wrap;margin:0}"
	"table{border-collapse:collapse;margin:.5rem 0}"
	"th,td{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0;"
	"border-bottom:1px solid #eee}th{font-weight:600}"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.5rem 0}"
	"dt{color:#555}dd{margin:0}"
	"@media print{details{break-inside:avoid}}";

static void latch(struct html_writer *writer, int rc)
{
	if (rc < 0 && !writer->base.failed)
		writer->base.failed = ERR_IO;
}

static void open_element(struct html_writer *writer, const char *name, const char *class)
{
	latch(writer, xmlTextWriterStartElement(writer->xml, BAD_CAST name));
	if (class)
		latch(writer, xmlTextWriterWriteAttribute(writer->xml, BAD_CAST "class",
							  BAD_CAST class));
}

/* A full end tag: HTML knows no self-closed <td/>. */
static void close_element(struct html_writer *writer)
{
	latch(writer, xmlTextWriterFullEndElement(writer->xml));
}

static void put_text(struct html_writer *writer, const char *raw)
{
	char *text = writer_escape(&writer->base, raw ? raw : "", true);

	if (text)
		latch(writer, xmlTextWriterWriteString(writer->xml, BAD_CAST text));
	free(text);
}

static void put_element(struct html_writer *writer, const char *name, const char *class,
			const char *raw)
{
	open_element(writer, name, class);
	put_text(writer, raw);
	close_element(writer);
}

static void html_begin(struct writer *base, const char *title)
{
	struct html_writer *writer = (struct html_writer *)base;

	latch(writer, xmlTextWriterWriteRaw(writer->xml, BAD_CAST "<!DOCTYPE html>\n"));
	open_element(writer, "html", NULL);
	latch(writer, xmlTextWriterWriteAttribute(writer->xml, BAD_CAST "lang", BAD_CAST "en"));
	open_element(writer, "head", NULL);
	open_element(writer, "meta", NULL);
	latch(writer, xmlTextWriterWriteAttribute(writer->xml, BAD_CAST "charset", BAD_CAST "utf-8"));
	latch(writer, xmlTextWriterEndElement(writer->xml));
	put_element(writer, "title", NULL, title);
	open_element(writer, "style", NULL);
	latch(writer, xmlTextWriterWriteRaw(writer->xml, BAD_CAST css));
	close_element(writer);
	close_element(writer);
	open_element(writer, "body", NULL);
	put_element(writer, "h1", NULL, title);
}

static void html_section(struct writer *base, const char *id, const char *title)
{
	struct html_writer *writer = (struct html_writer *)base;

	latch(writer, xmlTextWriterWriteRaw(writer->xml, BAD_CAST "\n"));
	open_element(writer, "h2", NULL);
	latch(writer, xmlTextWriterWriteAttribute(writer->xml, BAD_CAST "id", BAD_CAST id));
	put_text(writer, title);
	close_element(writer);
}

static void html_paragraph(struct writer *base, const char *text)
{
	put_element((struct html_writer *)base, "p", NULL, text);
}

static void html_tally(struct writer *base, const size_t counts[4])
{
	struct html_writer *writer = (struct html_writer *)base;

	open_element(writer, "p", "tally");
	for (int severity = SEVERITY_CRITICAL; severity >= SEVERITY_INFO; severity--) {
		const char *name = severity_name((enum severity)severity);
		char text[64];

		snprintf(text, sizeof(text), "%zu %s", counts[severity], name);
		put_element(writer, "span", counts[severity] ? name : "none", text);
	}
	close_element(writer);
}

static void put_pair(struct html_writer *writer, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	put_element(writer, "dt", NULL, key);
	open_element(writer, "dd", NULL);
	if (strchr(value, '\n'))
		put_element(writer, "pre", NULL, value);
	else
		put_text(writer, value);
	close_element(writer);
}

static void html_finding(struct writer *base, const struct writer_finding *finding)
{
	struct html_writer *writer = (struct html_writer *)base;
	const char *name = severity_name(finding->severity);
	char class[32];
	char badge[32];

	snprintf(class, sizeof(class), "f-%s", name);
	snprintf(badge, sizeof(badge), "badge %s", name);
	latch(writer, xmlTextWriterWriteRaw(writer->xml, BAD_CAST "\n"));
	open_element(writer, "details", class);
	open_element(writer, "summary", NULL);
	put_element(writer, "span", badge, name);
	put_element(writer, "b", NULL, finding->subject);
	put_element(writer, "code", NULL, finding->rule);
	if (finding->status)
		put_element(writer, "span", "badge none", finding->status);
	put_element(writer, "div", NULL, finding->message);
	close_element(writer);
	open_element(writer, "dl", NULL);
	for (size_t i = 0; i < finding->evidence_count; i++)
		put_pair(writer, finding->evidence[i].key, finding->evidence[i].value);
	put_pair(writer, "rule", finding->title);
	put_pair(writer, "why", finding->why);
	put_pair(writer, "remedy", finding->remedy);
	put_pair(writer, "rests on", finding->source);
	close_element(writer);
	close_element(writer);
}

static void html_row(struct writer *base, const char *element, const char *const *cells)
{
	struct html_writer *writer = (struct html_writer *)base;

	open_element(writer, "tr", NULL);
	for (size_t i = 0; i < writer->columns; i++)
		put_element(writer, element, NULL, cells[i]);
	close_element(writer);
	latch(writer, xmlTextWriterWriteRaw(writer->xml, BAD_CAST "\n"));
}

static void html_table_row(struct writer *base, const char *const *cells)
{
	html_row(base, "td", cells);
}

static void html_table_begin(struct writer *base, const char *const *head, size_t columns)
{
	struct html_writer *writer = (struct html_writer *)base;

	writer->columns = columns;
	open_element(writer, "table", NULL);
	html_row(base, "th", head);
}

static void html_table_end(struct writer *base)
{
	close_element((struct html_writer *)base);
}

static void html_end(struct writer *base)
{
	struct html_writer *writer = (struct html_writer *)base;

	close_element(writer);
	close_element(writer);
	latch(writer, xmlTextWriterEndDocument(writer->xml));
	latch(writer, xmlTextWriterFlush(writer->xml));
}

static void html_release(struct writer *base)
{
	struct html_writer *writer = (struct html_writer *)base;

	xmlFreeTextWriter(writer->xml);
	free(writer);
}

/* libxml2 would tell of a failure itself, on stderr: it is kept from it. */
static int put_bytes(void *context, const char *bytes, int length)
{
	struct writer *writer = context;

	if (!writer->failed && fwrite(bytes, 1, (size_t)length, writer->out) != (size_t)length) {
		writer->failed = ERR_IO;
		writer->write_errno = errno;
	}
	return length;
}

static const struct writer_form html_form = {
	.begin = html_begin,
	.section = html_section,
	.paragraph = html_paragraph,
	.tally = html_tally,
	.finding = html_finding,
	.table_begin = html_table_begin,
	.table_row = html_table_row,
	.table_end = html_table_end,
	.end = html_end,
	.release = html_release,
};

struct writer *writer_html_new(FILE *out, const struct report_options *options)
{
	struct html_writer *writer = calloc(1, sizeof(*writer));
	xmlOutputBufferPtr buffer = NULL;

	if (!writer)
		return NULL;
	writer->base.form = &html_form;
	writer->base.options = options;
	writer->base.out = out;
	buffer = xmlOutputBufferCreateIO(put_bytes, NULL, &writer->base, NULL);
	if (buffer)
		writer->xml = xmlNewTextWriter(buffer);	/* owns the buffer from here */
	if (!writer->xml) {
		if (buffer)
			xmlOutputBufferClose(buffer);
		free(writer);
		return NULL;
	}
	return &writer->base;
}
