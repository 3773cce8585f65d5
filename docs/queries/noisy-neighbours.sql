-- SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
-- SPDX-FileCopyrightText: 2026 The lttng-containers authors
-- The ten containers of the fleet that kept others off a CPU for longest: each host, culprit, how long, how many
-- waits, and of how many victims. What a container or the host's own tasks did to themselves does not count.
SELECT host, label, ns, waits, victims
FROM (SELECT host, culprit AS container, SUM(ns) AS ns, COUNT(*) AS waits, COUNT(DISTINCT victim) AS victims
	FROM blame WHERE kind = 'task' AND culprit > 0 AND victim <> culprit GROUP BY host, culprit) AS blamed
LEFT JOIN (SELECT host, container, label FROM container) AS named USING (host, container)
ORDER BY ns DESC, host, label
LIMIT 10;
