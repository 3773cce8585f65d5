-- SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
-- SPDX-FileCopyrightText: 2026 The lttng-containers authors
-- Who had the CPU while each container waited for it: victim, kind (task, interrupt, idle, unknown), culprit, how
-- long. The culprits of `delays`.
SELECT host, label AS victim, kind, culprit_label AS culprit, ns
FROM (SELECT host, victim AS container, kind, culprit_label, ns
	FROM (SELECT host, victim, kind, culprit, SUM(ns) AS ns FROM blame GROUP BY host, victim, kind, culprit) AS blamed
	LEFT JOIN (SELECT host, container AS culprit, label AS culprit_label FROM container) AS culprits USING (host, culprit)) AS named
LEFT JOIN (SELECT host, container, label FROM container) AS victims USING (host, container)
ORDER BY ns DESC, host, victim, kind, culprit;
