/* Lines that turn out to be another node's: what they told is no fact. */
#ifndef COLLECTOR_IMPORT_TAKE_BACK_H
#define COLLECTOR_IMPORT_TAKE_BACK_H

#include "collector/import/format.h"

/*
 * Takes back what a line of this file told of the port's link: its neighbour, states,
 * width, speed, lanes and the facts beside it. What other files told last stays.
 */
void take_back_link(struct import *import, struct port *port);

#endif
