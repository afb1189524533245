-- The schema of a store: snapshots of InfiniBand fabrics and what rules found in them.
--
-- The views at the end are the public face (doc/schema.md); the tables behind
-- them may change with user_version. NULL is always "unknown" or "none", never 0.
-- GUIDs are kept as their 64-bit pattern, which SQLite shows as a signed number.
--
-- What a night has in common with others is kept once. A body (device_body,
-- lft_body, fact_body, finding_body) with its parts, and a block, are found again
-- by a hash and compared in full before they are shared; they never change. The
-- tables named *_row say which snapshot or audit has which.
--
-- Text from a fabric or a file is TEXT when it is printable UTF-8, else a BLOB of
-- the bytes as they came, whose printable form is in foreign_text.
--
-- This is run on an older store too, which keeps what it has: a table or view that
-- changes needs a new user_version and a step in store/db.c.

PRAGMA application_id = 1229078869;			-- "IBAU"
PRAGMA user_version = 4;

-- What made this file.
CREATE TABLE IF NOT EXISTS meta (
	key TEXT PRIMARY KEY,                           -- 'created_by', 'created_at'
	value TEXT NOT NULL                             -- its value
) WITHOUT ROWID;

-- Names of codes, put here by the program with each snapshot.
CREATE TABLE IF NOT EXISTS word (
	list TEXT NOT NULL,                             -- 'port_state', 'speed', 'attribute', ...
	code INTEGER NOT NULL,                          -- number in the tables
	name TEXT NOT NULL,                             -- name in the views
	PRIMARY KEY (list, code)
) WITHOUT ROWID;

-- All bytes: takes blocks apart, and counts.
CREATE TABLE IF NOT EXISTS byte (
	value INTEGER PRIMARY KEY,                      -- 0..255
	hex TEXT NOT NULL UNIQUE                        -- '00'..'FF', as hex() writes it
);

WITH RECURSIVE counted (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n < 255)
INSERT OR IGNORE INTO byte SELECT n, printf('%02X', n) FROM counted;

-- Bytes that must not reach a terminal or are not UTF-8, with what to show for them.
CREATE TABLE IF NOT EXISTS foreign_text (
	raw BLOB PRIMARY KEY,                           -- as it came
	shown TEXT NOT NULL                             -- escaped: \xNN for each such byte
) WITHOUT ROWID;

-- Tables of ports and switches by content. Numbers in them are big-endian.
CREATE TABLE IF NOT EXISTS block (
	id INTEGER PRIMARY KEY,                         -- block
	hash INTEGER NOT NULL,                          -- XXH3 of data, seeded with kind
	kind INTEGER NOT NULL,                          -- word list 'block': lft, sl2vl, vlarb, pkey, guid, mft, source
	data BLOB NOT NULL                              -- lft: out-ports of 960 LIDs; sl2vl: runs of in_first, in_last, 16 VLs; vlarb: VL, weight; pkey: 2 bytes each; guid: 8 bytes each; mft: a byte n, then MLID and n bytes of port bits; source: 2 bytes per attribute, 0 none
);

CREATE INDEX IF NOT EXISTS block_hash ON block (hash);

-- One subnet at one time.
CREATE TABLE IF NOT EXISTS snapshot_row (
	id INTEGER PRIMARY KEY AUTOINCREMENT,           -- never used again
	taken_at INTEGER,                               -- UTC seconds: the sweep began, or the newest time in the files
	stored_at INTEGER NOT NULL,                     -- UTC seconds
	site TEXT,                                      -- groups the subnets of one place
	label TEXT,                                     -- name given by the user
	live INTEGER NOT NULL,                          -- 1 collected, 0 imported
	partial INTEGER NOT NULL,                       -- 1: something asked for is missing, the holes say what
	asked INTEGER NOT NULL,                         -- bit per attribute that the sources could have told
	devices INTEGER NOT NULL,                       -- number of devices
	switches INTEGER NOT NULL,                      -- number of switches
	cas INTEGER NOT NULL,                           -- number of channel adapters
	routers INTEGER NOT NULL,                       -- number of routers
	links INTEGER NOT NULL,                         -- number of links, each once
	holes INTEGER NOT NULL,                         -- number of holes
	opensm_conf INTEGER,                            -- source of the opensm.conf
	partitions_conf INTEGER,                        -- source of the partitions.conf
	opensm_log INTEGER,                             -- source of the opensm.log
	policy_present INTEGER NOT NULL,                -- 1: a qos-policy.conf was at hand
	policy_source INTEGER,                          -- its source
	policy_dropped INTEGER NOT NULL,                -- 1: OpenSM would drop the whole file
	program TEXT NOT NULL                           -- version of ibaudit that wrote it
);

-- Where the facts come from: a live port, or a file. seq is the number others refer to.
CREATE TABLE IF NOT EXISTS source_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	kind INTEGER NOT NULL,                          -- word list 'source_kind'
	name TEXT NOT NULL,                             -- "mlx5_0 port 1", or the path as given
	format TEXT NOT NULL,                           -- "live", or the format of the file
	taken_at INTEGER,                               -- UTC seconds the content names itself
	rows INTEGER NOT NULL,                          -- lines or answers understood
	odd_rows INTEGER NOT NULL,                      -- lines not understood
	detail TEXT,                                    -- what was asked and skipped, versions
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- A device with its ports, by content. A switch has the facts of SwitchInfo, others NULL.
CREATE TABLE IF NOT EXISTS device_body (
	id INTEGER PRIMARY KEY,                         -- body
	hash INTEGER NOT NULL,                          -- XXH3 of all that follows and of the parts
	node_guid INTEGER NOT NULL,                     -- node GUID, as it came
	twin INTEGER NOT NULL,                          -- 0, or 1.. for further devices of one snapshot with this node GUID
	node_type INTEGER NOT NULL,                     -- word list 'node_type'
	system_image_guid INTEGER,                      -- system image GUID
	description TEXT,                               -- NodeDescription
	alias TEXT,                                     -- name from a node name map
	fw_version TEXT,                                -- firmware
	psid TEXT,                                      -- board identification
	sources INTEGER REFERENCES block,               -- source of each attribute group
	base_version INTEGER,                           -- BaseVersion: number
	class_version INTEGER,                          -- ClassVersion: number
	num_ports INTEGER,                              -- NumPorts: physical ports, port 0 not counted
	partition_cap INTEGER,                          -- PartitionCap: entries in the P_Key table of a CA port or port 0
	device_id INTEGER,                              -- DeviceID: number
	revision INTEGER,                               -- Revision: number
	vendor_id INTEGER,                              -- VendorID: IEEE OUI
	linear_fdb_cap INTEGER,                         -- LinearFDBCap: LIDs
	random_fdb_cap INTEGER,                         -- RandomFDBCap: LIDs
	multicast_fdb_cap INTEGER,                      -- MulticastFDBCap: MLIDs
	linear_fdb_top INTEGER,                         -- LinearFDBTop: highest LID with a defined entry
	default_port INTEGER,                           -- DefaultPort: port
	default_mcast_primary_port INTEGER,             -- DefaultMulticastPrimaryPort: port
	default_mcast_not_primary_port INTEGER,         -- DefaultMulticastNotPrimaryPort: port
	life_time_value INTEGER,                        -- LifeTimeValue: n of 4.096 us * 2^n
	port_state_change INTEGER,                      -- PortStateChange: 0 or 1
	optimized_sl2vl_mapping INTEGER,                -- OptimizedSLtoVLMappingProgramming: 0 to 3
	lids_per_port INTEGER,                          -- LIDsPerPort: number
	partition_enforcement_cap INTEGER,              -- PartitionEnforcementCap: entries per external port
	inbound_enforcement_cap INTEGER,                -- InboundEnforcementCap: 0 or 1
	outbound_enforcement_cap INTEGER,               -- OutboundEnforcementCap: 0 or 1
	filter_raw_inbound_cap INTEGER,                 -- FilterRawInboundCap: 0 or 1
	filter_raw_outbound_cap INTEGER,                -- FilterRawOutboundCap: 0 or 1
	enhanced_port0 INTEGER,                         -- EnhancedPort0: 1 enhanced, 0 base
	multicast_fdb_top INTEGER                       -- MulticastFDBTop: highest MLID with a defined entry
);

CREATE INDEX IF NOT EXISTS device_body_hash ON device_body (hash);
CREATE INDEX IF NOT EXISTS device_body_guid ON device_body (node_guid);

-- A port of a device_body.
CREATE TABLE IF NOT EXISTS port_part (
	body_id INTEGER NOT NULL REFERENCES device_body, -- device
	part INTEGER NOT NULL,                          -- port number, 0: a switch's own
	port_guid INTEGER,                              -- port GUID
	peer_guid INTEGER,                              -- node GUID of the neighbour, NULL: none seen
	peer_twin INTEGER,                              -- its twin number
	peer_port INTEGER,                              -- its port
	peer_both INTEGER,                              -- 1: the neighbour says the same, 0: seen from here alone, NULL: the neighbour alone says so
	sl2vl INTEGER REFERENCES block,                 -- SL to VL tables
	vlarb_high INTEGER REFERENCES block,            -- high-priority VL arbitration
	vlarb_low INTEGER REFERENCES block,             -- low-priority VL arbitration
	pkeys INTEGER REFERENCES block,                 -- P_Key table
	guids INTEGER REFERENCES block,                 -- GUIDInfo
	sources INTEGER REFERENCES block,               -- source of each attribute group
	lid INTEGER,                                    -- LID: 0 unassigned; port 0 / end port
	lmc INTEGER,                                    -- LMC: 2^lmc LIDs; port 0 / end port
	sm_lid INTEGER,                                 -- MasterSMLID: LID; port 0 / end port
	sm_sl INTEGER,                                  -- MasterSMSL: SL; port 0 / end port
	gid_prefix INTEGER,                             -- GidPrefix: 64 bits as a bit pattern; port 0 / end port
	capability_mask INTEGER,                        -- CapabilityMask: 32 bits; port 0 / end port
	capability_mask2 INTEGER,                       -- CapabilityMask2: 16 bits; port 0 / end port
	diag_code INTEGER,                              -- DiagCode: number
	m_key_lease_period INTEGER,                     -- M_KeyLeasePeriod: seconds
	m_key_protect_bits INTEGER,                     -- M_KeyProtectBits: 0 to 3
	link_width_active INTEGER,                      -- LinkWidthActive: lanes: 1, 2, 4, 8, 12
	link_width_supported INTEGER,                   -- LinkWidthSupported: bits: 1=1x 2=4x 4=8x 8=12x 16=2x
	link_width_enabled INTEGER,                     -- LinkWidthEnabled: bits as supported, 255 replaced
	link_speed_active INTEGER,                      -- LinkSpeedActive: Mb/s per lane, rounded down; see speed_name
	link_speed_code INTEGER,                        -- LinkSpeedActive (code): joined code as read
	link_speed_supported INTEGER,                   -- LinkSpeedSupported: joined code bits
	link_speed_enabled INTEGER,                     -- LinkSpeedEnabled: joined code bits
	port_state INTEGER,                             -- PortState: 1 Down 2 Init 3 Armed 4 Active 5 ActiveDefer
	port_phys_state INTEGER,                        -- PortPhysicalState: 1 Sleep 2 Polling 3 Disabled 4 Training 5 LinkUp 6 LinkErrorRecovery 7 PhyTest
	link_down_default INTEGER,                      -- LinkDownDefaultState: 1 Sleep 2 Polling
	neighbor_mtu INTEGER,                           -- NeighborMTU: bytes
	mtu_cap INTEGER,                                -- MTUCap: bytes
	vl_cap INTEGER,                                 -- VLCap: data VLs: 1, 2, 4, 8, 15
	oper_vls INTEGER,                               -- OperVLs: data VLs: 1, 2, 4, 8, 15; 0 when the port answered code 0
	vl_high_limit INTEGER,                          -- VLHighLimit: units of 4096 bytes; 255 no limit
	vlarb_high_cap INTEGER,                         -- VLArbHighCap: table entries
	vlarb_low_cap INTEGER,                          -- VLArbLowCap: table entries
	vl_stall_count INTEGER,                         -- VLStallCount: number
	hoq_life INTEGER,                               -- HOQLife: n of 4.096 us * 2^n; 20 and more unlimited
	init_type INTEGER,                              -- InitType: bits
	init_type_reply INTEGER,                        -- InitTypeReply: bits
	partition_enforcement_inbound INTEGER,          -- PartitionEnforcementInbound: 0 or 1
	partition_enforcement_outbound INTEGER,         -- PartitionEnforcementOutbound: 0 or 1
	filter_raw_inbound INTEGER,                     -- FilterRawInbound: 0 or 1
	filter_raw_outbound INTEGER,                    -- FilterRawOutbound: 0 or 1
	m_key_violations INTEGER,                       -- M_KeyViolations: count, ends at 65535
	p_key_violations INTEGER,                       -- P_KeyViolations: count, ends at 65535
	q_key_violations INTEGER,                       -- Q_KeyViolations: count, ends at 65535
	guid_cap INTEGER,                               -- GUIDCap: GUIDs
	client_reregister INTEGER,                      -- ClientReregister: 0 or 1
	mcast_pkey_trap_suppression INTEGER,            -- MulticastPKeyTrapSuppressionEnabled: 0 to 3
	subnet_timeout INTEGER,                         -- SubnetTimeOut: n of 4.096 us * 2^n
	resp_time_value INTEGER,                        -- RespTimeValue: n of 4.096 us * 2^n
	local_phy_errors INTEGER,                       -- LocalPhyErrors: threshold
	overrun_errors INTEGER,                         -- OverrunErrors: threshold
	max_credit_hint INTEGER,                        -- MaxCreditHint: number
	link_round_trip_latency INTEGER,                -- LinkRoundTripLatency: units of 4 ns
	PRIMARY KEY (body_id, part)
) WITHOUT ROWID;

-- A linear forwarding table by content.
CREATE TABLE IF NOT EXISTS lft_body (
	id INTEGER PRIMARY KEY,                         -- table
	hash INTEGER NOT NULL,                          -- XXH3 of all that follows and of the parts
	lids INTEGER NOT NULL                           -- room of the table, LIDs
);

CREATE INDEX IF NOT EXISTS lft_body_hash ON lft_body (hash);

-- 960 LIDs of a table: small enough that four fill a page.
CREATE TABLE IF NOT EXISTS lft_part (
	body_id INTEGER NOT NULL REFERENCES lft_body,   -- table
	part INTEGER NOT NULL,                          -- first LID is 960 times this
	known INTEGER NOT NULL,                         -- bit per 64 LIDs that were read
	block INTEGER NOT NULL REFERENCES block,        -- out-ports, 255: no path or not read
	PRIMARY KEY (body_id, part)
) WITHOUT ROWID;

-- The devices of a snapshot.
CREATE TABLE IF NOT EXISTS device_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	body_id INTEGER NOT NULL REFERENCES device_body, -- device
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	seen_at TEXT,                                   -- "DR path 0,1,10" or "file.txt:120"
	lft INTEGER REFERENCES lft_body,                -- linear forwarding table
	mft INTEGER REFERENCES block,                   -- multicast forwarding table
	PRIMARY KEY (snapshot_id, body_id)
) WITHOUT ROWID;

-- Counters of a port: they differ every night. NULL: not read.
CREATE TABLE IF NOT EXISTS counter_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	body_id INTEGER NOT NULL REFERENCES device_body, -- device
	port INTEGER NOT NULL,                          -- port number
	read_at INTEGER,                                -- UTC seconds
	saturated INTEGER NOT NULL,                     -- bit per counter below, from 0: at its maximum
	symbol_error INTEGER,                           -- SymbolErrorCounter: events
	link_error_recovery INTEGER,                    -- LinkErrorRecoveryCounter: events
	link_downed INTEGER,                            -- LinkDownedCounter: events
	rcv_errors INTEGER,                             -- PortRcvErrors: packets
	rcv_remote_physical_errors INTEGER,             -- PortRcvRemotePhysicalErrors: packets
	rcv_switch_relay_errors INTEGER,                -- PortRcvSwitchRelayErrors: packets
	xmit_discards INTEGER,                          -- PortXmitDiscards: packets
	xmit_constraint_errors INTEGER,                 -- PortXmitConstraintErrors: packets
	rcv_constraint_errors INTEGER,                  -- PortRcvConstraintErrors: packets
	local_link_integrity_errors INTEGER,            -- LocalLinkIntegrityErrors: events
	excessive_buffer_overrun_errors INTEGER,        -- ExcessiveBufferOverrunErrors: events
	vl15_dropped INTEGER,                           -- VL15Dropped: packets
	qp1_dropped INTEGER,                            -- QP1Dropped: packets
	xmit_data INTEGER,                              -- PortXmitData: 4-byte words
	rcv_data INTEGER,                               -- PortRcvData: 4-byte words
	xmit_pkts INTEGER,                              -- PortXmitPkts: packets
	rcv_pkts INTEGER,                               -- PortRcvPkts: packets
	xmit_wait INTEGER,                              -- PortXmitWait: ticks of the port's own clock
	unicast_xmit_pkts INTEGER,                      -- PortUnicastXmitPkts: packets
	unicast_rcv_pkts INTEGER,                       -- PortUnicastRcvPkts: packets
	multicast_xmit_pkts INTEGER,                    -- PortMulticastXmitPkts: packets
	multicast_rcv_pkts INTEGER,                     -- PortMulticastRcvPkts: packets
	local_physical_errors INTEGER,                  -- PortLocalPhysicalErrors: packets
	malformed_packet_errors INTEGER,                -- PortMalformedPacketErrors: packets
	buffer_overrun_errors INTEGER,                  -- PortBufferOverrunErrors: packets
	dlid_mapping_errors INTEGER,                    -- PortDLIDMappingErrors: packets
	vl_mapping_errors INTEGER,                      -- PortVLMappingErrors: packets
	looping_errors INTEGER,                         -- PortLoopingErrors: packets
	inactive_discards INTEGER,                      -- PortInactiveDiscards: packets
	neighbor_mtu_discards INTEGER,                  -- PortNeighborMTUDiscards: packets
	sw_lifetime_limit_discards INTEGER,             -- PortSwLifetimeLimitDiscards: packets
	sw_hoq_lifetime_limit_discards INTEGER,         -- PortSwHOQLifetimeLimitDiscards: packets
	PRIMARY KEY (snapshot_id, body_id, port)
) WITHOUT ROWID;

-- Asked for and not here.
CREATE TABLE IF NOT EXISTS hole_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	body_id INTEGER REFERENCES device_body,         -- device asked, NULL: not even NodeInfo came
	port INTEGER,                                   -- port number, NULL: the device as a whole
	attribute INTEGER NOT NULL,                     -- word list 'attribute'
	reason INTEGER NOT NULL,                        -- word list 'hole_reason'
	status INTEGER NOT NULL,                        -- MAD status, 0 unless the reason is status
	behind_body INTEGER REFERENCES device_body,     -- device of the last known port on the way
	behind_port INTEGER,                            -- that port
	text TEXT,                                      -- detail
	source INTEGER,                                 -- source_row.seq, NULL: none
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- Lines of files that were not understood; the first ones.
CREATE TABLE IF NOT EXISTS odd_line_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	source INTEGER,                                 -- source_row.seq, NULL: none
	line INTEGER NOT NULL,                          -- from 1
	text TEXT,                                      -- the line, at most 200 bytes
	reason TEXT,                                    -- why
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- Two sources, or two lines of one, that say different things of one fact.
CREATE TABLE IF NOT EXISTS contradiction_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	body_id INTEGER REFERENCES device_body,         -- device, NULL: none
	port INTEGER,                                   -- port number, NULL: the device as a whole
	fact TEXT,                                      -- column, "link", "description", ...
	kept TEXT,                                      -- value used
	kept_source INTEGER,                            -- its source
	other TEXT,                                     -- value not used
	other_source INTEGER,                           -- its source
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- Proofs that one GUID has two owners.
CREATE TABLE IF NOT EXISTS guid_conflict_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	guid INTEGER,                                   -- GUID
	is_port_guid INTEGER NOT NULL,                  -- 1: a port GUID, 0: a node GUID
	a_body INTEGER REFERENCES device_body,          -- device of the port that leads to one of them
	a_port INTEGER,                                 -- that port
	b_body INTEGER REFERENCES device_body,          -- device of the port that leads to the other
	b_port INTEGER,                                 -- that port
	detail TEXT,                                    -- what was seen where
	source INTEGER,                                 -- source_row.seq, NULL: none
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- Subnet managers that answered.
CREATE TABLE IF NOT EXISTS sm_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	body_id INTEGER REFERENCES device_body,         -- device, NULL: only the GUID is known
	port INTEGER,                                   -- port it answers on
	port_guid INTEGER,                              -- its GUID
	lid INTEGER,                                    -- LID
	priority INTEGER,                               -- 0..15
	state INTEGER,                                  -- word list 'sm_state'
	act_count INTEGER,                              -- activity count
	source INTEGER,                                 -- source_row.seq, NULL: none
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- GID table entries as a host tells them.
CREATE TABLE IF NOT EXISTS host_gid_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	host TEXT,                                      -- host name
	device TEXT,                                    -- "mlx5_0"
	port INTEGER NOT NULL,                          -- port of that device
	gid_index INTEGER NOT NULL,                     -- index in the table
	gid BLOB NOT NULL,                              -- 16 bytes, network order
	type TEXT,                                      -- "IB", "RoCE v1", "RoCE v2", NULL: the kernel refused
	netdev TEXT,                                    -- network device
	port_guid INTEGER,                              -- port GUID
	source INTEGER,                                 -- source_row.seq, NULL: none
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- Local ports as a host tells them.
CREATE TABLE IF NOT EXISTS host_port_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	host TEXT,                                      -- host name
	device TEXT,                                    -- "mlx5_0"
	port INTEGER NOT NULL,                          -- port of that device
	node_guid INTEGER,                              -- node GUID
	port_guid INTEGER,                              -- port GUID
	link_layer TEXT,                                -- "InfiniBand", "Ethernet"
	state INTEGER,                                  -- word list 'port_state'
	phys_state INTEGER,                             -- word list 'port_phys_state'
	rate_mbps INTEGER,                              -- Mb/s of the whole port
	width INTEGER,                                  -- lanes
	speed TEXT,                                     -- "NDR"
	lid INTEGER,                                    -- LID
	lmc INTEGER,                                    -- LMC
	sm_lid INTEGER,                                 -- LID of the master SM
	fw_version TEXT,                                -- firmware
	gid_slots INTEGER,                              -- places of the GID table that were read, empty ones too
	gids_unread INTEGER,                            -- places that are there and could not be read
	source INTEGER,                                 -- source_row.seq, NULL: none
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- Counters of a local port as its host reads them. NULL: not read.
CREATE TABLE IF NOT EXISTS host_counter_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- host_port_row.seq
	read_at INTEGER,                                -- UTC seconds
	saturated INTEGER NOT NULL,                     -- bit per counter below, from 0: at its maximum
	symbol_error INTEGER,                           -- SymbolErrorCounter: events
	link_error_recovery INTEGER,                    -- LinkErrorRecoveryCounter: events
	link_downed INTEGER,                            -- LinkDownedCounter: events
	rcv_errors INTEGER,                             -- PortRcvErrors: packets
	rcv_remote_physical_errors INTEGER,             -- PortRcvRemotePhysicalErrors: packets
	rcv_switch_relay_errors INTEGER,                -- PortRcvSwitchRelayErrors: packets
	xmit_discards INTEGER,                          -- PortXmitDiscards: packets
	xmit_constraint_errors INTEGER,                 -- PortXmitConstraintErrors: packets
	rcv_constraint_errors INTEGER,                  -- PortRcvConstraintErrors: packets
	local_link_integrity_errors INTEGER,            -- LocalLinkIntegrityErrors: events
	excessive_buffer_overrun_errors INTEGER,        -- ExcessiveBufferOverrunErrors: events
	vl15_dropped INTEGER,                           -- VL15Dropped: packets
	qp1_dropped INTEGER,                            -- QP1Dropped: packets
	xmit_data INTEGER,                              -- PortXmitData: 4-byte words
	rcv_data INTEGER,                               -- PortRcvData: 4-byte words
	xmit_pkts INTEGER,                              -- PortXmitPkts: packets
	rcv_pkts INTEGER,                               -- PortRcvPkts: packets
	xmit_wait INTEGER,                              -- PortXmitWait: ticks of the port's own clock
	unicast_xmit_pkts INTEGER,                      -- PortUnicastXmitPkts: packets
	unicast_rcv_pkts INTEGER,                       -- PortUnicastRcvPkts: packets
	multicast_xmit_pkts INTEGER,                    -- PortMulticastXmitPkts: packets
	multicast_rcv_pkts INTEGER,                     -- PortMulticastRcvPkts: packets
	local_physical_errors INTEGER,                  -- PortLocalPhysicalErrors: packets
	malformed_packet_errors INTEGER,                -- PortMalformedPacketErrors: packets
	buffer_overrun_errors INTEGER,                  -- PortBufferOverrunErrors: packets
	dlid_mapping_errors INTEGER,                    -- PortDLIDMappingErrors: packets
	vl_mapping_errors INTEGER,                      -- PortVLMappingErrors: packets
	looping_errors INTEGER,                         -- PortLoopingErrors: packets
	inactive_discards INTEGER,                      -- PortInactiveDiscards: packets
	neighbor_mtu_discards INTEGER,                  -- PortNeighborMTUDiscards: packets
	sw_lifetime_limit_discards INTEGER,             -- PortSwLifetimeLimitDiscards: packets
	sw_hoq_lifetime_limit_discards INTEGER,         -- PortSwHOQLifetimeLimitDiscards: packets
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- Facts with no column of their own (cables, temperatures) of one place from one source, by content.
CREATE TABLE IF NOT EXISTS fact_body (
	id INTEGER PRIMARY KEY,                         -- body
	hash INTEGER NOT NULL,                          -- XXH3 of all that follows and of the parts
	port INTEGER,                                   -- port number, NULL: the device as a whole
	section TEXT,                                   -- "cable", "temperature", ...
	source INTEGER                                  -- source_row.seq, NULL: none
);

CREATE INDEX IF NOT EXISTS fact_body_hash ON fact_body (hash);

-- One fact of a fact_body.
CREATE TABLE IF NOT EXISTS fact_part (
	body_id INTEGER NOT NULL REFERENCES fact_body,  -- its body
	part INTEGER NOT NULL,                          -- place in it, from 0
	key TEXT,                                       -- name
	value TEXT,                                     -- as it came, blanks trimmed
	PRIMARY KEY (body_id, part)
) WITHOUT ROWID;

-- Which facts a snapshot has, on which device.
CREATE TABLE IF NOT EXISTS fact_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	device INTEGER REFERENCES device_body,          -- device, NULL: fabric-wide
	body_id INTEGER NOT NULL REFERENCES fact_body,  -- facts
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- Cables somebody planned, names as written there.
CREATE TABLE IF NOT EXISTS planned_link_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	node_a TEXT,                                    -- one end
	port_a TEXT,                                    -- its port
	node_b TEXT,                                    -- other end
	port_b TEXT,                                    -- its port
	detail TEXT,                                    -- speed, length, what the file adds
	source INTEGER,                                 -- source_row.seq, NULL: none
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- Keys of opensm.conf, as written and as held. Secrets are "(hidden)".
CREATE TABLE IF NOT EXISTS option_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	key TEXT,                                       -- key
	raw TEXT,                                       -- value as written, NULL: not written
	effective TEXT,                                 -- value in force, NULL: unset
	line INTEGER NOT NULL,                          -- line that won, 0: a default
	source INTEGER,                                 -- source_row.seq, NULL: none
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- The qos-policy.conf as a tree of its own words.
CREATE TABLE IF NOT EXISTS policy_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	parent INTEGER,                                 -- seq of the section around it; NULL: this is the file, whose sections have 1
	keyword TEXT,                                   -- section, keyword, or the words of a ULP rule
	value TEXT,                                     -- NULL for a section
	line INTEGER NOT NULL,                          -- line in the file
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- Partitions as OpenSM would build them.
CREATE TABLE IF NOT EXISTS partition_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	name TEXT,                                      -- name
	pkey INTEGER NOT NULL,                          -- 15 bits
	ipoib INTEGER NOT NULL,                         -- 1: with an IPoIB broadcast group
	mtu_code INTEGER,                               -- as asked
	rate_code INTEGER,                              -- as asked
	sl INTEGER,                                     -- as asked
	line INTEGER NOT NULL,                          -- 0: implied
	source INTEGER,                                 -- source_row.seq, NULL: none
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- Members of the partitions.
CREATE TABLE IF NOT EXISTS partition_member_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	partition INTEGER NOT NULL,                     -- partition_row.seq
	seq INTEGER NOT NULL,                           -- place in its list, from 1
	kind INTEGER NOT NULL,                          -- word list 'member_kind'
	guid INTEGER,                                   -- port GUID, for kind guid
	membership INTEGER NOT NULL,                    -- word list 'membership'
	line INTEGER NOT NULL,                          -- 0: implied
	PRIMARY KEY (snapshot_id, partition, seq)
) WITHOUT ROWID;

-- What opensm.log tells that a rule can rest on; equal events are folded.
CREATE TABLE IF NOT EXISTS log_event_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	kind INTEGER NOT NULL,                          -- word list 'log_event'
	error TEXT,                                     -- "0D01"
	text TEXT,                                      -- its words
	guid INTEGER,                                   -- GUID concerned
	guid_a INTEGER,                                 -- one remote end
	guid_b INTEGER,                                 -- other remote end
	port INTEGER,                                   -- port concerned
	port_a INTEGER,                                 -- port of guid_a
	port_b INTEGER,                                 -- port of guid_b
	first_time TEXT,                                -- as the log writes it
	last_time TEXT,                                 -- as the log writes it
	first_line INTEGER NOT NULL,                    -- line
	last_line INTEGER NOT NULL,                     -- line
	count INTEGER NOT NULL,                         -- how often
	source INTEGER,                                 -- source_row.seq, NULL: none
	run INTEGER NOT NULL DEFAULT 0,                 -- word list 'log_run'
	run_until TEXT,                                 -- last time of a run that ended
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- What is wrong with the configuration files.
CREATE TABLE IF NOT EXISTS config_problem_row (
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	seq INTEGER NOT NULL,                           -- place in the list, from 1
	problem TEXT,                                   -- "lookalike-boolean", "unknown-key", ...
	key TEXT,                                       -- option, level, group or partition
	text TEXT,                                      -- sentence
	remedy TEXT,                                    -- what to do
	severity INTEGER NOT NULL,                      -- word list 'severity'
	line INTEGER NOT NULL,                          -- line in the file
	source INTEGER,                                 -- source_row.seq, NULL: none
	PRIMARY KEY (snapshot_id, seq)
) WITHOUT ROWID;

-- One run of the rules over a snapshot.
CREATE TABLE IF NOT EXISTS audit_row (
	id INTEGER PRIMARY KEY AUTOINCREMENT,           -- never used again
	snapshot_id INTEGER NOT NULL REFERENCES snapshot_row, -- snapshot
	baseline_id INTEGER,                            -- snapshot it was compared with, NULL: none
	audited_at INTEGER NOT NULL,                    -- UTC seconds
	info INTEGER NOT NULL,                          -- findings of this severity, gone ones left out
	warning INTEGER NOT NULL,                       -- findings of this severity, gone ones left out
	error INTEGER NOT NULL,                         -- findings of this severity, gone ones left out
	critical INTEGER NOT NULL,                      -- findings of this severity, gone ones left out
	program TEXT NOT NULL                           -- version of ibaudit that ran them
);

CREATE INDEX IF NOT EXISTS audit_row_snapshot ON audit_row (snapshot_id);

-- How far each rule could look.
CREATE TABLE IF NOT EXISTS verdict_row (
	audit_id INTEGER NOT NULL REFERENCES audit_row, -- audit
	seq INTEGER NOT NULL,                           -- order of the rules, from 1
	rule TEXT NOT NULL,                             -- rule id
	kind INTEGER NOT NULL,                          -- word list 'verdict'
	reason TEXT,                                    -- why not, or what was left out
	findings INTEGER NOT NULL,                      -- number of findings
	PRIMARY KEY (audit_id, seq)
) WITHOUT ROWID;

-- A finding by content.
CREATE TABLE IF NOT EXISTS finding_body (
	id INTEGER PRIMARY KEY,                         -- body
	hash INTEGER NOT NULL,                          -- XXH3 of all that follows and of the parts
	rule TEXT NOT NULL,                             -- rule id
	severity INTEGER NOT NULL,                      -- word list 'severity'
	node_guid INTEGER,                              -- device, NULL: the fabric or a file
	port INTEGER,                                   -- port number, NULL: the device as a whole
	discriminator TEXT,                             -- cause within the rule
	subject TEXT,                                   -- where
	message TEXT,                                   -- what is wrong
	remedy TEXT,                                    -- what to do, NULL: the rule's own remedy
	source TEXT                                     -- what it rests on
);

CREATE INDEX IF NOT EXISTS finding_body_hash ON finding_body (hash);

-- Evidence of a finding_body.
CREATE TABLE IF NOT EXISTS evidence_part (
	body_id INTEGER NOT NULL REFERENCES finding_body, -- finding
	part INTEGER NOT NULL,                          -- place in it, from 0
	key TEXT,                                       -- name
	value TEXT,                                     -- value
	PRIMARY KEY (body_id, part)
) WITHOUT ROWID;

-- Which findings an audit has.
CREATE TABLE IF NOT EXISTS finding_row (
	audit_id INTEGER NOT NULL REFERENCES audit_row, -- audit
	seq INTEGER NOT NULL,                           -- place in the report, from 1
	body_id INTEGER NOT NULL REFERENCES finding_body, -- finding
	status INTEGER NOT NULL,                        -- word list 'finding_status'
	PRIMARY KEY (audit_id, seq)
) WITHOUT ROWID;

-- The public face. Columns are described in doc/schema.md.

CREATE VIEW IF NOT EXISTS snapshot AS
SELECT
	s.id AS snapshot_id, s.taken_at, datetime(s.taken_at, 'unixepoch') AS taken_at_utc,
	s.stored_at, coalesce((SELECT shown FROM foreign_text WHERE raw = s.site), s.site) AS site,
	coalesce((SELECT shown FROM foreign_text WHERE raw = s.label), s.label) AS label, s.live,
	s.partial, s.devices, s.switches, s.cas, s.routers, s.links, s.holes, s.program
FROM snapshot_row s;

CREATE VIEW IF NOT EXISTS source AS
SELECT
	s.snapshot_id, s.seq AS source,
	(SELECT name FROM word WHERE list = 'source_kind' AND code = s.kind) AS kind,
	coalesce((SELECT shown FROM foreign_text WHERE raw = s.name), s.name) AS name,
	coalesce((SELECT shown FROM foreign_text WHERE raw = s.format), s.format) AS format,
	s.taken_at, s.rows, s.odd_rows,
	coalesce((SELECT shown FROM foreign_text WHERE raw = s.detail), s.detail) AS detail
FROM source_row s;

CREATE VIEW IF NOT EXISTS node AS
SELECT
	r.snapshot_id, printf('0x%016x', b.node_guid) AS node_guid, b.twin,
	(SELECT name FROM word WHERE list = 'node_type' AND code = b.node_type) AS node_type,
	coalesce((SELECT shown FROM foreign_text WHERE raw = b.description), b.description) AS description,
	coalesce((SELECT shown FROM foreign_text WHERE raw = b.alias), b.alias) AS alias,
	CASE WHEN b.system_image_guid IS NOT NULL THEN printf('0x%016x', b.system_image_guid) END AS system_image_guid,
	coalesce((SELECT shown FROM foreign_text WHERE raw = b.fw_version), b.fw_version) AS fw_version,
	coalesce((SELECT shown FROM foreign_text WHERE raw = b.psid), b.psid) AS psid,
	coalesce((SELECT shown FROM foreign_text WHERE raw = r.seen_at), r.seen_at) AS seen_at,
	b.base_version, b.class_version, b.num_ports, b.partition_cap, b.device_id, b.revision,
	b.vendor_id
FROM device_row r JOIN device_body b ON b.id = r.body_id;

CREATE VIEW IF NOT EXISTS switch AS
SELECT
	r.snapshot_id, printf('0x%016x', b.node_guid) AS node_guid, b.twin,
	coalesce((SELECT shown FROM foreign_text WHERE raw = b.description), b.description) AS description,
	coalesce((SELECT shown FROM foreign_text WHERE raw = b.alias), b.alias) AS alias,
	b.linear_fdb_cap, b.random_fdb_cap, b.multicast_fdb_cap, b.linear_fdb_top, b.default_port,
	b.default_mcast_primary_port, b.default_mcast_not_primary_port, b.life_time_value,
	b.port_state_change, b.optimized_sl2vl_mapping, b.lids_per_port,
	b.partition_enforcement_cap, b.inbound_enforcement_cap, b.outbound_enforcement_cap,
	b.filter_raw_inbound_cap, b.filter_raw_outbound_cap, b.enhanced_port0, b.multicast_fdb_top
FROM device_row r JOIN device_body b ON b.id = r.body_id
WHERE b.node_type = 2;

CREATE VIEW IF NOT EXISTS port AS
SELECT
	r.snapshot_id, printf('0x%016x', b.node_guid) AS node_guid, b.twin, p.part AS port,
	CASE WHEN p.port_guid IS NOT NULL THEN printf('0x%016x', p.port_guid) END AS port_guid,
	CASE WHEN p.peer_guid IS NOT NULL THEN printf('0x%016x', p.peer_guid) END AS peer_node_guid,
	p.peer_twin, p.peer_port, p.lid, p.lmc, p.sm_lid, p.sm_sl,
	CASE WHEN p.gid_prefix IS NOT NULL THEN printf('0x%016x', p.gid_prefix) END AS gid_prefix,
	p.capability_mask, p.capability_mask2, p.diag_code, p.m_key_lease_period,
	p.m_key_protect_bits, p.link_width_active, p.link_width_supported, p.link_width_enabled,
	p.link_speed_active,
	(SELECT name FROM word WHERE list = 'speed' AND code = p.link_speed_active) AS link_speed_name,
	p.link_speed_code, p.link_speed_supported, p.link_speed_enabled, p.port_state,
	(SELECT name FROM word WHERE list = 'port_state' AND code = p.port_state) AS port_state_name,
	p.port_phys_state,
	(SELECT name FROM word WHERE list = 'port_phys_state' AND code = p.port_phys_state) AS port_phys_state_name,
	p.link_down_default, p.neighbor_mtu, p.mtu_cap, p.vl_cap, p.oper_vls, p.vl_high_limit,
	p.vlarb_high_cap, p.vlarb_low_cap, p.vl_stall_count, p.hoq_life, p.init_type,
	p.init_type_reply, p.partition_enforcement_inbound, p.partition_enforcement_outbound,
	p.filter_raw_inbound, p.filter_raw_outbound, p.m_key_violations, p.p_key_violations,
	p.q_key_violations, p.guid_cap, p.client_reregister, p.mcast_pkey_trap_suppression,
	p.subnet_timeout, p.resp_time_value, p.local_phy_errors, p.overrun_errors,
	p.max_credit_hint, p.link_round_trip_latency
FROM device_row r JOIN device_body b ON b.id = r.body_id
JOIN port_part p ON p.body_id = b.id;

-- Each link once; a link that one end alone tells too.
CREATE VIEW IF NOT EXISTS link AS
SELECT
	r.snapshot_id, printf('0x%016x', b.node_guid) AS node_guid, b.twin, p.part AS port,
	coalesce((SELECT shown FROM foreign_text WHERE raw = coalesce(b.alias, b.description)), coalesce(b.alias, b.description)) AS name,
	CASE WHEN p.peer_guid IS NOT NULL THEN printf('0x%016x', p.peer_guid) END AS peer_node_guid,
	p.peer_twin, p.peer_port,
	(SELECT coalesce((SELECT shown FROM foreign_text WHERE raw = coalesce(q.alias, q.description)), coalesce(q.alias, q.description))
	 FROM device_body q JOIN device_row o ON o.body_id = q.id AND o.snapshot_id = r.snapshot_id
	 WHERE q.node_guid = p.peer_guid AND q.twin = p.peer_twin) AS peer_name,
	p.peer_both AS seen_from_both, p.port_state,
	(SELECT name FROM word WHERE list = 'port_state' AND code = p.port_state) AS port_state_name,
	p.link_width_active, p.link_speed_active,
	(SELECT name FROM word WHERE list = 'speed' AND code = p.link_speed_active) AS link_speed_name
FROM device_row r JOIN device_body b ON b.id = r.body_id
JOIN port_part p ON p.body_id = b.id
WHERE p.peer_guid IS NOT NULL AND p.peer_both IS NOT NULL
  AND (p.peer_both = 0 OR (b.node_guid, b.twin, p.part) <= (p.peer_guid, p.peer_twin, p.peer_port));

-- Entries that were read, up to LinearFDBTop. Filter by node_guid: this is large.
CREATE VIEW IF NOT EXISTS lft AS
SELECT
	r.snapshot_id, printf('0x%016x', b.node_guid) AS node_guid, b.twin,
	f.part * 960 + hi.value * 256 + lo.value AS lid, e.value AS out_port
FROM device_row r JOIN device_body b ON b.id = r.body_id
JOIN lft_part f ON f.body_id = r.lft
JOIN block k ON k.id = f.block
JOIN byte hi ON hi.value < 4
JOIN byte lo ON hi.value * 256 + lo.value < length(k.data)
JOIN byte e ON e.hex = hex(substr(k.data, hi.value * 256 + lo.value + 1, 1))
WHERE f.known >> ((hi.value * 256 + lo.value) / 64) & 1
  AND (b.linear_fdb_top IS NULL OR f.part * 960 + hi.value * 256 + lo.value <= b.linear_fdb_top);

CREATE VIEW IF NOT EXISTS mft AS
SELECT
	r.snapshot_id, printf('0x%016x', b.node_guid) AS node_guid, b.twin,
	'0x' || lower(hex(substr(k.data, (hi.value * 256 + lo.value) * (w.value + 2) + 2, 2))) AS mlid,
	octet.value * 8 + bit.value AS out_port
FROM device_row r JOIN device_body b ON b.id = r.body_id
JOIN block k ON k.id = r.mft
JOIN byte w ON w.hex = hex(substr(k.data, 1, 1))
JOIN byte hi ON hi.value * 256 * (w.value + 2) < length(k.data) - 1
JOIN byte lo ON (hi.value * 256 + lo.value) * (w.value + 2) < length(k.data) - 1
JOIN byte octet ON octet.value < w.value
JOIN byte bit ON bit.value < 8
JOIN byte e ON e.hex = hex(substr(k.data, (hi.value * 256 + lo.value) * (w.value + 2) + 4 + octet.value, 1))
WHERE e.value >> bit.value & 1;

CREATE VIEW IF NOT EXISTS sl2vl AS
SELECT
	r.snapshot_id, printf('0x%016x', b.node_guid) AS node_guid, b.twin, p.part AS port,
	in_first.value AS in_first, in_last.value AS in_last, sl.value AS sl, e.value AS vl
FROM device_row r JOIN device_body b ON b.id = r.body_id
JOIN port_part p ON p.body_id = b.id
JOIN block k ON k.id = p.sl2vl
JOIN byte run ON run.value * 18 < length(k.data)
JOIN byte sl ON sl.value < 16
JOIN byte in_first ON in_first.hex = hex(substr(k.data, run.value * 18 + 1, 1))
JOIN byte in_last ON in_last.hex = hex(substr(k.data, run.value * 18 + 2, 1))
JOIN byte e ON e.hex = hex(substr(k.data, run.value * 18 + 3 + sl.value, 1));

CREATE VIEW IF NOT EXISTS vlarb AS
SELECT
	r.snapshot_id, printf('0x%016x', b.node_guid) AS node_guid, b.twin, p.part AS port,
	CASE side.value WHEN 0 THEN 'high' ELSE 'low' END AS priority, n.value AS position,
	vl.value AS vl, weight.value AS weight
FROM device_row r JOIN device_body b ON b.id = r.body_id
JOIN port_part p ON p.body_id = b.id
JOIN byte side ON side.value < 2
JOIN block k ON k.id = CASE side.value WHEN 0 THEN p.vlarb_high ELSE p.vlarb_low END
JOIN byte n ON n.value * 2 < length(k.data)
JOIN byte vl ON vl.hex = hex(substr(k.data, n.value * 2 + 1, 1))
JOIN byte weight ON weight.hex = hex(substr(k.data, n.value * 2 + 2, 1));

CREATE VIEW IF NOT EXISTS pkey AS
SELECT
	r.snapshot_id, printf('0x%016x', b.node_guid) AS node_guid, b.twin, p.part AS port,
	hi.value * 256 + lo.value AS position,
	'0x' || lower(hex(substr(k.data, (hi.value * 256 + lo.value) * 2 + 1, 2))) AS pkey,
	CASE WHEN hex(substr(k.data, (hi.value * 256 + lo.value) * 2 + 1, 1)) >= '80' THEN 'full' ELSE 'limited' END AS membership
FROM device_row r JOIN device_body b ON b.id = r.body_id
JOIN port_part p ON p.body_id = b.id
JOIN block k ON k.id = p.pkeys
JOIN byte hi ON hi.value * 256 * 2 < length(k.data)
JOIN byte lo ON (hi.value * 256 + lo.value) * 2 < length(k.data);

CREATE VIEW IF NOT EXISTS guid AS
SELECT
	r.snapshot_id, printf('0x%016x', b.node_guid) AS node_guid, b.twin, p.part AS port,
	hi.value * 256 + lo.value AS position,
	'0x' || lower(hex(substr(k.data, (hi.value * 256 + lo.value) * 8 + 1, 8))) AS guid
FROM device_row r JOIN device_body b ON b.id = r.body_id
JOIN port_part p ON p.body_id = b.id
JOIN block k ON k.id = p.guids
JOIN byte hi ON hi.value * 256 * 8 < length(k.data)
JOIN byte lo ON (hi.value * 256 + lo.value) * 8 < length(k.data);

-- Which source told which group of facts.
CREATE VIEW IF NOT EXISTS fact_source AS
SELECT
	r.snapshot_id, printf('0x%016x', b.node_guid) AS node_guid, b.twin, x.port,
	(SELECT name FROM word WHERE list = 'attribute' AND code = n.value) AS attribute,
	high.value * 256 + low.value AS source
FROM device_row r
JOIN device_body b ON b.id = r.body_id
JOIN (SELECT id AS body_id, NULL AS port, sources FROM device_body
      UNION ALL SELECT body_id, part, sources FROM port_part) x ON x.body_id = b.id
JOIN block k ON k.id = x.sources
JOIN byte n ON n.value * 2 < length(k.data)
JOIN byte high ON high.hex = hex(substr(k.data, n.value * 2 + 1, 1))
JOIN byte low ON low.hex = hex(substr(k.data, n.value * 2 + 2, 1))
WHERE high.value + low.value > 0;

-- Of the fabric, and of hosts' own ports where the fabric gave none of them. A value beyond
-- 2^63 - 1 is shown as text.
CREATE VIEW IF NOT EXISTS counter AS
SELECT
	c.snapshot_id,
	CASE WHEN c.node_guid IS NOT NULL THEN printf('0x%016x', c.node_guid) END AS node_guid,
	c.twin, c.port,
	coalesce((SELECT shown FROM foreign_text WHERE raw = c.host), c.host) AS host,
	coalesce((SELECT shown FROM foreign_text WHERE raw = c.device), c.device) AS device, c.source,
	c.read_at,
	(SELECT group_concat(w.name, ' ') FROM word w
	 WHERE w.list = 'counter' AND c.saturated >> w.code & 1) AS saturated,
	CASE WHEN c.symbol_error < 0 THEN printf('%u', c.symbol_error) ELSE c.symbol_error END AS symbol_error,
	CASE WHEN c.link_error_recovery < 0 THEN printf('%u', c.link_error_recovery) ELSE c.link_error_recovery END AS link_error_recovery,
	CASE WHEN c.link_downed < 0 THEN printf('%u', c.link_downed) ELSE c.link_downed END AS link_downed,
	CASE WHEN c.rcv_errors < 0 THEN printf('%u', c.rcv_errors) ELSE c.rcv_errors END AS rcv_errors,
	CASE WHEN c.rcv_remote_physical_errors < 0 THEN printf('%u', c.rcv_remote_physical_errors) ELSE c.rcv_remote_physical_errors END AS rcv_remote_physical_errors,
	CASE WHEN c.rcv_switch_relay_errors < 0 THEN printf('%u', c.rcv_switch_relay_errors) ELSE c.rcv_switch_relay_errors END AS rcv_switch_relay_errors,
	CASE WHEN c.xmit_discards < 0 THEN printf('%u', c.xmit_discards) ELSE c.xmit_discards END AS xmit_discards,
	CASE WHEN c.xmit_constraint_errors < 0 THEN printf('%u', c.xmit_constraint_errors) ELSE c.xmit_constraint_errors END AS xmit_constraint_errors,
	CASE WHEN c.rcv_constraint_errors < 0 THEN printf('%u', c.rcv_constraint_errors) ELSE c.rcv_constraint_errors END AS rcv_constraint_errors,
	CASE WHEN c.local_link_integrity_errors < 0 THEN printf('%u', c.local_link_integrity_errors) ELSE c.local_link_integrity_errors END AS local_link_integrity_errors,
	CASE WHEN c.excessive_buffer_overrun_errors < 0 THEN printf('%u', c.excessive_buffer_overrun_errors) ELSE c.excessive_buffer_overrun_errors END AS excessive_buffer_overrun_errors,
	CASE WHEN c.vl15_dropped < 0 THEN printf('%u', c.vl15_dropped) ELSE c.vl15_dropped END AS vl15_dropped,
	CASE WHEN c.qp1_dropped < 0 THEN printf('%u', c.qp1_dropped) ELSE c.qp1_dropped END AS qp1_dropped,
	CASE WHEN c.xmit_data < 0 THEN printf('%u', c.xmit_data) ELSE c.xmit_data END AS xmit_data,
	CASE WHEN c.rcv_data < 0 THEN printf('%u', c.rcv_data) ELSE c.rcv_data END AS rcv_data,
	CASE WHEN c.xmit_pkts < 0 THEN printf('%u', c.xmit_pkts) ELSE c.xmit_pkts END AS xmit_pkts,
	CASE WHEN c.rcv_pkts < 0 THEN printf('%u', c.rcv_pkts) ELSE c.rcv_pkts END AS rcv_pkts,
	CASE WHEN c.xmit_wait < 0 THEN printf('%u', c.xmit_wait) ELSE c.xmit_wait END AS xmit_wait,
	CASE WHEN c.unicast_xmit_pkts < 0 THEN printf('%u', c.unicast_xmit_pkts) ELSE c.unicast_xmit_pkts END AS unicast_xmit_pkts,
	CASE WHEN c.unicast_rcv_pkts < 0 THEN printf('%u', c.unicast_rcv_pkts) ELSE c.unicast_rcv_pkts END AS unicast_rcv_pkts,
	CASE WHEN c.multicast_xmit_pkts < 0 THEN printf('%u', c.multicast_xmit_pkts) ELSE c.multicast_xmit_pkts END AS multicast_xmit_pkts,
	CASE WHEN c.multicast_rcv_pkts < 0 THEN printf('%u', c.multicast_rcv_pkts) ELSE c.multicast_rcv_pkts END AS multicast_rcv_pkts,
	CASE WHEN c.local_physical_errors < 0 THEN printf('%u', c.local_physical_errors) ELSE c.local_physical_errors END AS local_physical_errors,
	CASE WHEN c.malformed_packet_errors < 0 THEN printf('%u', c.malformed_packet_errors) ELSE c.malformed_packet_errors END AS malformed_packet_errors,
	CASE WHEN c.buffer_overrun_errors < 0 THEN printf('%u', c.buffer_overrun_errors) ELSE c.buffer_overrun_errors END AS buffer_overrun_errors,
	CASE WHEN c.dlid_mapping_errors < 0 THEN printf('%u', c.dlid_mapping_errors) ELSE c.dlid_mapping_errors END AS dlid_mapping_errors,
	CASE WHEN c.vl_mapping_errors < 0 THEN printf('%u', c.vl_mapping_errors) ELSE c.vl_mapping_errors END AS vl_mapping_errors,
	CASE WHEN c.looping_errors < 0 THEN printf('%u', c.looping_errors) ELSE c.looping_errors END AS looping_errors,
	CASE WHEN c.inactive_discards < 0 THEN printf('%u', c.inactive_discards) ELSE c.inactive_discards END AS inactive_discards,
	CASE WHEN c.neighbor_mtu_discards < 0 THEN printf('%u', c.neighbor_mtu_discards) ELSE c.neighbor_mtu_discards END AS neighbor_mtu_discards,
	CASE WHEN c.sw_lifetime_limit_discards < 0 THEN printf('%u', c.sw_lifetime_limit_discards) ELSE c.sw_lifetime_limit_discards END AS sw_lifetime_limit_discards,
	CASE WHEN c.sw_hoq_lifetime_limit_discards < 0 THEN printf('%u', c.sw_hoq_lifetime_limit_discards) ELSE c.sw_hoq_lifetime_limit_discards END AS sw_hoq_lifetime_limit_discards
FROM (
	SELECT
		r.snapshot_id, b.node_guid, b.twin, r.port, NULL AS host, NULL AS device, NULL AS source,
		r.read_at, r.saturated, r.symbol_error, r.link_error_recovery, r.link_downed,
		r.rcv_errors, r.rcv_remote_physical_errors, r.rcv_switch_relay_errors, r.xmit_discards,
		r.xmit_constraint_errors, r.rcv_constraint_errors, r.local_link_integrity_errors,
		r.excessive_buffer_overrun_errors, r.vl15_dropped, r.qp1_dropped, r.xmit_data,
		r.rcv_data, r.xmit_pkts, r.rcv_pkts, r.xmit_wait, r.unicast_xmit_pkts,
		r.unicast_rcv_pkts, r.multicast_xmit_pkts, r.multicast_rcv_pkts,
		r.local_physical_errors, r.malformed_packet_errors, r.buffer_overrun_errors,
		r.dlid_mapping_errors, r.vl_mapping_errors, r.looping_errors, r.inactive_discards,
		r.neighbor_mtu_discards, r.sw_lifetime_limit_discards, r.sw_hoq_lifetime_limit_discards
	FROM counter_row r JOIN device_body b ON b.id = r.body_id
	UNION ALL
	SELECT
		h.snapshot_id, h.node_guid, 0, h.port, h.host, h.device, h.source,
		r.read_at, r.saturated, r.symbol_error, r.link_error_recovery, r.link_downed,
		r.rcv_errors, r.rcv_remote_physical_errors, r.rcv_switch_relay_errors, r.xmit_discards,
		r.xmit_constraint_errors, r.rcv_constraint_errors, r.local_link_integrity_errors,
		r.excessive_buffer_overrun_errors, r.vl15_dropped, r.qp1_dropped, r.xmit_data,
		r.rcv_data, r.xmit_pkts, r.rcv_pkts, r.xmit_wait, r.unicast_xmit_pkts,
		r.unicast_rcv_pkts, r.multicast_xmit_pkts, r.multicast_rcv_pkts,
		r.local_physical_errors, r.malformed_packet_errors, r.buffer_overrun_errors,
		r.dlid_mapping_errors, r.vl_mapping_errors, r.looping_errors, r.inactive_discards,
		r.neighbor_mtu_discards, r.sw_lifetime_limit_discards, r.sw_hoq_lifetime_limit_discards
	FROM host_counter_row r JOIN host_port_row h ON h.snapshot_id = r.snapshot_id AND h.seq = r.seq
	WHERE NOT EXISTS (SELECT 1 FROM device_body b CROSS JOIN counter_row f
	                  WHERE b.node_guid = h.node_guid AND f.body_id = b.id
	                    AND f.snapshot_id = h.snapshot_id AND f.port = h.port)
) c;

CREATE VIEW IF NOT EXISTS hole AS
SELECT
	h.snapshot_id, h.seq AS position,
	CASE WHEN b.node_guid IS NOT NULL THEN printf('0x%016x', b.node_guid) END AS node_guid,
	b.twin, h.port,
	(SELECT name FROM word WHERE list = 'attribute' AND code = h.attribute) AS attribute,
	(SELECT name FROM word WHERE list = 'hole_reason' AND code = h.reason) AS reason, h.status,
	CASE WHEN v.node_guid IS NOT NULL THEN printf('0x%016x', v.node_guid) END AS behind_node_guid,
	v.twin AS behind_twin, h.behind_port,
	coalesce((SELECT shown FROM foreign_text WHERE raw = h.text), h.text) AS text, h.source
FROM hole_row h
LEFT JOIN device_body b ON b.id = h.body_id
LEFT JOIN device_body v ON v.id = h.behind_body;

CREATE VIEW IF NOT EXISTS odd_line AS
SELECT
	o.snapshot_id, o.seq AS position, o.source, o.line,
	coalesce((SELECT shown FROM foreign_text WHERE raw = o.text), o.text) AS text,
	coalesce((SELECT shown FROM foreign_text WHERE raw = o.reason), o.reason) AS reason
FROM odd_line_row o;

CREATE VIEW IF NOT EXISTS contradiction AS
SELECT
	c.snapshot_id, c.seq AS position,
	CASE WHEN b.node_guid IS NOT NULL THEN printf('0x%016x', b.node_guid) END AS node_guid,
	b.twin, c.port,
	coalesce((SELECT shown FROM foreign_text WHERE raw = c.fact), c.fact) AS fact,
	coalesce((SELECT shown FROM foreign_text WHERE raw = c.kept), c.kept) AS kept,
	c.kept_source,
	coalesce((SELECT shown FROM foreign_text WHERE raw = c.other), c.other) AS other,
	c.other_source
FROM contradiction_row c
LEFT JOIN device_body b ON b.id = c.body_id;

CREATE VIEW IF NOT EXISTS guid_conflict AS
SELECT
	g.snapshot_id, g.seq AS position,
	CASE WHEN g.guid IS NOT NULL THEN printf('0x%016x', g.guid) END AS guid, g.is_port_guid,
	CASE WHEN a.node_guid IS NOT NULL THEN printf('0x%016x', a.node_guid) END AS a_node_guid,
	a.twin AS a_twin, g.a_port,
	CASE WHEN b.node_guid IS NOT NULL THEN printf('0x%016x', b.node_guid) END AS b_node_guid,
	b.twin AS b_twin, g.b_port,
	coalesce((SELECT shown FROM foreign_text WHERE raw = g.detail), g.detail) AS detail,
	g.source
FROM guid_conflict_row g
LEFT JOIN device_body a ON a.id = g.a_body
LEFT JOIN device_body b ON b.id = g.b_body;

CREATE VIEW IF NOT EXISTS sm AS
SELECT
	s.snapshot_id, s.seq AS position,
	CASE WHEN b.node_guid IS NOT NULL THEN printf('0x%016x', b.node_guid) END AS node_guid,
	b.twin, s.port,
	CASE WHEN s.port_guid IS NOT NULL THEN printf('0x%016x', s.port_guid) END AS port_guid,
	s.lid, s.priority, s.state,
	(SELECT name FROM word WHERE list = 'sm_state' AND code = s.state) AS state_name,
	s.act_count, s.source
FROM sm_row s
LEFT JOIN device_body b ON b.id = s.body_id;

CREATE VIEW IF NOT EXISTS host_gid AS
SELECT
	g.snapshot_id, g.seq AS position,
	coalesce((SELECT shown FROM foreign_text WHERE raw = g.host), g.host) AS host,
	coalesce((SELECT shown FROM foreign_text WHERE raw = g.device), g.device) AS device, g.port,
	g.gid_index,
	lower(hex(substr(g.gid, 1, 2)) || ':' || hex(substr(g.gid, 3, 2)) || ':' || hex(substr(g.gid, 5, 2)) || ':' || hex(substr(g.gid, 7, 2)) || ':' || hex(substr(g.gid, 9, 2)) || ':' || hex(substr(g.gid, 11, 2)) || ':' || hex(substr(g.gid, 13, 2)) || ':' || hex(substr(g.gid, 15, 2))) AS gid,
	CASE
		WHEN hex(substr(g.gid, 1, 12)) = '00000000000000000000FFFF' THEN
			CASE
				WHEN hex(substr(g.gid, 13, 1)) IN ('00', '7F') OR hex(substr(g.gid, 13, 1)) >= 'E0' THEN 'nowhere'
				WHEN hex(substr(g.gid, 13, 2)) = 'A9FE' THEN 'link-local'
				ELSE 'routable'
			END
		WHEN hex(substr(g.gid, 1, 1)) = 'FF' THEN 'nowhere'
		WHEN hex(g.gid) IN ('00000000000000000000000000000000', '00000000000000000000000000000001') THEN 'nowhere'
		WHEN hex(substr(g.gid, 1, 2)) BETWEEN 'FE80' AND 'FEBF' THEN 'link-local'
		ELSE 'routable'
	END AS reach,
	coalesce((SELECT shown FROM foreign_text WHERE raw = g.type), g.type) AS type,
	coalesce((SELECT shown FROM foreign_text WHERE raw = g.netdev), g.netdev) AS netdev,
	CASE WHEN g.port_guid IS NOT NULL THEN printf('0x%016x', g.port_guid) END AS port_guid,
	g.source
FROM host_gid_row g;

CREATE VIEW IF NOT EXISTS host_port AS
SELECT
	h.snapshot_id, h.seq AS position,
	coalesce((SELECT shown FROM foreign_text WHERE raw = h.host), h.host) AS host,
	coalesce((SELECT shown FROM foreign_text WHERE raw = h.device), h.device) AS device, h.port,
	CASE WHEN h.node_guid IS NOT NULL THEN printf('0x%016x', h.node_guid) END AS node_guid,
	CASE WHEN h.port_guid IS NOT NULL THEN printf('0x%016x', h.port_guid) END AS port_guid,
	coalesce((SELECT shown FROM foreign_text WHERE raw = h.link_layer), h.link_layer) AS link_layer,
	h.state, (SELECT name FROM word WHERE list = 'port_state' AND code = h.state) AS state_name,
	h.phys_state,
	(SELECT name FROM word WHERE list = 'port_phys_state' AND code = h.phys_state) AS phys_state_name,
	h.rate_mbps, h.width,
	coalesce((SELECT shown FROM foreign_text WHERE raw = h.speed), h.speed) AS speed, h.lid,
	h.lmc, h.sm_lid,
	coalesce((SELECT shown FROM foreign_text WHERE raw = h.fw_version), h.fw_version) AS fw_version,
	h.gid_slots, h.gids_unread, h.source
FROM host_port_row h;

CREATE VIEW IF NOT EXISTS fact AS
SELECT
	r.snapshot_id,
	CASE WHEN b.node_guid IS NOT NULL THEN printf('0x%016x', b.node_guid) END AS node_guid,
	b.twin, f.port,
	coalesce((SELECT shown FROM foreign_text WHERE raw = f.section), f.section) AS section,
	coalesce((SELECT shown FROM foreign_text WHERE raw = p.key), p.key) AS key,
	coalesce((SELECT shown FROM foreign_text WHERE raw = p.value), p.value) AS value, f.source
FROM fact_row r
JOIN fact_body f ON f.id = r.body_id
JOIN fact_part p ON p.body_id = f.id
LEFT JOIN device_body b ON b.id = r.device;

CREATE VIEW IF NOT EXISTS planned_link AS
SELECT
	l.snapshot_id, l.seq AS position,
	coalesce((SELECT shown FROM foreign_text WHERE raw = l.node_a), l.node_a) AS node_a,
	coalesce((SELECT shown FROM foreign_text WHERE raw = l.port_a), l.port_a) AS port_a,
	coalesce((SELECT shown FROM foreign_text WHERE raw = l.node_b), l.node_b) AS node_b,
	coalesce((SELECT shown FROM foreign_text WHERE raw = l.port_b), l.port_b) AS port_b,
	coalesce((SELECT shown FROM foreign_text WHERE raw = l.detail), l.detail) AS detail,
	l.source
FROM planned_link_row l;

CREATE VIEW IF NOT EXISTS option AS
SELECT
	o.snapshot_id, coalesce((SELECT shown FROM foreign_text WHERE raw = o.key), o.key) AS key,
	coalesce((SELECT shown FROM foreign_text WHERE raw = o.raw), o.raw) AS raw,
	coalesce((SELECT shown FROM foreign_text WHERE raw = o.effective), o.effective) AS effective,
	o.line, o.source
FROM option_row o;

CREATE VIEW IF NOT EXISTS policy AS
SELECT
	p.snapshot_id, p.seq AS position, p.parent,
	coalesce((SELECT shown FROM foreign_text WHERE raw = p.keyword), p.keyword) AS keyword,
	coalesce((SELECT shown FROM foreign_text WHERE raw = p.value), p.value) AS value, p.line
FROM policy_row p
WHERE p.parent IS NOT NULL;

CREATE VIEW IF NOT EXISTS partition AS
SELECT
	p.snapshot_id, p.seq AS position,
	coalesce((SELECT shown FROM foreign_text WHERE raw = p.name), p.name) AS name,
	printf('0x%04x', p.pkey) AS pkey, p.ipoib, p.mtu_code, p.rate_code, p.sl, p.line, p.source
FROM partition_row p;

CREATE VIEW IF NOT EXISTS partition_member AS
SELECT
	m.snapshot_id, m.partition AS partition_position, printf('0x%04x', p.pkey) AS pkey,
	(SELECT name FROM word WHERE list = 'member_kind' AND code = m.kind) AS kind,
	CASE WHEN m.guid IS NOT NULL THEN printf('0x%016x', m.guid) END AS port_guid,
	(SELECT name FROM word WHERE list = 'membership' AND code = m.membership) AS membership,
	m.line
FROM partition_member_row m
JOIN partition_row p ON p.snapshot_id = m.snapshot_id AND p.seq = m.partition;

CREATE VIEW IF NOT EXISTS log_event AS
SELECT
	e.snapshot_id, e.seq AS position,
	(SELECT name FROM word WHERE list = 'log_event' AND code = e.kind) AS kind,
	coalesce((SELECT shown FROM foreign_text WHERE raw = e.error), e.error) AS error,
	coalesce((SELECT shown FROM foreign_text WHERE raw = e.text), e.text) AS text,
	CASE WHEN e.guid IS NOT NULL THEN printf('0x%016x', e.guid) END AS guid, e.port,
	CASE WHEN e.guid_a IS NOT NULL THEN printf('0x%016x', e.guid_a) END AS guid_a, e.port_a,
	CASE WHEN e.guid_b IS NOT NULL THEN printf('0x%016x', e.guid_b) END AS guid_b, e.port_b,
	coalesce((SELECT shown FROM foreign_text WHERE raw = e.first_time), e.first_time) AS first_time,
	coalesce((SELECT shown FROM foreign_text WHERE raw = e.last_time), e.last_time) AS last_time,
	e.first_line, e.last_line, e.count, e.source,
	(SELECT name FROM word WHERE list = 'log_run' AND code = e.run) AS run,
	coalesce((SELECT shown FROM foreign_text WHERE raw = e.run_until), e.run_until) AS run_until
FROM log_event_row e;

CREATE VIEW IF NOT EXISTS config_problem AS
SELECT
	p.snapshot_id, p.seq AS position,
	coalesce((SELECT shown FROM foreign_text WHERE raw = p.problem), p.problem) AS problem,
	coalesce((SELECT shown FROM foreign_text WHERE raw = p.key), p.key) AS key,
	(SELECT name FROM word WHERE list = 'severity' AND code = p.severity) AS severity,
	coalesce((SELECT shown FROM foreign_text WHERE raw = p.text), p.text) AS text,
	coalesce((SELECT shown FROM foreign_text WHERE raw = p.remedy), p.remedy) AS remedy, p.line,
	p.source
FROM config_problem_row p;

CREATE VIEW IF NOT EXISTS audit AS
SELECT
	a.snapshot_id, a.id AS audit_id, a.baseline_id, a.audited_at,
	datetime(a.audited_at, 'unixepoch') AS audited_at_utc, a.info, a.warning, a.error,
	a.critical, a.program
FROM audit_row a;

CREATE VIEW IF NOT EXISTS verdict AS
SELECT
	a.snapshot_id, v.audit_id, v.rule,
	(SELECT name FROM word WHERE list = 'verdict' AND code = v.kind) AS verdict,
	coalesce((SELECT shown FROM foreign_text WHERE raw = v.reason), v.reason) AS reason,
	v.findings
FROM verdict_row v JOIN audit_row a ON a.id = v.audit_id;

CREATE VIEW IF NOT EXISTS finding AS
SELECT
	a.snapshot_id, r.audit_id, r.seq AS position, f.rule,
	(SELECT name FROM word WHERE list = 'severity' AND code = f.severity) AS severity,
	(SELECT name FROM word WHERE list = 'finding_status' AND code = r.status) AS status,
	CASE WHEN f.node_guid IS NOT NULL THEN printf('0x%016x', f.node_guid) END AS node_guid,
	f.port,
	coalesce((SELECT shown FROM foreign_text WHERE raw = f.discriminator), f.discriminator) AS discriminator,
	coalesce((SELECT shown FROM foreign_text WHERE raw = f.subject), f.subject) AS subject,
	coalesce((SELECT shown FROM foreign_text WHERE raw = f.message), f.message) AS message,
	coalesce((SELECT shown FROM foreign_text WHERE raw = f.remedy), f.remedy) AS remedy,
	coalesce((SELECT shown FROM foreign_text WHERE raw = f.source), f.source) AS source
FROM finding_row r
JOIN audit_row a ON a.id = r.audit_id
JOIN finding_body f ON f.id = r.body_id;

CREATE VIEW IF NOT EXISTS evidence AS
SELECT
	a.snapshot_id, r.audit_id, r.seq AS finding_position,
	coalesce((SELECT shown FROM foreign_text WHERE raw = e.key), e.key) AS key,
	coalesce((SELECT shown FROM foreign_text WHERE raw = e.value), e.value) AS value
FROM finding_row r
JOIN audit_row a ON a.id = r.audit_id
JOIN evidence_part e ON e.body_id = r.body_id;
