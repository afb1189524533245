/* Samples of the field's tools, all of one small fabric (samples/import), for the readers' tests. */
#ifndef TESTS_SUPPORT_IMPORT_SAMPLE_H
#define TESTS_SUPPORT_IMPORT_SAMPLE_H

#include <stdint.h>

#include "store/fabric.h"

/* The nodes of the samples' fabric. A CA's port GUID is its node GUID plus 1. */
#define HERON_LEAF1 UINT64_C(0x00ca5e0000001000)
#define HERON_LEAF2 UINT64_C(0x00ca5e0000001100)	/* base port 0 */
#define HERON_SPINE UINT64_C(0x00ca5e0000003000)
#define HERON_N01 UINT64_C(0x00ca5e0000002010)		/* leaf1 port 1, LID 2, runs the SM */
#define HERON_N02 UINT64_C(0x00ca5e0000002020)		/* leaf1 port 2 */
#define HERON_N03 UINT64_C(0x00ca5e0000002030)		/* leaf2 port 1 */
#define HERON_N04 UINT64_C(0x00ca5e0000002040)		/* leaf2 port 2 */

/*
 * Imports samples/import/NAME for each name up to a NULL, in this order. The
 * caller frees the fabric; a failure ends the test.
 */
struct fabric *import_samples(const char *name, ...);

/* Fails the test unless the fabric has the device and the port. */
struct device *must_device(const struct fabric *fabric, uint64_t guid);
struct port *must_port(const struct fabric *fabric, uint64_t guid, unsigned num);

/* The links of the samples' fabric, told from both ends. */
void assert_heron_links(const struct fabric *fabric, uint64_t n01, uint64_t n02, uint64_t n03,
			uint64_t n04);

#endif
