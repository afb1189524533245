#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "store/array.h"

static void a_list_keeps_its_elements_as_it_grows(void **state)
{
	size_t room = 0;
	int *list = NULL;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		list = array_grow(list, (size_t)i, &room, sizeof(*list));
		assert_non_null(list);
		assert_true(room > (size_t)i);
		list[i] = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(list[i], i);
	free(list);
}

static void a_list_with_room_stays_where_it_is(void **state)
{
	size_t room = 0;
	int *list = array_grow(NULL, 0, &room, sizeof(*list));
	size_t before = room;

	(void)state;
	assert_ptr_equal(array_grow(list, before - 1, &room, sizeof(*list)), list);
	assert_int_equal(room, before);
	free(list);
}

static void a_list_that_no_memory_could_hold_is_refused(void **state)
{
	size_t room = SIZE_MAX / 16;

	(void)state;
	assert_null(array_grow(NULL, room, &room, 64));
	assert_true(room == SIZE_MAX / 16);
}

static void an_element_far_out_is_reached_and_what_lies_before_it_is_zero(void **state)
{
	size_t room = 0;
	int *list = array_grow(NULL, 0, &room, sizeof(*list));

	(void)state;
	for (size_t i = 0; i < room; i++)
		list[i] = (int)i + 1;
	list = array_reach(list, 1000, &room, sizeof(*list));
	assert_non_null(list);
	assert_true(room > 1000);
	assert_int_equal(list[0], 1);
	assert_int_equal(list[7], 8);
	for (size_t i = 8; i < room; i++)
		assert_int_equal(list[i], 0);
	free(list);
}

static void an_element_within_the_room_moves_nothing(void **state)
{
	size_t room = 0;
	int *list = array_reach(NULL, 20, &room, sizeof(*list));
	size_t before = room;

	(void)state;
	list[20] = 5;
	assert_ptr_equal(array_reach(list, before - 1, &room, sizeof(*list)), list);
	assert_int_equal(room, before);
	assert_int_equal(list[20], 5);
	free(list);
}

static void an_element_that_no_memory_could_hold_is_not_reached(void **state)
{
	size_t room = 0;

	(void)state;
	assert_null(array_reach(NULL, SIZE_MAX / 16, &room, 64));
	assert_true(room == 0);
}

static int compare_ints(const void *element, const void *key)
{
	return *(const int *)element - *(const int *)key;
}

static void the_first_from_a_key_is_where_it_stands_or_would_stand(void **state)
{
	static const int list[] = {2, 4, 4, 4, 9};
	static const struct {
		int key;
		size_t first;
	} wanted[] = {{1, 0}, {2, 0}, {3, 1}, {4, 1}, {5, 4}, {9, 4}, {10, 5}};

	(void)state;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		assert_int_equal(array_first_from(&wanted[i].key, list, 5, sizeof(list[0]), compare_ints),
				 wanted[i].first);
	assert_int_equal(array_first_from(&wanted[0].key, NULL, 0, sizeof(list[0]), compare_ints), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_keeps_its_elements_as_it_grows),
		cmocka_unit_test(a_list_with_room_stays_where_it_is),
		cmocka_unit_test(a_list_that_no_memory_could_hold_is_refused),
		cmocka_unit_test(an_element_far_out_is_reached_and_what_lies_before_it_is_zero),
		cmocka_unit_test(an_element_within_the_room_moves_nothing),
		cmocka_unit_test(an_element_that_no_memory_could_hold_is_not_reached),
		cmocka_unit_test(the_first_from_a_key_is_where_it_stands_or_would_stand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
