/*
 * LD_PRELOAD shim between a process and its disk. Every fsync and fdatasync takes DISK_SYNC_US longer. With DISK_TRACE,
 * changes and syncs of an embedded database and its write-ahead log, and the beginning of what is sent to others, are
 * appended to that file. With DISK_LIES, a sync of
 * these files returns at once, although the trace says that it ended DISK_SYNC_US later: a disk that acknowledges too
 * early. Only the calls that Node and SQLite use are here; the test that reads a trace compares it with the files.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) \
  ({ \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
    real; \
  })
#define MAX_DESCRIPTORS 4096
#define MAX_SENT 1024

enum file { OTHER, DATABASE, LOG };
enum kind { WRITE, RESIZE, SYNC, UNLINK, SENT };

/*
 * Followed by `length` bytes of data if it is a WRITE or SENT. `length` of a RESIZE is the new size. `offset` of SENT is
 * the port of the peer.
 */
struct record {
  int64_t kind, file, offset, length, began_ns, ended_ns;
};

/* The inode, because a descriptor can be closed and used for something else without a call that is seen here. */
static struct {
  enum file file;
  ino_t inode;
} opened[MAX_DESCRIPTORS];
static int trace = -1;
static int64_t sync_ns;
static int lies;

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("DISK_TRACE"), *us = getenv("DISK_SYNC_US");
  if (path) trace = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (us) sync_ns = atoll(us) * 1000;
  lies = getenv("DISK_LIES") != NULL;
}

/* CLOCK_MONOTONIC, as Node's process.hrtime. */
static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int ends_with(const char *path, const char *end) {
  size_t length = strlen(path), tail = strlen(end);
  return length >= tail && strcmp(path + length - tail, end) == 0;
}

static enum file file_at(const char *path) {
  if (trace < 0) return OTHER;
  return ends_with(path, ".db") ? DATABASE : ends_with(path, ".db-wal") ? LOG : OTHER;
}

static enum file file_of(int fd) {
  struct stat is;
  if (fd < 0 || fd >= MAX_DESCRIPTORS || opened[fd].file == OTHER) return OTHER;
  return fstat(fd, &is) == 0 && is.st_ino == opened[fd].inode ? opened[fd].file : OTHER;
}

/* One call, because records of several threads must not mix. */
static void append(struct record record, const void *data) {
  struct iovec parts[] = {{&record, sizeof record}, {(void *)data, data ? (size_t)record.length : 0}};
  ssize_t total = (ssize_t)(parts[0].iov_len + parts[1].iov_len);
  if (REAL(writev)(trace, parts, 2) != total) abort();
}

static void note(enum kind kind, enum file file, int64_t length, int64_t began_ns) {
  append((struct record){kind, file, 0, length, began_ns, now_ns()}, NULL);
}

static int note_open(int fd, const char *path, int flags) {
  enum file file = file_at(path);
  struct stat is;
  if (fd < 0 || fd >= MAX_DESCRIPTORS || file == OTHER || fstat(fd, &is) != 0) return fd;
  opened[fd].file = file;
  opened[fd].inode = is.st_ino;
  if (flags & O_TRUNC) note(RESIZE, file, 0, now_ns());
  return fd;
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return note_open(REAL(open)(path, flags, mode), path, flags);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return note_open(REAL(open64)(path, flags, mode), path, flags);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  enum file file = file_of(fd);
  int64_t began_ns = now_ns();
  ssize_t written = REAL(pwrite64)(fd, data, length, offset);
  if (file != OTHER && written > 0) {
    append((struct record){WRITE, file, offset, written, began_ns, now_ns()}, data);
  }
  return written;
}

/* Before it is sent, because then the peer may know it. The port has the same place in both families. */
static void note_sent(int fd, const void *data, size_t length) {
  struct sockaddr_in6 peer;
  socklen_t size = sizeof peer;
  if (trace < 0 || getpeername(fd, (struct sockaddr *)&peer, &size) != 0) return;
  if (peer.sin6_family != AF_INET && peer.sin6_family != AF_INET6) return;
  int64_t at_ns = now_ns(), sent = length < MAX_SENT ? length : MAX_SENT;
  append((struct record){SENT, OTHER, ntohs(peer.sin6_port), sent, at_ns, at_ns}, data);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (count > 0) note_sent(fd, parts[0].iov_base, parts[0].iov_len);
  return REAL(writev)(fd, parts, count);
}

ssize_t write(int fd, const void *data, size_t length) {
  enum file file = file_of(fd);
  if (file == OTHER) note_sent(fd, data, length);
  int64_t began_ns = now_ns();
  ssize_t written = REAL(write)(fd, data, length);
  if (file != OTHER && written > 0) {
    off_t offset = lseek(fd, 0, SEEK_CUR) - written;
    append((struct record){WRITE, file, offset, written, began_ns, now_ns()}, data);
  }
  return written;
}

int ftruncate64(int fd, off64_t size) {
  enum file file = file_of(fd);
  int64_t began_ns = now_ns();
  int result = REAL(ftruncate64)(fd, size);
  if (file != OTHER && result == 0) note(RESIZE, file, size, began_ns);
  return result;
}

int unlink(const char *path) {
  int64_t began_ns = now_ns();
  int result = REAL(unlink)(path);
  if (result == 0 && file_at(path) != OTHER) note(UNLINK, file_at(path), 0, began_ns);
  return result;
}

static int sync_slowly(int fd, int (*sync)(int)) {
  struct timespec delay = {sync_ns / 1000000000, sync_ns % 1000000000};
  enum file file = file_of(fd);
  int64_t began_ns = now_ns();
  if (lies && file != OTHER) {
    append((struct record){SYNC, file, 0, 0, began_ns, began_ns + sync_ns}, NULL);
    return 0;
  }
  nanosleep(&delay, NULL);
  int result = sync(fd);
  if (file != OTHER && result == 0) note(SYNC, file, 0, began_ns);
  return result;
}

int fsync(int fd) { return sync_slowly(fd, REAL(fsync)); }

int fdatasync(int fd) { return sync_slowly(fd, REAL(fdatasync)); }
