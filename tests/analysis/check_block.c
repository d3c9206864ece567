/* The last lines of functions and classes in Python sources. */
#include <string.h>

#include "analysis/lines/block.h"

#include "tests/check_util.h"

/* The last line is first - 1 + len(inspect.getblock(lines[first - 1:])) of Python 3.11. */
static const struct {
	uint32_t first, last;
	const char *text;
} blocks[] = {
	{1, 2,
	 "def f():\n"
	 "    return 1\n"
	 "x = 2\n"},
	{1, 3,
	 "def f():\n"
	 "    s = 'it\\'s ('\n"
	 "    return s\n"
	 "x = 2\n"},
	{1, 3,
	 "def f():\n"
	 "    s = \"a\\\\\"\n"
	 "    return s\n"
	 "x = 2\n"},
	{1, 6,
	 "def f():\n"
	 "    s = '''a\n"
	 "]\n"
	 "''' + (\n"
	 "1)\n"
	 "    return s\n"
	 "x = 2\n"},
	{1, 3,
	 "def f():\n"
	 "    return (1 +\n"
	 "2)\n"
	 "x = 2\n"},
	{1, 3,
	 "def f():\n"
	 "    return 1 + \\\n"
	 "2\n"
	 "x = 2\n"},
	{1, 5,
	 "@a\n"
	 "@b(\n"
	 "1)\n"
	 "def f():\n"
	 "    pass\n"
	 "\n"
	 "\n"
	 "x = 2\n"},
	{1, 5,
	 "@a\n"
	 "# c\n"
	 "def f():\n"
	 "    pass\n"
	 "    # in\n"
	 "# out\n"
	 "x = 2\n"},
	{2, 3,
	 "class A:\n"
	 "    def f(self):\n"
	 "        pass\n"
	 "\n"
	 "    def g(self):\n"
	 "        pass\n"
	 "\n"
	 "x = 1\n"},
	{5, 6,
	 "class A:\n"
	 "    def f(self):\n"
	 "        pass\n"
	 "\n"
	 "    def g(self):\n"
	 "        pass\n"
	 "\n"
	 "x = 1\n"},
	{1, 6,
	 "class A:\n"
	 "    def f(self):\n"
	 "        pass\n"
	 "\n"
	 "    def g(self):\n"
	 "        pass\n"
	 "\n"
	 "x = 1\n"},
	{1, 2,
	 "x = [lambda: 1,\n"
	 "     lambda: 2]\n"
	 "y = 3\n"},
	{1, 4,
	 "def f():\n"
	 "\tif x:\n"
	 "\t\tpass\n"
	 "        return 1\n"
	 "y = 3\n"},
	{1, 1,
	 "def f(): return 1\n"
	 "y = 3\n"},
	{1, 2,
	 "async def f():\n"
	 "    pass\n"
	 "y = 3\n"},
	{1, 8,
	 "def f():\n"
	 "    # only\n"
	 "\n"
	 "    undefined = 1\n"
	 "    if undefined:\n"
	 "        pass\n"
	 "        # deep\n"
	 "    # body\n"
	 "  # less\n"
	 "z = 1\n"},
	{1, 2,
	 "def f():\n"
	 "    pass"},
	{2, 3,
	 "if 1:\n"
	 "    def f():\n"
	 "        pass\n"
	 "    y = 1\n"},
	{2, 3,
	 "if 1:\n"
	 "    def f():\n"
	 "        pass\n"
	 "y = 1\n"},
	{1, 4,
	 "def f():\n"
	 "    x = {'a': [1, 2,\n"
	 " 3], ')': 2}\n"
	 "    return x # (\n"
	 "z\n"},
	{1, 1,
	 "definitely = 1\n"
	 "y = 2\n"},
	{1, 4,
	 "def f():\n"
	 "    é = 1\n"
	 "    defé = 2\n"
	 "    return é\n"
	 "z = 1\n"},
};

static uint32_t end_of(const char *text, uint32_t first)
{
	struct pk_source_text s;
	uint32_t end;

	ck_assert(pk_source_from_bytes(&s, text, strlen(text)));
	end = pk_python_block_end(&s, first);
	pk_source_release(&s);
	return end;
}

START_TEST(ends_as_python_finds_them)
{
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		uint32_t last = end_of(blocks[i].text, blocks[i].first);

		ck_assert_msg(last == blocks[i].last, "%u: %s", last, blocks[i].text);
	}
}
END_TEST

/* Where no block begins it is the end of the statement; a line that is not there is its own end. */
START_TEST(ends_without_a_block)
{
	ck_assert_uint_eq(end_of("x = [i for i in\n     range(3)]\ny = 3\n", 1), 2);
	ck_assert_uint_eq(end_of("def f():\n    pass\n", 3), 3);
	ck_assert_uint_eq(end_of("def f():\n    pass\n", 0), 0);
	/* Not closed: a string ends with its line, a bracket with the file. */
	ck_assert_uint_eq(end_of("def f():\n    s = '(\n    return s\nx = 1\n", 1), 3);
	ck_assert_uint_eq(end_of("def f():\n    s = (\n    return s\nx = 1\n", 1), 4);
	ck_assert_uint_eq(end_of("def f():\n    s = \"\"\"\n    return s\nx = 1\n", 1), 4);
}
END_TEST

CHECK_MAIN("block", ends_as_python_finds_them, ends_without_a_block)
