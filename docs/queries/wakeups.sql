-- SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
-- SPDX-FileCopyrightText: 2026 The lttng-containers authors
-- Who woke whom, by the names of tasks: how often, how many of the woken were seen to run then, how long they waited
-- for that, and the longest. The pairs of `wakeups --all`.
SELECT host, waker_kind, waker_label, waker_comm, label AS woken_label, woken_comm, wakeups, measured, total_ns, longest_ns
FROM (SELECT host, waker_kind, waker_label, waker_comm, woken_container AS container, woken_comm, wakeups, measured, total_ns, longest_ns
	FROM (SELECT host, waker_kind, waker_container, waker_comm, woken_container, woken_comm, COUNT(*) AS wakeups,
			COUNT(waited_ns) AS measured, SUM(waited_ns) AS total_ns, MAX(waited_ns) AS longest_ns
		FROM wakeup GROUP BY host, waker_kind, waker_container, waker_comm, woken_container, woken_comm) AS pairs
	LEFT JOIN (SELECT host, container AS waker_container, label AS waker_label FROM container) AS wakers USING (host, waker_container)) AS named
LEFT JOIN (SELECT host, container, label FROM container) AS woken USING (host, container)
ORDER BY wakeups DESC, total_ns DESC, host, waker_label, waker_comm, woken_label, woken_comm;
