/*
 * Small fabrics for the tests of the rules, healthy until a test breaks them.
 *
 * Every function ends the test program when memory is gone, so that a test
 * reads as a list of devices and cables.
 */
#ifndef TESTS_SUPPORT_BUILD_FABRIC_H
#define TESTS_SUPPORT_BUILD_FABRIC_H

#include "store/fabric.h"

/* An empty fabric with one live source, ref 1. The caller frees it with fabric_free. */
struct fabric *build_fabric(void);

/*
 * A switch with base port 0 (LID `lid`, 0 none) and `ports` external ports that
 * are Down. SwitchInfo and PortInfo count as read, tables do not.
 */
struct device *build_switch(struct fabric *fabric, uint64_t guid, unsigned ports, unsigned lid,
			    const char *name);

/* Gives the switch an enhanced port 0: Active, 1x SDR, one VL. */
void build_enhanced_port0(struct device *device);

/* A CA with ports 1..ports, all Down; port 1 has LID `lid`. Port GUIDs are guid + port number. */
struct device *build_ca(struct fabric *fabric, uint64_t guid, unsigned ports, unsigned lid,
			const char *name);

/* Port `num`, which must exist. */
struct port *build_port(struct device *device, unsigned num);

/*
 * A cable: both ends Active, 4x EDR of 4x EDR, MTU 4096, VLCap 8, OperVLs 8,
 * and each other's peer.
 */
void build_link(struct device *a, unsigned port_a, struct device *b, unsigned port_b);

/* Takes the cable out: both ends Down and without a peer. */
void build_unlink(struct device *a, unsigned port_a);

/*
 * Minimal LFTs for the LIDs (all 2^LMC of them) of every end port, in every
 * switch that can reach it; LinearFDBTop is the highest of these LIDs.
 */
void build_routes(struct fabric *fabric);

/* One entry, whose block must have been built. */
void build_route(struct device *device, unsigned lid, unsigned port);

/* An SM on that port: every end port with a LID points to it when state is 3 (MASTER). */
struct sm *build_sm(struct fabric *fabric, struct port *port, int64_t state, int64_t priority);

/*
 * Two leaves with two hosts each (LIDs 11, 12 and 21, 22), joined by two spines
 * (LIDs 3 and 4; the leaves have 1 and 2), routed, master SM on the first host.
 * Leaf ports 1 and 2 go to the hosts, 3 and 4 to the spines; spine ports 1 and 2
 * to the leaves. Devices in the order leaf-1, leaf-2, spine-1, spine-2, host-11,
 * host-12, host-21, host-22; GUIDs are 0x1000 + LID.
 */
struct fabric *build_tree(void);

/* The fabric's device of that description. */
struct device *build_device(const struct fabric *fabric, const char *name);

#endif
