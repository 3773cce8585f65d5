-- SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
-- SPDX-FileCopyrightText: 2026 The lttng-containers authors
-- In which function each container was found how often, as the last of its stack. The samples that `flame` counts.
SELECT host, label, function, samples
FROM (SELECT host, container, function, COUNT(*) AS samples FROM sample GROUP BY host, container, function) AS counted
LEFT JOIN (SELECT host, container, label FROM container) AS named USING (host, container)
ORDER BY samples DESC, host, label, function;
