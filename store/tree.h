/*
 * What a snapshot has that is more than one flat list: facts by place, the QoS
 * policy's tree, the partitions' members.
 */
#ifndef STORE_TREE_H
#define STORE_TREE_H

#include "store/column.h"

int facts_write(struct column_writer *writer, const struct fabric *fabric, int64_t snapshot_id,
		struct err *err);
int facts_read(struct column_reader *reader, int64_t snapshot_id, struct err *err);

/* The policy's root and members need the partitions' rows, which lists.h writes and reads. */
int policy_write(struct column_writer *writer, const struct fabric *fabric, int64_t snapshot_id,
		 struct err *err);
int policy_read(struct column_reader *reader, int64_t snapshot_id, struct err *err);

int members_write(struct column_writer *writer, const struct fabric *fabric, int64_t snapshot_id,
		  struct err *err);
int members_read(struct column_reader *reader, int64_t snapshot_id, struct err *err);

#endif
