-- SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
-- SPDX-FileCopyrightText: 2026 The lttng-containers authors
-- The tables of an export for ClickHouse: what --format jsonl writes goes into them as it is, of as many hosts as there are.
CREATE TABLE host (
	host String,
	hostname Nullable(String),
	boot_id Nullable(String),
	session Nullable(String),
	recorded_with Nullable(String),
	begin_ns Nullable(Int64),
	end_ns Nullable(Int64),
	cpus Nullable(Int64),
	events Nullable(Int64),
	state_dumps Nullable(Int64),
	losses Nullable(Int64),
	lost_events Nullable(Int64),
	lost_packets Nullable(Int64),
	has_runs UInt8,
	has_waits UInt8,
	has_interrupts UInt8,
	has_syscalls UInt8,
	has_samples UInt8
) ENGINE = MergeTree ORDER BY host;
CREATE TABLE container (
	host String,
	container Int64,
	parent Nullable(Int64),
	label Nullable(String),
	name Nullable(String),
	id Nullable(String),
	runtime Nullable(String),
	pod Nullable(String),
	told_by Nullable(String),
	claimed UInt8,
	pid_ns Nullable(Int64),
	cgroup Nullable(String),
	birth_ns Nullable(Int64),
	death_ns Nullable(Int64),
	unsure UInt8
) ENGINE = MergeTree ORDER BY (host, container);
CREATE TABLE task (
	host String,
	task Int64,
	tid Nullable(Int64),
	pid Nullable(Int64),
	vtids Nullable(String),
	comm Nullable(String),
	container Nullable(Int64),
	null_reason Nullable(String),
	birth_ns Nullable(Int64),
	death_ns Nullable(Int64),
	unsure UInt8
) ENGINE = MergeTree ORDER BY (host, task);
CREATE TABLE run (
	host String,
	cpu Nullable(Int64),
	begin_ns Int64,
	end_ns Nullable(Int64),
	kind Nullable(String),
	interrupted Nullable(String),
	task Nullable(Int64),
	tid Nullable(Int64),
	container Nullable(Int64),
	null_reason Nullable(String),
	unsure UInt8
) ENGINE = MergeTree ORDER BY (host, begin_ns);
CREATE TABLE wait (
	host String,
	wait Int64,
	begin_ns Nullable(Int64),
	end_ns Nullable(Int64),
	waited_ns Nullable(Int64),
	why Nullable(String),
	cpu Nullable(Int64),
	task Nullable(Int64),
	tid Nullable(Int64),
	container Nullable(Int64),
	null_reason Nullable(String),
	unfinished UInt8,
	unsure UInt8
) ENGINE = MergeTree ORDER BY (host, wait);
CREATE TABLE blame (
	host String,
	wait Int64,
	victim Nullable(Int64),
	kind Nullable(String),
	culprit Nullable(Int64),
	null_reason Nullable(String),
	ns Nullable(Int64),
	unsure UInt8
) ENGINE = MergeTree ORDER BY (host, wait);
CREATE TABLE block (
	host String,
	begin_ns Nullable(Int64),
	end_ns Int64,
	state Nullable(Int64),
	task Nullable(Int64),
	tid Nullable(Int64),
	container Nullable(Int64),
	waker_kind Nullable(String),
	waker_tid Nullable(Int64),
	null_reason Nullable(String),
	ended Nullable(String),
	unsure UInt8
) ENGINE = MergeTree ORDER BY (host, end_ns);
CREATE TABLE wakeup (
	host String,
	ns Int64,
	cpu Nullable(Int64),
	waker_kind Nullable(String),
	waker_task Nullable(Int64),
	waker_tid Nullable(Int64),
	waker_comm Nullable(String),
	waker_container Nullable(Int64),
	woken_task Nullable(Int64),
	woken_tid Nullable(Int64),
	woken_comm Nullable(String),
	woken_container Nullable(Int64),
	null_reason Nullable(String),
	waited_ns Nullable(Int64),
	unsure UInt8
) ENGINE = MergeTree ORDER BY (host, ns);
CREATE TABLE syscall (
	host String,
	name String,
	begin_ns Nullable(Int64),
	duration_ns Nullable(Int64),
	ret Nullable(Int64),
	is_error UInt8,
	ended Nullable(String),
	task Nullable(Int64),
	tid Nullable(Int64),
	comm Nullable(String),
	container Nullable(Int64),
	null_reason Nullable(String),
	unsure UInt8
) ENGINE = MergeTree ORDER BY (host, name);
CREATE TABLE sample (
	host String,
	ns Int64,
	cpu Nullable(Int64),
	mode String,
	period_ns Nullable(Int64),
	task Nullable(Int64),
	tid Nullable(Int64),
	comm Nullable(String),
	container Nullable(Int64),
	null_reason Nullable(String),
	function Nullable(String),
	stack Nullable(String),
	unsure UInt8
) ENGINE = MergeTree ORDER BY (host, ns);
