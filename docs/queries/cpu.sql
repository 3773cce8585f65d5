-- SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
-- SPDX-FileCopyrightText: 2026 The lttng-containers authors
-- The CPU time of each container, its own, without interrupts: what `cpu` calls own_ns.
SELECT host, label, ns
FROM (SELECT host, container, SUM(end_ns - begin_ns) AS ns FROM run WHERE kind = 'task' GROUP BY host, container) AS used
LEFT JOIN (SELECT host, container, label FROM container) AS named USING (host, container)
ORDER BY ns DESC, host, label;
