/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_H
#define LC_RECORD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * What the parts of `record` share. Functions that return int return 0, or -1
 * after they have printed why.
 */

struct record_options {
	const char *dir;		  /* as given; NULL: a default */
	const char *net;		  /* URL of an lttng-relayd */
	uint64_t live_us;		  /* how often it is sent to be watched; 0: not at all */
	uint64_t duration_ns;		  /* 0: until told */
	uint64_t subbuf_size, num_subbuf; /* 0: sized for the machine */
	unsigned int stacks_hz;		  /* samples a second of each CPU; 0: none */
	bool off_cpu;			  /* the stacks by which tasks begin to wait, too */
	bool wakeup;			  /* and those by which they are woken */
	bool snapshot, syscalls, why, help;
	bool watch;	/* the kernel tells who waits too long */
	char **command; /* NULL: none */
};

/* record-signals.c: signals are blocked, and asked for where they can be heeded. */
struct signals {
	int fd;
	int stop;		/* the first signal that ends the recording, or 0 */
	unsigned int snapshots; /* SIGUSR1 that were not served yet */
	bool rereads; /* SIGHUP asks for that, and does not end it; set before it is opened */
	bool rereads_asked;
	/* Who sees to it that they are heeded; -1: nobody. */
	int end;
	pthread_t watcher;
	/* How often it looks until what is expected is late, 0: nothing is; and how long that is.
	 */
	_Atomic unsigned int looks;
	unsigned int patience; /* s */
};

/*
 * A session daemon that does not answer keeps liblttng-ctl, and who calls it, for ever. Whoever
 * asks to stop and is not heeded for ten seconds is told so, and the process ends; its guard undoes
 * then what it has begun.
 */
int signals_open(struct signals *s);
/*
 * The same if nobody asks: unless this is called again within so many seconds, the process ends.
 * 0: nothing is expected.
 */
void signals_expect(struct signals *s, unsigned int seconds);
/* What lttng-sessiond does on a busy machine takes no longer; and what may have much to write. */
#define ANSWER_S   60
#define SNAPSHOT_S 600
/* With the modules that it loads. */
#define START_S	   330
/* Takes what has come. Returns whether to stop. */
bool signals_take(struct signals *s);
/* In a child, before exec: as they were before signals_open(). */
void signals_restore(const struct signals *s);
void signals_close(struct signals *s);

/* record-host.c: may this process record here? */
int host_check(void);
/* The process that is root's session daemon; 0: it is not told which, negative: none answers. */
pid_t host_session_daemon(void);
unsigned int host_cpus(void);
uint64_t host_memory(void); /* bytes, as is host_page() */
uint64_t host_page(void);
uint64_t now_ns(void); /* CLOCK_MONOTONIC */
void sleep_ms(unsigned int ms);

/* record-modules.c: our kernel modules. */
#define MODULE_NAME_SIZE 64

struct modules {
	unsigned int loaded; /* bits of those that modules_load() has loaded */
	bool remembered;     /* the following tell all of LTTng's */
	size_t n_before;
	char before[256][MODULE_NAME_SIZE];
};

/* Fails if a module that is loaded at this moment is not this project's. */
int modules_check(void);
/* Loads what is missing for these options, and checks it; without root only checks. */
int modules_load(struct modules *m, const struct record_options *opt);
/* Whether moves between cgroups and namespaces are recorded as they happen. */
bool modules_follow_moves(void);
/* Whether the kernel calls no function probe, so that events which come from those do not come. */
bool modules_are_switched_off(void);
/* Remembers which of LTTng's are loaded before anything was done. */
void modules_remember(struct modules *m);
/*
 * Removes what modules_load() has loaded; and daemons_too: what came since
 * modules_remember(), with a session daemon of ours that may have died.
 */
void modules_unload(struct modules *m, bool daemons_too);

/* record-daemon.c: lttng-sessiond. */
struct session_daemon {
	pid_t own; /* the keeper of one that was started here, not reaped; 0: another's */
	int log;   /* what it says; -1 */
	struct modules *modules; /* what its keeper unloads after it, if it is left to others */
	char session[64];	 /* with daemon_leave(): this recording's */
	atomic_bool is_left;	 /* the keeper has heard of daemon_leave() */
};

/* Uses the one that runs, or starts one. @modules must be shared with processes that are forked. */
int daemon_use(struct session_daemon *d, struct modules *modules, struct signals *s);
/* Whether the one that was started here has ended. */
bool daemon_has_ended(struct session_daemon *d);
void daemon_end(struct session_daemon *d);
/*
 * Leaves the daemon that was started here to its keeper, if it has sessions of others than
 * @session: the keeper ends it, and unloads modules, after the last of them. Returns whether it is
 * left.
 */
bool daemon_leave(struct session_daemon *d, const char *session);
/* Whether a process of its group lives, the consumer daemon if it is dead itself. */
bool daemon_group_lives(pid_t group);

/*
 * record-keeper.c: the process between the recorder and the session daemon. It leads the daemon's
 * group, ends as the daemon does, and goes with the recorder unless the daemon is left to it.
 */
#define KEEPER_KILLS SIGQUIT /* asks it to kill the daemon, where SIGTERM asks it to end that */
_Noreturn void keeper_run(struct session_daemon *d, const struct signals *s, pid_t recorder);

/* record-output.c: the directory. */
struct output {
	char *path, *name; /* absolute, and in its parent; NULL with --net */
	int fd, parent;	   /* it, and what holds it; -1 with --net */
	bool made;	   /* it did not exist before */
	bool has_symbols;  /* symbols_save() or programs_start() made a file in it */
};

#define OUTPUT_NONE                                                                                \
	{                                                                                          \
		.fd = -1, .parent = -1                                                             \
	}

/*
 * Makes or takes a directory that nobody but root and the caller can change, nor
 * any that leads to it: the session daemon finds it by its path. The path has no
 * links in it. @filled: something may be in it.
 */
int output_prepare(struct output *o, const char *dir, bool filled);
/* Whether the path still leads there. */
int output_check(const struct output *o);
/* Removes what was recorded: it never became a recording. Notes what cannot be removed. */
void output_remove(struct output *o);
uint64_t output_bytes(const struct output *o);
/* Waits until all of it is on the disk. Returns 0, or why it is not, as errno has it. */
int output_sync(const struct output *o);
/* Bytes that are free where it is. */
uint64_t output_free(const struct output *o);
void output_close(struct output *o);

/* Removes the directory if it was made, and nothing is in it; if it stays, returns why. */
const char *output_remove_empty(struct output *o);

/*
 * record-symbols.c: saves what the kernel's functions are called, as far as it tells; notes why
 * not. Fails only where nothing can be written.
 */
int symbols_save(struct output *o);

/*
 * record-programs.c: a process that saves what programs map to run, and what the functions of those
 * files are called.
 */
struct program_writer {
	pid_t pid; /* 0: none */
	int channel;
};

/*
 * Returns when it follows what programs do, and has read the files of those that run, or is still
 * at it. Notes why it cannot; fails only where nothing can be written.
 */
int programs_start(struct program_writer *w, struct output *o);
/* Waits, not for long, until all is written. */
void programs_end(struct program_writer *w);

/* record-repair.c: drops packets that were not written as a whole; returns their bytes. */
uint64_t repair_trace(int dir);
/* Whether there is a trace with metadata: without, nobody can read what is there. */
bool trace_has_metadata(int dir);
/* Whether anything was recorded: packets alone are nothing. */
bool trace_has_events(int dir);

/* record-session.c: the recording session. */
struct loss {
	uint64_t events, packets;
};

struct session {
	char name[64];
	struct lttng_handle *handle;
	uint64_t buffers; /* bytes of all buffers together */
	uint64_t live_us; /* as in the options */
	bool created, started, snapshot;
	bool tells_throttling; /* by events */
};

/* What the options and this machine make of the buffers; sets opt's sizes. */
int session_size(struct record_options *opt, uint64_t *buffers);
int session_choose_name(struct session *s);
int session_create(struct session *s, const struct record_options *opt, const char *path);
int session_start(struct session *s);
/* Returns 0, or a negative error of lttng, unprinted. */
int session_loss(const struct session *s, struct loss *loss);
int session_dump_again(struct session *s);
int session_snapshot(struct session *s);
/* Ends recording, and waits until all is written; -1: not all is. */
int session_stop(struct session *s, struct signals *sig);
void session_destroy(struct session *s);
/* The same by another process, without a word; whether it was there. */
/*
 * How many sessions of this machine's session daemon are recording, or being made by a recorder,
 * without @own; negative: it does not say.
 */
int sessions_of_others(const char *own);
bool session_remove(const struct session *s);

/*
 * record-relay.c: whether the relay daemon is still there, which nobody tells whose trace it takes:
 * a connection of its own ends when that daemon does.
 */
struct relay {
	int fd;
	bool is_followed;
};

/* Where the host of its URL begins, and how long it is, an IPv6 address with its brackets. */
size_t relay_host(const char *url, const char **host);
/* Without a word if it cannot be reached: who wants to record finds that out. */
void relay_follow(struct relay *r, const char *url);
bool relay_has_gone(struct relay *r);
void relay_close(struct relay *r);

/* record-command.c: the command to record. */
struct child {
	pid_t pid;  /* 0: none runs */
	int status; /* as wait() tells it, once pid is 0 again */
	bool ran;
};

/* Whether execvp() will find it. */
int child_find(const char *name);
int child_start(struct child *c, char **command, const struct signals *s);
/* Returns whether it has ended. */
bool child_has_ended(struct child *c);
/* Ends it if it still runs, and tells how it ended. */
void child_finish(struct child *c);

/*
 * record-quotas.c: which cgroups may use how much CPU time, for the trace (model/quota.h). The
 * kernel has no event when that changes, so look again now and then. NULL if it cannot be had,
 * which is said.
 */
#define RECORDED_LINE_MAX 1024 /* of /proc/lttng-logger */

struct quota_scan;
/* @with_sums: what quotas took, too, for where the kernel has no event of that. */
struct quota_scan *quota_scan_open(bool with_sums);
/* Of the hierarchy, version 1 or 2, whose root is the open directory @root, which it takes. */
struct quota_scan *quota_scan_at(int root, bool v1, bool with_sums);
/*
 * Calls @write_line for each that is new or has changed; of more than 512, or 80 KiB, others follow
 * later. Who has many changes, or more cgroups than are looked at, takes nobody else's turn
 * (record-groups.h).
 */
void quota_scan_run(struct quota_scan *q, void (*write_line)(void *ctx, const char *line),
		    void *ctx);
/* How long to wait for the next scan, ns: @least, or nine times as long as the last one took. */
uint64_t quota_scan_pause(const struct quota_scan *q, uint64_t least);
/* The next scans tell of each once more. */
void quota_scan_repeat(struct quota_scan *q);
void quota_scan_close(struct quota_scan *q); /* takes NULL, too */

/* record-names.c: writes containers' names, and quotas, into the trace while it is recorded. */
struct name_writer {
	int logger, stop, again, done, repeated;
	struct names *names;
	struct quota_scan *quotas; /* NULL: not wanted, or not to be had */
	pthread_t thread;
	bool runs, ended, complained;
	bool is_snapshot;      /* what is new pushes out what is old */
	atomic_bool is_held;   /* nothing is written until that is over */
	uint64_t quotas_every; /* ns */
	uint64_t quotas_next;  /* when they are looked at */
	uint64_t quotas_took;  /* the last look, ns */
	/* Called by the thread with each line that is written; NULL: by nobody. */
	void (*hear)(void *ctx, const char *line);
	void *hear_ctx;
};

/* With quotas, if the options ask for what `why` needs; and what they took, if no event tells. */
int names_start(struct name_writer *w, const struct record_options *opt, const struct session *s);
/* Writes those that still run once more. */
void names_again(struct name_writer *w);
/*
 * The same, and waits until they are written, or for a second. Then nothing is written until
 * names_go_on(): whoever has ever new names could push out those of others before they are saved.
 */
void names_again_now(struct name_writer *w);
void names_go_on(struct name_writer *w);
/*
 * Writes what came last, within a second, and for a flight recorder all others behind it, in
 * another: after this nothing more is written.
 */
void names_end(struct name_writer *w);
/* Ends it at once, whatever it does: when nothing more is recorded. */
void names_stop(struct name_writer *w);

/* What lttng-watch can watch for: each has an event of its own, and a parameter of its own. */
enum watched { WATCHED_DELAY, WATCHED_BLOCKED, NR_WATCHED };

/* record-threshold.c: how long a wait is for lttng-watch to tell of it. */
struct threshold {
	enum watched what; /* once it was set */
	uint64_t ns;	   /* what it is to be; 0: whatever it is */
	uint64_t before;   /* what it was when it was first changed */
};

/* No less is told to others who have asked for it. @ns: 0 makes it what it was. */
int threshold_set(struct threshold *t, enum watched what, uint64_t ns);
/* Sets it again if it was changed since; whether it was. */
bool threshold_keep(struct threshold *t);
/* Makes it what it was before; no more than that if it never was changed. */
void threshold_restore(struct threshold *t);

/* record-trigger.c: hears from the session daemon of waits that were too long. */
struct trigger {
	char name[80];
	enum watched what;
	void *channel; /* the library's; NULL: none */
	bool there;
};

/* A wait that was too long, as the events watch_delay and watch_blocked have it. */
struct late {
	enum watched what;
	int64_t tid;
	uint64_t ns_inum, cgroup_id, ns;
	bool in_iowait; /* of WATCHED_BLOCKED: for I/O */
	char comm[32];	/* as the kernel has it: hostile */
};

/* @session: whose name it takes, @ns: only longer waits. */
int trigger_open(struct trigger *t, const char *session, enum watched what, uint64_t ns);
/*
 * 1: a wait was told; 0: none now; -1: the session daemon is gone, which was not printed. One that
 * is not open has nothing to tell.
 */
int trigger_next(struct trigger *t, struct late *late);
void trigger_close(struct trigger *t);
/* The session daemon forgets it, also when another process than that which has made it asks. */
void trigger_forget(struct trigger *t);

/*
 * record-guard.c: a process that undoes what was done on this machine if the
 * recorder is killed: modules, and the session under somebody else's daemon.
 */
struct guard {
	pid_t pid; /* 0: none */
	int fd;	   /* while it is open, the recorder lives */
};

struct recording;
/* Memory, zeroed, that the guard sees as the recorder left it; NULL after an error. */
void *guard_share(size_t size);
/* @r is shared; but what it points to is seen as it is now. */
int guard_start(struct guard *g, struct recording *r);
void guard_end(struct guard *g);

/* record-loop.c: from the start of the recording to its end. */
enum record_end { END_ASKED, END_DISK, END_DAEMON, END_RELAY };

struct recording {
	const struct record_options *opt;
	struct signals signals;
	struct modules modules;
	struct session_daemon daemon;
	struct output output;
	struct session session;
	struct relay relay; /* with --net */
	struct child child;
	struct guard guard;
	struct name_writer names;
	struct program_writer programs;
	struct threshold thresholds[NR_WATCHED];
	struct trigger triggers[NR_WATCHED];
	uint64_t begin_ns, end_ns;
	struct loss loss;
};

enum record_end record_loop(struct recording *r);
/* Writes what a flight recorder holds, if there is room. */
int record_snapshot(struct recording *r);

#endif
