/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_NAMES_INT_H
#define LC_NAMES_INT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <jansson.h>

#include "names.h"

/* What one container may cost; what is larger is not one's state. */
#define STATE_MAX   (4u << 20)
/* Containers of one runtime. */
#define ENTRIES_MAX 4096
/* How long a runtime may take to name a container that its helpers know already. */
#define SETTLE_MS   5000

/* A process, as /proc has it. */
struct process {
	pid_t tid;
	uint64_t start; /* clock ticks since the boot */
	uint64_t age_ms;
	uint64_t pid_ns;
	uid_t uid; /* the real one, as the host has it; or UID_UNKNOWN */
	char *cgroup;
};

#define UID_UNKNOWN ((uid_t)-1)

/* What a source found. Texts are the source's; optional ones may be NULL. */
struct found {
	const char *runtime, *id, *name;
	const char *pod, *pod_namespace, *container, *image;
	pid_t init;
	uint64_t start;	  /* of init in clock ticks, if the runtime tells it; or 0 */
	uint64_t written; /* when the runtime wrote init down, ns since the epoch; or 0 */
	uid_t user;	  /* whose runtime it is, see user_has_process(); 0: root's */
	const char *unit; /* of systemd, whose cgroup it is in; or NULL */
};

/* Who was told; process and name are what may change. */
struct told {
	char *runtime, *id, *name;
	uid_t user;
	pid_t init;
	uint64_t start;
	bool seen;
	char *line;	      /* as it was told; NULL until then */
	unsigned int repeats; /* how often it was told again since then */
};

struct watch;
struct user_ids;
struct facts_helper;

/* What a user's state has cost. */
struct user_rest {
	uid_t user;
	uint64_t state; /* of his lists of names, when they were read last */
	uint64_t rests; /* he is not asked until then: ms of the monotonic clock */
	pid_t helper;	/* who read his files last */
	/* How many lines were written of him since then, the same ms. */
	uint64_t told_since;
	unsigned int told;
};

struct names {
	char *root_path;
	int root;
	struct told *told;
	size_t nr_told, cap_told;
	char **noted;
	size_t nr_noted, cap_noted;
	struct watch *watch;
	struct user_ids *user_ids; /* of whom names-user.c read last, in this scan */
	/* A file was just being written: a scan is worthwhile soon. */
	bool unsettled;
	/* Who did not answer is not asked until then: ms of the monotonic clock. */
	uint64_t docker_rests, podman_rests;
	struct user_rest *users;
	size_t nr_users, cap_users;
	/* Whose turn it is of those in /run/user, and how many are to be looked at at least. */
	size_t users_at, users_due;
	/* The scan is to end. */
	atomic_bool aborted;
	/* Called while it waits; NULL: nobody. */
	void (*look)(void *ctx);
	void *look_ctx;
	/* Who understands what runtimes write; NULL: it was not needed yet in this scan. */
	struct facts_helper *facts;
	/* In a helper: where it tells what it has found; elsewhere -1. */
	int helper;
	/* How much may still be read. */
	uint64_t bytes;
	/* Processes that were killed and have not ended yet. */
	pid_t *left;
	size_t nr_left, cap_left;
};

/* One scan, while it lasts. */
struct scan {
	struct names *names;
	void (*tell)(void *ctx, const char *line);
	void *ctx;
	pid_t *claimed;
	size_t nr_claimed, cap_claimed;
	/* A container is on its way: another scan is worthwhile soon. */
	bool pending;
};

/* The sources: they find containers of their kind. The order is that of the table. */
void names_docker(struct scan *s);
void names_storage(struct scan *s);
void names_containerd(struct scan *s);
/* Whether podman or CRI-O has such a container. */
bool storage_has(struct scan *s, const char *id);
/*
 * Whether one more line may be written of that user in this minute, which is counted then; else
 * that is noted.
 */
bool user_may_tell(struct names *n, uid_t user);
void names_lxc(struct scan *s);
void names_machines(struct scan *s);
void names_runc(struct scan *s);
void names_crun(struct scan *s);
/* Those of users without root, of podman; after all of root's. */
void names_users(struct scan *s);

/* Whether the scan is to end. */
static inline bool names_aborted(const struct names *n)
{
	return atomic_load(&n->aborted);
}

/* names-scan.c. */
void told_free(struct told *t);
/* At the end of a scan: who is gone may come again, and is then told again. */
void scan_forget(struct scan *s);
/* Whether scan_found() would tell of it; its name need not be known yet. */
bool scan_would(struct scan *s, const struct found *f);
/* Tells of it, if it lives and no source before has claimed its process. */
void scan_found(struct scan *s, const struct found *f);
/*
 * Whether it was told before, as root's, by this name (NULL: any) and with this init (0: any), and
 * still is what it was then; claims it.
 */
bool scan_still(struct scan *s, const char *runtime, const char *id, const char *name, pid_t init);
/* Whether it was told as root's, and a source before has claimed its init in this scan. */
bool scan_has(const struct scan *s, const char *runtime, const char *id);
/*
 * For a source that is not asked now, or does not answer: whoever was told by it and lives is its,
 * and no other source's.
 */
void scan_keep(struct scan *s, uid_t user, const char *runtime);
/* The same of a user's. */
bool scan_still_of(struct scan *s, uid_t user, const char *runtime, const char *id,
		   const char *name, pid_t init);
/* Whether a source of higher level has the process. */
bool scan_claimed(const struct scan *s, pid_t init);
/* Whether the process is so young that a better name may come; another scan is asked for then. */
bool scan_defer(struct scan *s, pid_t init);

/* names-line.c: @line has room for NAMES_LINE_MAX + 1. */
void names_line(char *line, const struct found *f, const struct process *p);

/* names-proc.c */
int process_read(const struct names *n, pid_t tid, struct process *p);
void process_free(struct process *p);
/* Its start alone, 0 if it is gone or a zombie. */
uint64_t process_start(const struct names *n, pid_t tid);
/*
 * The first word of its parent's command line, if that is root's, and of the host; or NULL: others
 * could choose what it says, that it has no end, and that reading waits for ever. The caller frees
 * it.
 */
char *process_parent_args(const struct names *n, pid_t tid);
/* The PID namespace of the host's first process; 0 if it is not known. */
uint64_t host_pid_ns(const struct names *n);
/*
 * Cuts what a container made itself, below the cgroup that has its id in the name; false if there
 * is no such cgroup, or it is one that others share.
 */
bool cgroup_cut(char *cgroup, const char *id);
uint64_t now_ms(void);

/* names-user.c: who a user is, by /etc/passwd and /etc/subuid. */
/* The user's home, without the first slash, or NULL. The caller frees it. */
char *user_home(struct names *n, uid_t user);
/* The user's first group; nobody's if there is none. */
gid_t user_group(struct names *n, uid_t user);
/*
 * Whether a user may say what a process is: it is below the slice that systemd has for the user,
 * and its real uid is the user's, or one of those that subuid(5) gives the user.
 */
bool user_has_process(struct names *n, uid_t user, const struct process *p);
/* What was read of users is read again. */
void user_forget(struct names *n);

/*
 * names-state.c: files of runtimes. A directory that the runtime's documentation
 * names may be a symbolic link; nothing below it is followed.
 */
/* Opens a directory (no leading slash) and watches it, or where it will be. -1 if it is not there.
 */
int state_dir(struct names *n, const char *path);
int state_dir_beneath(struct names *n, int dir, const char *path);
/* Watches it only: something is yet to come there. */
void state_watch(struct names *n, int dir, const char *path);
/* The same, not watched. */
int state_look(const struct names *n, const char *path);
int state_look_beneath(int dir, const char *path);
/* To look for what is below only: to list or to read them these are opened once more. */
int state_place(struct names *n, const char *path);
int state_place_beneath(int dir, const char *path);
/* Whether there is anything of that name. */
bool state_exists(int dir, const char *path);

struct list {
	char **names;
	size_t nr, cap;
	bool over; /* there are more than anybody has */
};
/*
 * Names of entries, sorted, without those that begin with a dot, of the first ENTRIES_MAX that
 * there are.
 */
void state_list(int dir, struct list *l);
/* Of these, those that may be directories: a cgroup has dozens of files. */
void state_list_dirs(int dir, struct list *l);
void list_free(struct list *l);

/* The file with a 0 behind it, or NULL. @written: its time, may be NULL. The caller frees it. */
char *state_read(struct names *n, int dir, const char *path, uint64_t *written, size_t *len);
/* For helpers. NULL if it is not there, or broken, which costs a note. The caller has a reference.
 */
json_t *state_json(struct names *n, int dir, const char *path, uint64_t *written);
/* Says that a file could not be understood, unless it is so new that it may not be whole yet. */
void state_broken(struct names *n, const char *path, uint64_t written);
/* A number alone in a file; 0 if there is none. */
pid_t state_pid(struct names *n, int dir, const char *path, uint64_t *written);

/* What is said of files; a helper can say nothing else. */
#define NOTE_LARGE	"A runtime's file is too large, or no file."
#define NOTE_BROKEN	"A runtime's JSON is broken, what it names is left out."
#define NOTE_UNREADABLE "A directory cannot be read, its containers are not seen."
#define NOTE_NO_SECCOMP "The kernel cannot confine who reads the runtimes' files to a few calls."

struct note_message {
	uint32_t what; /* which of these */
	char value[256];
};
/* Says what a helper of this user (0: root's) has sent. */
void names_note_sent(struct names *n, const struct note_message *m, uid_t user);

/* Says it once. @value is escaped. */
void names_note(struct names *n, const char *what, const char *key, const char *value);

/* Text and number in an object; NULL and 0 if it has none. */
const char *json_str(const json_t *object, const char *key);
int64_t json_num(const json_t *object, const char *key);

/* names-watch.c: all take NULL. */
struct watch *watch_new(void);
void watch_free(struct watch *w);
int watch_fd(const struct watch *w);
/* What helpers add to. */
int watch_inotify(const struct watch *w);
/* In a helper: gives it another number. */
void watch_move(struct watch *w, int to);
#define WATCH_MASK (IN_CREATE | IN_MOVED_TO | IN_ONLYDIR)
void watch_dir(struct watch *w, int dir);
/* A scan begins; it has ended. */
void watch_begin(struct watch *w);
/* Whether it is one for a change, and not again after a pause. */
bool watch_changed(const struct watch *w);
void watch_end(struct watch *w, bool pending);

#endif
