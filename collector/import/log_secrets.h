/* Keys in the texts of opensm.log: they are secrets, and stay there. */
#ifndef COLLECTOR_IMPORT_LOG_SECRETS_H
#define COLLECTOR_IMPORT_LOG_SECRETS_H

/*
 * Puts "(hidden)" in the place of a number behind a word that ends in "key",
 * P_Key and Q_Key left alone.
 */
void log_hide_keys(char *text);

/* "... in field m_key, expected numeric input received: VALUE": takes the value off. */
void log_hide_value(char *text);

#endif
