/* What one configuration file decides about another, once both were read. */
#ifndef COLLECTOR_IMPORT_CONFIG_CROSS_H
#define COLLECTOR_IMPORT_CONFIG_CROSS_H

#include "store/config.h"

/*
 * OpenSM refuses a whole policy whose ipoib rule names a P_Key without a
 * partition or with less than two full members (osm_qos_parser_y.y,
 * __validate_pkeys). To be called after either file was read; does nothing
 * until both are there. 0 or ERR_NOMEM.
 */
int config_cross_policy(struct config *config, struct err *err);

#endif
