/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "enrich.h"

/* The plug-in for babeltrace2: --plugin-path=DIR, -c filter.containers.enrich */

BT_PLUGIN_MODULE();
BT_PLUGIN(containers);
BT_PLUGIN_DESCRIPTION("Containers in LTTng traces");
BT_PLUGIN_AUTHOR("lttng-containers");
BT_PLUGIN_LICENSE("GPL-2.0-only OR LGPL-2.1-only");

BT_PLUGIN_FILTER_COMPONENT_CLASS(enrich, enrich_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION(enrich, ENRICH_DESCRIPTION);
BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP(enrich, ENRICH_HELP);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD(enrich, enrich_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD(enrich, enrich_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(enrich,
									  enrich_iterator_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(enrich,
									enrich_iterator_finalize);
