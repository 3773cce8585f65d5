/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "copy-field.h"

static int copy_structure_field(const bt_field *from, bt_field *to)
{
	uint64_t i, nr;

	nr = bt_field_class_structure_get_member_count(bt_field_borrow_class_const(from));
	for (i = 0; i < nr; i++)
		if (copy_field(bt_field_structure_borrow_member_field_by_index_const(from, i),
			       bt_field_structure_borrow_member_field_by_index(to, i)))
			return -1;
	return 0;
}

static int copy_elements(const bt_field *from, bt_field *to)
{
	uint64_t i, nr = bt_field_array_get_length(from);

	for (i = 0; i < nr; i++)
		if (copy_field(bt_field_array_borrow_element_field_by_index_const(from, i),
			       bt_field_array_borrow_element_field_by_index(to, i)))
			return -1;
	return 0;
}

static int copy_dynamic_array(const bt_field *from, bt_field *to)
{
	if (bt_field_array_dynamic_set_length(to, bt_field_array_get_length(from)) !=
	    BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK)
		return -1;
	return copy_elements(from, to);
}

static int copy_option_field(const bt_field *from, bt_field *to)
{
	const bt_field *content = bt_field_option_borrow_field_const(from);

	bt_field_option_set_has_field(to, content ? BT_TRUE : BT_FALSE);
	return content ? copy_field(content, bt_field_option_borrow_field(to)) : 0;
}

static int copy_variant_field(const bt_field *from, bt_field *to)
{
	if (bt_field_variant_select_option_by_index(
		    to, bt_field_variant_get_selected_option_index(from)) !=
	    BT_FIELD_VARIANT_SELECT_OPTION_STATUS_OK)
		return -1;
	return copy_field(bt_field_variant_borrow_selected_option_field_const(from),
			  bt_field_variant_borrow_selected_option_field(to));
}

static int copy_compound(const bt_field *from, bt_field *to, bt_field_class_type type)
{
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY))
		return copy_dynamic_array(from, to);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY))
		return copy_elements(from, to);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION))
		return copy_option_field(from, to);
	return copy_variant_field(from, to);
}

int copy_field(const bt_field *from, bt_field *to)
{
	bt_field_class_type type = bt_field_get_class_type(from);

	switch (type) {
	case BT_FIELD_CLASS_TYPE_BOOL:
		bt_field_bool_set_value(to, bt_field_bool_get_value(from));
		return 0;
	case BT_FIELD_CLASS_TYPE_BIT_ARRAY:
		bt_field_bit_array_set_value_as_integer(
			to, bt_field_bit_array_get_value_as_integer(from));
		return 0;
	case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER:
	case BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION:
		bt_field_integer_unsigned_set_value(to, bt_field_integer_unsigned_get_value(from));
		return 0;
	case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER:
	case BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION:
		bt_field_integer_signed_set_value(to, bt_field_integer_signed_get_value(from));
		return 0;
	case BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL:
		bt_field_real_single_precision_set_value(
			to, bt_field_real_single_precision_get_value(from));
		return 0;
	case BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL:
		bt_field_real_double_precision_set_value(
			to, bt_field_real_double_precision_get_value(from));
		return 0;
	case BT_FIELD_CLASS_TYPE_STRING:
		return bt_field_string_set_value(to, bt_field_string_get_value(from));
	case BT_FIELD_CLASS_TYPE_STRUCTURE:
		return copy_structure_field(from, to);
	default:
		return copy_compound(from, to, type);
	}
}
