-- SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
-- SPDX-FileCopyrightText: 2026 The lttng-containers authors
-- The hottest function of each container: the one in which it was found most often, as the last of its stack; how
-- often, and of how many samples of that container. Functions without a name do not count as one. Of several that
-- were as hot each is told.
SELECT host, label, function, samples, of_samples
FROM (SELECT host, container, function, samples, of_samples
	FROM (SELECT host, container, function, COUNT(*) AS samples FROM sample GROUP BY host, container, function) AS counted
	JOIN (SELECT host, container, MAX(known) AS samples, SUM(times) AS of_samples
		FROM (SELECT host, container, function, COUNT(*) AS times,
				SUM(CASE WHEN function IN ('[unknown]', '[unknown]_[k]') THEN 0 ELSE 1 END) AS known
			FROM sample WHERE container IS NOT NULL GROUP BY host, container, function) AS every
		GROUP BY host, container) AS top USING (host, container, samples)
	WHERE function NOT IN ('[unknown]', '[unknown]_[k]')) AS hot
LEFT JOIN (SELECT host, container, label FROM container) AS named USING (host, container)
ORDER BY samples DESC, host, label, function;
