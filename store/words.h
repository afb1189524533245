/* Names of codes for the views: table word, filled from the functions that name them. */
#ifndef STORE_WORDS_H
#define STORE_WORDS_H

#include "store/store.h"

/* Adds the names that are not there yet; inside a transaction. */
int words_write(struct store *store, struct err *err);

#endif
