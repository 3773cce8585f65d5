-- SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
-- SPDX-FileCopyrightText: 2026 The lttng-containers authors
-- How often and how long tasks of each container waited for a CPU, and the longest wait: the victims of `delays`.
SELECT host, label, waits, ns, longest_ns
FROM (SELECT host, container, COUNT(*) AS waits, SUM(waited_ns) AS ns, MAX(waited_ns) AS longest_ns FROM wait GROUP BY host, container) AS waited
LEFT JOIN (SELECT host, container, label FROM container) AS named USING (host, container)
ORDER BY ns DESC, host, label;
