/* Names that compilers mangled: what becomes of them, and what is left alone. */
#include "tests/check_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/demangle.h"

typedef bool demangle(struct pk_buf *out, const char *name, size_t len);

/* NULL: the name is left alone. */
static void expect(demangle *change, const char *name, const char *expected)
{
	struct pk_buf out = PK_BUF_INIT;
	bool changed;

	pk_buf_adds(&out, "> ");
	changed = change(&out, name, strlen(name));
	ck_assert_msg(changed == (expected != NULL), "'%s' is '%s'", name, out.data);
	ck_assert_str_eq(out.data + 2, expected ? expected : "");
	pk_buf_release(&out);
}

#define TABLE "_ZN5TableISsSt6vectorIiSaIiEEEixERKSs"

START_TEST(full)
{
	expect(pk_demangle, "_Z3foov", "foo()");
	expect(pk_demangle, "__Z3fooi", "foo(int)");
	expect(pk_demangle, "_Z3foov@plt", "foo()@plt");
	expect(pk_demangle, "_Z3foov.cold", "foo() [clone .cold]");
	expect(pk_demangle, "_Z3barIiEvT_", "void bar<int>(int)");
	expect(pk_demangle, TABLE,
	       "Table<std::string, std::vector<int, std::allocator<int> > >::operator[]"
	       "(std::string const&)");
	expect(pk_demangle, "_GLOBAL__I_main", "global constructors keyed to main");
	expect(pk_demangle, "_ZN4demo4work17hd2568a182f662a37E", "demo::work");
	expect(pk_demangle,
	       "_ZN40_$LT$demo..Ci$u20$as$u20$demo..Shape$GT$4area17h7307257a4c89daa4E",
	       "<demo::Ci as demo::Shape>::area");
	expect(pk_demangle, "_RNvNtCsjrHSEGnQ3l9_3std2rt19lang_start_internal",
	       "std::rt::lang_start_internal");
	expect(pk_demangle, "_D8demangle4testFZv", "demangle.test()");
}
END_TEST

/* Old versions of perf took names of Rust for names of C++. */
START_TEST(half_readable)
{
	expect(pk_demangle,
	       "gc::gc::GcBox$LT$T$GT$::new::_$u7b$$u7b$closure$u7d$$u7d$::ha2ed0674a1c3dc9f",
	       "gc::gc::GcBox<T>::new::{{closure}}");
	expect(pk_demangle_simple,
	       "gc::gc::GcBox$LT$T$GT$::new::_$u7b$$u7b$closure$u7d$$u7d$::ha2ed0674a1c3dc9f",
	       "gc::gc::GcBox::new::{{closure}}");
	expect(pk_demangle,
	       "_$LT$a..Read$LT$$u27$s$C$$u20$M$GT$$u20$as$u20$b..R$GT$::run::h30ecedc997ad7e32",
	       "<a::Read<'s, M> as b::R>::run");
	expect(pk_demangle, "a::f::h30ecedc997ad7e32@plt", "a::f@plt");
	expect(pk_demangle, "a::h30ecedc997ad7e32 [clone .llvm.7]", "a [clone .llvm.7]");
	expect(pk_demangle, "a::b$LT$T$GT$::f", NULL);
	expect(pk_demangle, "a::f$LT::h30ecedc997ad7e32", "a::f$LT");
	expect(pk_demangle, "::::h30ecedc997ad7e32", NULL);
	expect(pk_demangle, "::h30ecedc997ad7e32", NULL);
	expect(pk_demangle, "a::h0000000000000000", NULL);
}
END_TEST

START_TEST(what_is_not_mangled)
{
	expect(pk_demangle, "", NULL);
	expect(pk_demangle, "_Z", NULL);
	expect(pk_demangle, "_Zfoo", NULL);
	expect(pk_demangle, "main", NULL);
	expect(pk_demangle, "_RegisterX", NULL);
	expect(pk_demangle, "_Rb_tree_insert", NULL);
	expect(pk_demangle, "_Dmain", NULL);
	expect(pk_demangle, "_D8demangle", NULL);
	expect(pk_demangle, "a::b<int>::f(int)", NULL);
	expect(pk_demangle_simple, "", NULL);
	expect(pk_demangle_simple, "main", NULL);
	expect(pk_demangle_simple, "f(int)", NULL);
	expect(pk_demangle_simple, "java.lang.Object.<init>", NULL);
	expect(pk_demangle_simple, "main.(*T).String", NULL);
	expect(pk_demangle_simple, "a::b", NULL);
}
END_TEST

START_TEST(simple)
{
	expect(pk_demangle_simple, "_Z3foov", "foo");
	expect(pk_demangle_simple, "_Z3foov@plt", "foo@plt");
	expect(pk_demangle_simple, "_Z3barIiEvT_", "bar");
	expect(pk_demangle_simple, TABLE, "Table::operator[]");
	expect(pk_demangle_simple, "_ZlsIcERSoS0_T_", "operator<<");
	expect(pk_demangle_simple, "_RNvNtCsjrHSEGnQ3l9_3std2rt19lang_start_internal",
	       "std::rt::lang_start_internal");
	expect(pk_demangle_simple, "_D8demangle4testFZv", "demangle.test()");
	expect(pk_demangle_simple, "std::vector<int, std::allocator<int> >::push_back(int&&)",
	       "std::vector::push_back");
	expect(pk_demangle_simple, "std::function<void (int)>::operator()(int) const",
	       "std::function::operator()");
	expect(pk_demangle_simple, "a::operator-> <int>(b)", "a::operator->");
	expect(pk_demangle_simple, "a::operator<< <int>(b)", "a::operator<<");
	expect(pk_demangle_simple, "a::operator<<int>(b)", "a::operator<<int>");
	expect(pk_demangle_simple, "(anonymous namespace)::f(int) const",
	       "(anonymous namespace)::f");
	expect(pk_demangle_simple, "(anonymous namespace)::f", "(anonymous namespace)::f");
	expect(pk_demangle_simple, "a::f(int)::{lambda(int)#1}::operator()(int) const",
	       "a::f::{lambda(int)#1}::operator()");
	expect(pk_demangle_simple, "a::f<(b)1>(int) [clone .cold]", "a::f [clone .cold]");
	expect(pk_demangle_simple, "a::f<b", NULL);
	expect(pk_demangle_simple, "a::f(b", NULL);
	expect(pk_demangle_simple, "<a::B<u8> as c::D<e>>::f::<u8>", "<a::B as c::D>::f");
	expect(pk_demangle_simple, "core::ops::f::{{closure}}::h0123456789abcdef",
	       "core::ops::f::{{closure}}");
	expect(pk_demangle_simple, "std::rt::lang_start::<()>::{closure#0}",
	       "std::rt::lang_start::{closure#0}");
}
END_TEST

/* "_Z1fI1AIS0_S0_E..." names in which every step is twice the one before. */
START_TEST(bombs)
{
	struct pk_buf name = PK_BUF_INIT, out = PK_BUF_INIT;

	pk_buf_adds(&name, "_Z1fSt4pairIiiE");
	for (int i = 0; i < 40; i++)
		pk_buf_addf(&name, "S_I%s%sE", i ? "S1_" : "S0_", i ? "S1_" : "S0_");
	pk_demangle(&out, name.data, name.len);
	ck_assert_uint_le(out.len, 2 << 20);
	name.len = out.len = 0;
	pk_buf_adds(&name, "_Z1fPi");
	for (int i = 0; i < 30; i++)
		pk_buf_addf(&name, "PFS%c_S%c_S%c_E", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i],
			    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i],
			    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i]);
	pk_demangle(&out, name.data, name.len);
	ck_assert_uint_le(out.len, 2 << 20);
	name.len = out.len = 0;
	pk_buf_adds(&name, "_Z");
	for (int i = 0; i < 100000; i++)
		pk_buf_addc(&name, 'P');
	ck_assert(!pk_demangle(&out, name.data, name.len));
	ck_assert(!pk_demangle_simple(&out, name.data, name.len));
	pk_buf_release(&name);
	pk_buf_release(&out);
}
END_TEST

CHECK_MAIN("demangle", full, half_readable, what_is_not_mangled, simple, bombs)
