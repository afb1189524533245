/*
 * Room for answers, loaded into ibsim. ibsim writes an answer again and again
 * until its client's socket takes it, and reads nothing meanwhile; a client that
 * is itself writing holds a lock that its reader needs. With some 280 answers
 * on the way both wait for ever. A larger send buffer keeps ibsim reading.
 */
#include <dlfcn.h>
#include <sys/socket.h>

#define ROOM (64 << 20)		/* bytes: 80,000 answers */

int socket(int domain, int type, int protocol)
{
	static int (*next)(int, int, int);
	int room = ROOM;
	int fd;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "socket");
	fd = next(domain, type, protocol);
	/* Beyond the system's limit for root alone; up to twice the usual for others. */
	if (fd >= 0 && domain == AF_UNIX && (type & SOCK_DGRAM) &&
	    setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)) < 0)
		(void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	return fd;
}
