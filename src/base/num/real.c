/* Reads decimals as the double that is nearest to them, as strtod does in the C locale. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/num/units.h"

enum { MOST_POWER = 27, MOST_EXPONENT = 100000 };
__extension__ typedef unsigned __int128 wide;

struct decimal {
	uint64_t digits; /* up to 19 of them */
	int power;       /* of ten, by which they are multiplied */
	bool negative, cut;
};

static bool is_digit(const char *p, const char *end)
{
	return p < end && *p >= '0' && *p <= '9';
}

static const char *take_digits(struct decimal *d, const char *p, const char *end, int down)
{
	for (; is_digit(p, end); p++) {
		if (d->digits < UINT64_C(1000000000000000000)) {
			d->digits = d->digits * 10 + (uint64_t)(*p - '0');
			d->power -= down;
		} else {
			d->cut = d->cut || *p != '0';
			d->power += !down;
		}
	}
	return p;
}

static const char *take_exponent(struct decimal *d, const char *p, const char *end)
{
	const char *at = p + 1;
	bool negative = at < end && *at == '-';
	int n = 0;

	at += at < end && (*at == '-' || *at == '+');
	if (!is_digit(at, end))
		return p;
	for (; is_digit(at, end); at++)
		n = n < MOST_EXPONENT ? n * 10 + (*at - '0') : n;
	d->power += negative ? -n : n;
	return at;
}

static size_t take_decimal(struct decimal *d, const char *text, size_t len)
{
	const char *p = text, *end = text + len, *first;
	bool any;

	d->negative = p < end && *p == '-';
	first = p += d->negative;
	p = take_digits(d, p, end, 0);
	any = p > first;
	if (p < end && *p == '.') {
		first = p + 1;
		p = take_digits(d, first, end, 1);
		any = any || p > first;
	}
	if (!any)
		return 0;
	if (p < end && (*p == 'e' || *p == 'E'))
		p = take_exponent(d, p, end);
	return (size_t)(p - text);
}

/* 10^-27 to 10^27 as 128 bits, of which the first is 1; the negative ones rounded up. */
static const struct {
	uint64_t high, low;
} powers[] = {
	/* clang-format off */
	{0x9E74D1B791E07E48, 0x775EA264CF55347E}, {0xC612062576589DDA, 0x95364AFE032A819E},
	{0xF79687AED3EEC551, 0x3A83DDBD83F52205}, {0x9ABE14CD44753B52, 0xC4926A9672793543},
	{0xC16D9A0095928A27, 0x75B7053C0F178294}, {0xF1C90080BAF72CB1, 0x5324C68B12DD6339},
	{0x971DA05074DA7BEE, 0xD3F6FC16EBCA5E04}, {0xBCE5086492111AEA, 0x88F4BB1CA6BCF585},
	{0xEC1E4A7DB69561A5, 0x2B31E9E3D06C32E6}, {0x9392EE8E921D5D07, 0x3AFF322E62439FD0},
	{0xB877AA3236A4B449, 0x09BEFEB9FAD487C3}, {0xE69594BEC44DE15B, 0x4C2EBE687989A9B4},
	{0x901D7CF73AB0ACD9, 0x0F9D37014BF60A11}, {0xB424DC35095CD80F, 0x538484C19EF38C95},
	{0xE12E13424BB40E13, 0x2865A5F206B06FBA}, {0x8CBCCC096F5088CB, 0xF93F87B7442E45D4},
	{0xAFEBFF0BCB24AAFE, 0xF78F69A51539D749}, {0xDBE6FECEBDEDD5BE, 0xB573440E5A884D1C},
	{0x89705F4136B4A597, 0x31680A88F8953031}, {0xABCC77118461CEFC, 0xFDC20D2B36BA7C3E},
	{0xD6BF94D5E57A42BC, 0x3D32907604691B4D}, {0x8637BD05AF6C69B5, 0xA63F9A49C2C1B110},
	{0xA7C5AC471B478423, 0x0FCF80DC33721D54}, {0xD1B71758E219652B, 0xD3C36113404EA4A9},
	{0x83126E978D4FDF3B, 0x645A1CAC083126EA}, {0xA3D70A3D70A3D70A, 0x3D70A3D70A3D70A4},
	{0xCCCCCCCCCCCCCCCC, 0xCCCCCCCCCCCCCCCD}, {0x8000000000000000, 0x0000000000000000},
	{0xA000000000000000, 0x0000000000000000}, {0xC800000000000000, 0x0000000000000000},
	{0xFA00000000000000, 0x0000000000000000}, {0x9C40000000000000, 0x0000000000000000},
	{0xC350000000000000, 0x0000000000000000}, {0xF424000000000000, 0x0000000000000000},
	{0x9896800000000000, 0x0000000000000000}, {0xBEBC200000000000, 0x0000000000000000},
	{0xEE6B280000000000, 0x0000000000000000}, {0x9502F90000000000, 0x0000000000000000},
	{0xBA43B74000000000, 0x0000000000000000}, {0xE8D4A51000000000, 0x0000000000000000},
	{0x9184E72A00000000, 0x0000000000000000}, {0xB5E620F480000000, 0x0000000000000000},
	{0xE35FA931A0000000, 0x0000000000000000}, {0x8E1BC9BF04000000, 0x0000000000000000},
	{0xB1A2BC2EC5000000, 0x0000000000000000}, {0xDE0B6B3A76400000, 0x0000000000000000},
	{0x8AC7230489E80000, 0x0000000000000000}, {0xAD78EBC5AC620000, 0x0000000000000000},
	{0xD8D726B7177A8000, 0x0000000000000000}, {0x878678326EAC9000, 0x0000000000000000},
	{0xA968163F0A57B400, 0x0000000000000000}, {0xD3C21BCECCEDA100, 0x0000000000000000},
	{0x84595161401484A0, 0x0000000000000000}, {0xA56FA5B99019A5C8, 0x0000000000000000},
	{0xCECB8F27F4200F3A, 0x0000000000000000},
	/* clang-format on */
};

/* Multiplies by 128 bits of the power and rounds to even, as Lemire shows to be right for these
 * powers: "Number parsing at a gigabyte per second", 2021. */
bool pk_scale_decimal(uint64_t digits, int power, double *value)
{
	enum { FRACTION = DBL_MANT_DIG - 1, UNSURE = 0x1FF, BIAS = 1023, TIES = 23, NO_TIES = -4 };
	int blank, top, shift;
	uint64_t high, low, bits;
	wide product;

	if (power < -MOST_POWER || power > MOST_POWER)
		return false;
	*value = 0;
	if (!digits)
		return true;
	blank = __builtin_clzll(digits);
	product = (wide)(digits << blank) * powers[power + MOST_POWER].high;
	if ((uint64_t)(product >> 64 & UNSURE) == UNSURE)
		product += (wide)(digits << blank) * powers[power + MOST_POWER].low >> 64;
	high = (uint64_t)(product >> 64);
	low = (uint64_t)product;
	top = (int)(high >> 63);
	shift = top + 64 - FRACTION - 3;
	bits = high >> shift; /* one bit more than the double has, for rounding */
	if (low <= 1 && power >= NO_TIES && power <= TIES && (bits & 3) == 1 &&
	    bits << shift == high)
		bits--;
	bits = (bits + (bits & 1)) >> 1;
	/* adding the hidden bit increments the exponent, also where rounding carried into it;
	 * 217706 / 65536 is log2(10) */
	bits += (uint64_t)((217706 * power >> 16) + 63 + top - blank + BIAS - 1) << FRACTION;
	memcpy(value, &bits, sizeof(bits));
	return true;
}

size_t pk_parse_real(const char *text, size_t len, double *value)
{
	struct decimal d = {0};
	size_t used = take_decimal(&d, text, len);

	if (used && !d.cut && pk_scale_decimal(d.digits, d.power, value)) {
		*value = d.negative ? -*value : *value;
	} else if (used) {
		PK_BUF_AUTO copy = PK_BUF_INIT;

		pk_buf_add(&copy, text, used);
		*value = strtod(copy.data, NULL);
	}
	return used;
}
