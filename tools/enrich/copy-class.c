/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdint.h>

#include "copy-class.h"

static const bt_field_class *root_of(const struct class_copier *c, const bt_field_path *path)
{
	switch (bt_field_path_get_root_scope(path)) {
	case BT_FIELD_PATH_SCOPE_PACKET_CONTEXT:
		return c->packet;
	case BT_FIELD_PATH_SCOPE_EVENT_COMMON_CONTEXT:
		return c->common;
	case BT_FIELD_PATH_SCOPE_EVENT_SPECIFIC_CONTEXT:
		return c->specific;
	default:
		return c->payload;
	}
}

static const bt_field_class *child_at(const bt_field_class *fc, uint64_t index)
{
	if (bt_field_class_get_type(fc) == BT_FIELD_CLASS_TYPE_STRUCTURE)
		return bt_field_class_structure_member_borrow_field_class_const(
			bt_field_class_structure_borrow_member_by_index_const(fc, index));
	return bt_field_class_variant_option_borrow_field_class_const(
		bt_field_class_variant_borrow_option_by_index_const(fc, index));
}

/* How many those are; of others 0. */
static uint64_t nr_children(const bt_field_class *fc)
{
	bt_field_class_type type = bt_field_class_get_type(fc);

	if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
		return bt_field_class_structure_get_member_count(fc);
	return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT)
		       ? bt_field_class_variant_get_option_count(fc)
		       : 0;
}

/* The copy of what the path leads to. */
static bt_field_class *copy_at(const struct class_copier *c, const bt_field_path *path)
{
	const bt_field_class *fc = root_of(c, path);
	uint64_t i;

	for (i = 0; fc && i < bt_field_path_get_item_count(path); i++) {
		const bt_field_path_item *item = bt_field_path_borrow_item_by_index_const(path, i);

		switch (bt_field_path_item_get_type(item)) {
		case BT_FIELD_PATH_ITEM_TYPE_INDEX:
			fc = child_at(fc, bt_field_path_item_index_get_index(item));
			break;
		case BT_FIELD_PATH_ITEM_TYPE_CURRENT_ARRAY_ELEMENT:
			fc = bt_field_class_array_borrow_element_field_class_const(fc);
			break;
		default:
			fc = bt_field_class_option_borrow_field_class_const(fc);
		}
	}
	return fc ? hash_get(&c->classes, (uintptr_t)fc) : NULL;
}

static int append_member(struct class_copier *c, const bt_field_class_structure_member *from,
			 bt_field_class *to)
{
	bt_field_class *copy =
		copy_field_class(c, bt_field_class_structure_member_borrow_field_class_const(from));
	uint64_t at = bt_field_class_structure_get_member_count(to);
	int ret = -1;

	if (copy && bt_field_class_structure_append_member(
			    to, bt_field_class_structure_member_get_name(from), copy) ==
			    BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK) {
		bt_field_class_structure_member_set_user_attributes(
			bt_field_class_structure_borrow_member_by_index(to, at),
			bt_field_class_structure_member_borrow_user_attributes_const(from));
		ret = 0;
	}
	bt_field_class_put_ref(copy);
	return ret;
}

int copy_members(struct class_copier *c, const bt_field_class *from, bt_field_class *to)
{
	uint64_t i, nr = bt_field_class_structure_get_member_count(from);

	for (i = 0; i < nr; i++)
		if (append_member(c, bt_field_class_structure_borrow_member_by_index_const(from, i),
				  to))
			return -1;
	return 0;
}

/* Whether one that is of that kind is in it, or is it. */
static bool has_any(const bt_field_class *fc, bool (*is)(const bt_field_class *fc))
{
	bt_field_class_type type = bt_field_class_get_type(fc);
	uint64_t i, nr = nr_children(fc);

	if (is(fc))
		return true;
	for (i = 0; i < nr; i++)
		if (has_any(child_at(fc, i), is))
			return true;
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY))
		return has_any(bt_field_class_array_borrow_element_field_class_const(fc), is);
	return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION) &&
	       has_any(bt_field_class_option_borrow_field_class_const(fc), is);
}

static bool is_bit_field(const bt_field_class *fc)
{
	bt_field_class_type type = bt_field_class_get_type(fc);

	if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY)
		return bt_field_class_bit_array_get_length(fc) % 8;
	return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER) &&
	       bt_field_class_integer_get_field_value_range(fc) % 8;
}

static bool may_be_empty(const bt_field_class *fc)
{
	bt_field_class_type type = bt_field_class_get_type(fc);

	return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY) ||
	       (type == BT_FIELD_CLASS_TYPE_STATIC_ARRAY &&
		!bt_field_class_array_static_get_length(fc));
}

/* Of an integer that is copied. */
static uint64_t bits(const struct class_copier *c, uint64_t nr)
{
	return c->whole_bytes ? (nr + 7) / 8 * 8 : nr;
}

int copy_structure(struct class_copier *c, const bt_field_class *from, bt_field_class **to)
{
	c->whole_bytes = from && has_any(from, is_bit_field) && has_any(from, may_be_empty);
	*to = from ? copy_field_class(c, from) : NULL;
	return from && !*to ? -1 : 0;
}

static bt_field_class *new_structure(struct class_copier *c, const bt_field_class *from)
{
	bt_field_class *to = bt_field_class_structure_create(c->tc);

	if (to && copy_members(c, from, to)) {
		bt_field_class_put_ref(to);
		return NULL;
	}
	return to;
}

static bt_field_class *new_unsigned_enum(struct class_copier *c, const bt_field_class *from)
{
	bt_field_class *to = bt_field_class_enumeration_unsigned_create(c->tc);
	uint64_t i, nr = bt_field_class_enumeration_get_mapping_count(from);

	for (i = 0; to && i < nr; i++) {
		const bt_field_class_enumeration_unsigned_mapping *m =
			bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const(from, i);

		if (bt_field_class_enumeration_unsigned_add_mapping(
			    to,
			    bt_field_class_enumeration_mapping_get_label(
				    bt_field_class_enumeration_unsigned_mapping_as_mapping_const(
					    m)),
			    bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const(m)) !=
		    BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK)
			BT_FIELD_CLASS_PUT_REF_AND_RESET(to);
	}
	return to;
}

static bt_field_class *new_signed_enum(struct class_copier *c, const bt_field_class *from)
{
	bt_field_class *to = bt_field_class_enumeration_signed_create(c->tc);
	uint64_t i, nr = bt_field_class_enumeration_get_mapping_count(from);

	for (i = 0; to && i < nr; i++) {
		const bt_field_class_enumeration_signed_mapping *m =
			bt_field_class_enumeration_signed_borrow_mapping_by_index_const(from, i);

		if (bt_field_class_enumeration_signed_add_mapping(
			    to,
			    bt_field_class_enumeration_mapping_get_label(
				    bt_field_class_enumeration_signed_mapping_as_mapping_const(m)),
			    bt_field_class_enumeration_signed_mapping_borrow_ranges_const(m)) !=
		    BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK)
			BT_FIELD_CLASS_PUT_REF_AND_RESET(to);
	}
	return to;
}

/* sink.ctf.fs 2.0 gives up on a length in an element of another array, but can write one itself. */
static bool is_in_element(const bt_field_path *path)
{
	uint64_t i, nr = bt_field_path_get_item_count(path);

	for (i = 0; i < nr; i++)
		if (bt_field_path_item_get_type(bt_field_path_borrow_item_by_index_const(
			    path, i)) == BT_FIELD_PATH_ITEM_TYPE_CURRENT_ARRAY_ELEMENT)
			return true;
	return false;
}

static bt_field_class *new_dynamic_array(struct class_copier *c, const bt_field_class *from,
					 bt_field_class *element)
{
	const bt_field_path *path =
		bt_field_class_array_dynamic_with_length_field_borrow_length_field_path_const(from);
	bt_field_class *length = copy_at(c, path);

	if (!length)
		return NULL;
	return bt_field_class_array_dynamic_create(c->tc, element,
						   is_in_element(path) ? NULL : length);
}

static bt_field_class *new_array(struct class_copier *c, const bt_field_class *from,
				 bt_field_class_type type)
{
	bt_field_class *element, *to;

	element = copy_field_class(c, bt_field_class_array_borrow_element_field_class_const(from));
	if (!element)
		return NULL;
	if (type == BT_FIELD_CLASS_TYPE_STATIC_ARRAY)
		to = bt_field_class_array_static_create(
			c->tc, element, bt_field_class_array_static_get_length(from));
	else if (type == BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD)
		to = new_dynamic_array(c, from, element);
	else
		to = bt_field_class_array_dynamic_create(c->tc, element, NULL);
	bt_field_class_put_ref(element);
	return to;
}

static bt_field_class *new_bool_option(struct class_copier *c, const bt_field_class *from,
				       bt_field_class *content, bt_field_class *selector)
{
	bt_field_class *to =
		bt_field_class_option_with_selector_field_bool_create(c->tc, content, selector);

	if (to)
		bt_field_class_option_with_selector_field_bool_set_selector_is_reversed(
			to,
			bt_field_class_option_with_selector_field_bool_selector_is_reversed(from));
	return to;
}

static bt_field_class *new_option_of(struct class_copier *c, const bt_field_class *from,
				     bt_field_class_type type, bt_field_class *content)
{
	bt_field_class *selector;

	if (type == BT_FIELD_CLASS_TYPE_OPTION_WITHOUT_SELECTOR_FIELD)
		return bt_field_class_option_without_selector_create(c->tc, content);
	selector = copy_at(
		c,
		bt_field_class_option_with_selector_field_borrow_selector_field_path_const(from));
	if (!selector)
		return NULL;
	if (type == BT_FIELD_CLASS_TYPE_OPTION_WITH_BOOL_SELECTOR_FIELD)
		return new_bool_option(c, from, content, selector);
	if (type == BT_FIELD_CLASS_TYPE_OPTION_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD)
		return bt_field_class_option_with_selector_field_integer_unsigned_create(
			c->tc, content, selector,
			bt_field_class_option_with_selector_field_integer_unsigned_borrow_selector_ranges_const(
				from));
	return bt_field_class_option_with_selector_field_integer_signed_create(
		c->tc, content, selector,
		bt_field_class_option_with_selector_field_integer_signed_borrow_selector_ranges_const(
			from));
}

static bt_field_class *new_option(struct class_copier *c, const bt_field_class *from,
				  bt_field_class_type type)
{
	bt_field_class *content, *to;

	content = copy_field_class(c, bt_field_class_option_borrow_field_class_const(from));
	to = content ? new_option_of(c, from, type, content) : NULL;
	bt_field_class_put_ref(content);
	return to;
}

/* All three kinds of variants have statuses of one meaning: 0 is success. */
static int append_option(const bt_field_class *from, bt_field_class_type type, uint64_t i,
			 const char *name, bt_field_class *content, bt_field_class *to)
{
	if (type == BT_FIELD_CLASS_TYPE_VARIANT_WITHOUT_SELECTOR_FIELD)
		return bt_field_class_variant_without_selector_append_option(to, name, content);
	if (type == BT_FIELD_CLASS_TYPE_VARIANT_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD)
		return bt_field_class_variant_with_selector_field_integer_unsigned_append_option(
			to, name, content,
			bt_field_class_variant_with_selector_field_integer_unsigned_option_borrow_ranges_const(
				bt_field_class_variant_with_selector_field_integer_unsigned_borrow_option_by_index_const(
					from, i)));
	return bt_field_class_variant_with_selector_field_integer_signed_append_option(
		to, name, content,
		bt_field_class_variant_with_selector_field_integer_signed_option_borrow_ranges_const(
			bt_field_class_variant_with_selector_field_integer_signed_borrow_option_by_index_const(
				from, i)));
}

static int copy_option(struct class_copier *c, const bt_field_class *from, bt_field_class_type type,
		       uint64_t i, bt_field_class *to)
{
	const bt_field_class_variant_option *option =
		bt_field_class_variant_borrow_option_by_index_const(from, i);
	bt_field_class *content =
		copy_field_class(c, bt_field_class_variant_option_borrow_field_class_const(option));
	int ret = -1;

	if (content && !append_option(from, type, i, bt_field_class_variant_option_get_name(option),
				      content, to)) {
		bt_field_class_variant_option_set_user_attributes(
			bt_field_class_variant_borrow_option_by_index(to, i),
			bt_field_class_variant_option_borrow_user_attributes_const(option));
		ret = 0;
	}
	bt_field_class_put_ref(content);
	return ret;
}

static bt_field_class *new_variant(struct class_copier *c, const bt_field_class *from,
				   bt_field_class_type type)
{
	bt_field_class *selector = NULL, *to;
	uint64_t i, nr = bt_field_class_variant_get_option_count(from);

	if (type != BT_FIELD_CLASS_TYPE_VARIANT_WITHOUT_SELECTOR_FIELD) {
		selector = copy_at(
			c,
			bt_field_class_variant_with_selector_field_borrow_selector_field_path_const(
				from));
		if (!selector)
			return NULL;
	}
	to = bt_field_class_variant_create(c->tc, selector);
	for (i = 0; to && i < nr; i++)
		if (copy_option(c, from, type, i, to))
			BT_FIELD_CLASS_PUT_REF_AND_RESET(to);
	return to;
}

static bt_field_class *new_class(struct class_copier *c, const bt_field_class *from,
				 bt_field_class_type type)
{
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY))
		return new_array(c, from, type);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION))
		return new_option(c, from, type);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT))
		return new_variant(c, from, type);
	switch (type) {
	case BT_FIELD_CLASS_TYPE_BOOL:
		return bt_field_class_bool_create(c->tc);
	case BT_FIELD_CLASS_TYPE_BIT_ARRAY:
		return bt_field_class_bit_array_create(
			c->tc, bits(c, bt_field_class_bit_array_get_length(from)));
	case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER:
		return bt_field_class_integer_unsigned_create(c->tc);
	case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER:
		return bt_field_class_integer_signed_create(c->tc);
	case BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION:
		return new_unsigned_enum(c, from);
	case BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION:
		return new_signed_enum(c, from);
	case BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL:
		return bt_field_class_real_single_precision_create(c->tc);
	case BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL:
		return bt_field_class_real_double_precision_create(c->tc);
	case BT_FIELD_CLASS_TYPE_STRING:
		return bt_field_class_string_create(c->tc);
	case BT_FIELD_CLASS_TYPE_STRUCTURE:
		return new_structure(c, from);
	default:
		return NULL;
	}
}

bt_field_class *copy_field_class(struct class_copier *c, const bt_field_class *from)
{
	bt_field_class_type type = bt_field_class_get_type(from);
	bt_field_class *to = new_class(c, from, type);

	if (!to)
		return NULL;
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER)) {
		bt_field_class_integer_set_field_value_range(
			to, bits(c, bt_field_class_integer_get_field_value_range(from)));
		bt_field_class_integer_set_preferred_display_base(
			to, bt_field_class_integer_get_preferred_display_base(from));
	}
	bt_field_class_set_user_attributes(to, bt_field_class_borrow_user_attributes_const(from));
	hash_put(&c->classes, (uintptr_t)from, to);
	return to;
}
