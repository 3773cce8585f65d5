-- SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
-- SPDX-FileCopyrightText: 2026 The lttng-containers authors
-- System calls of each container: how many, how many of them ended with an error, and how long those took that were
-- seen from begin to end. What `syscalls` counts.
SELECT host, label, name, calls, errors, ns, longest_ns
FROM (SELECT host, container, name, COUNT(*) AS calls, SUM(is_error) AS errors,
		SUM(CASE WHEN ended = 'returned' THEN duration_ns ELSE 0 END) AS ns,
		MAX(CASE WHEN ended = 'returned' THEN duration_ns ELSE 0 END) AS longest_ns
	FROM syscall GROUP BY host, container, name) AS called
LEFT JOIN (SELECT host, container, label FROM container) AS named USING (host, container)
ORDER BY ns DESC, calls DESC, host, label, name;
