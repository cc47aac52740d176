/* Preloaded into the service: slows syncs, lets them fail, and records those of the main thread. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The file SYNC_FAULTS names the end of the path whose syncs fail. */
static int fails(int fd) {
  const char *plan = getenv("SYNC_FAULTS");
  char end[64] = "", link[64], path[4096];
  int file = plan ? open(plan, O_RDONLY) : -1;
  if (file < 0) return 0;
  ssize_t length = read(file, end, sizeof end - 1);
  close(file);
  if (length <= 0) return 0;
  end[length] = 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < length) return 0;
  path[size] = 0;
  return strcmp(path + size - length, end) == 0;
}

static int sync_with(const char *name, int fd) {
  const char *record = getenv("SYNC_RECORD"), *us = getenv("SYNC_US");
  if (record && syscall(SYS_gettid) == getpid()) {
    int file = open(record, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file >= 0 && write(file, ".", 1) == 1) close(file);
  }
  if (us) usleep(atoi(us));
  if (fails(fd)) {
    errno = EIO;
    return -1;
  }
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return real(fd);
}

int fsync(int fd) { return sync_with("fsync", fd); }
int fdatasync(int fd) { return sync_with("fdatasync", fd); }
