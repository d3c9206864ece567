// Undoes zlib's compression where the browser has no DecompressionStream. (RFC 1950, 1951.)

// For a list of code lengths: the symbols by length and value, and how many codes a length has.
function huffman(lengths) {
	const count = new Array(16).fill(0), start = [0, 0], symbols = [];
	for (const length of lengths)
		count[length]++;
	count[0] = 0;
	for (let i = 1; i < 15; i++)
		start[i + 1] = start[i] + count[i];
	lengths.forEach((length, symbol) => {
		if (length)
			symbols[start[length]++] = symbol;
	});
	return {count, symbols};
}

export function inflate(bytes) {
	const out = [];
	let at = 2, bits = 0, have = 0;
	function take(n) {
		for (; have < n; have += 8) {
			if (at >= bytes.length)
				throw new Error('the data of the page is cut off');
			bits |= bytes[at++] << have;
		}
		const value = bits & (1 << n) - 1;
		bits >>>= n;
		have -= n;
		return value;
	}
	function decode(table) {
		let code = 0, first = 0, index = 0;
		for (let length = 1; length < 16; length++) {
			code |= take(1);
			const count = table.count[length];
			if (code - first < count)
				return table.symbols[index + code - first];
			index += count;
			first = first + count << 1;
			code <<= 1;
		}
		throw new Error('the data of the page is damaged');
	}
	// Lengths and distances: a base for each symbol, and bits that are added.
	const extra = n => n < 8 ? 0 : n === 28 ? 0 : (n >> 2) - 1;
	const lengthBase = [], distanceBase = [];
	for (let i = 0, base = 3; i < 29; i++) {
		lengthBase.push(i === 28 ? 258 : base);
		base += 1 << extra(i);
	}
	for (let i = 0, base = 1; i < 30; i++) {
		distanceBase.push(base);
		base += 1 << (i < 4 ? 0 : (i >> 1) - 1);
	}
	const fixed = [huffman(Array.from({length: 288}, (_, i) => i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
		huffman(new Array(30).fill(5))];
	function tables() {
		const literals = take(5) + 257, distances = take(5) + 1, codes = take(4) + 4;
		const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
		const small = new Array(19).fill(0), lengths = [];
		for (let i = 0; i < codes; i++)
			small[order[i]] = take(3);
		const table = huffman(small);
		while (lengths.length < literals + distances) {
			const symbol = decode(table);
			if (symbol < 16) {
				lengths.push(symbol);
				continue;
			}
			const value = symbol === 16 ? lengths[lengths.length - 1] : 0;
			const times = symbol === 16 ? 3 + take(2) : symbol === 17 ? 3 + take(3) : 11 + take(7);
			for (let i = 0; i < times; i++)
				lengths.push(value);
		}
		return [huffman(lengths.slice(0, literals)), huffman(lengths.slice(literals))];
	}
	for (let last = 0; !last;) {
		last = take(1);
		const kind = take(2);
		if (kind === 0) {
			bits = have = 0;
			const size = bytes[at] | bytes[at + 1] << 8;
			for (let i = 0; i < size; i++)
				out.push(bytes[at + 4 + i]);
			at += 4 + size;
			continue;
		}
		const [literal, distance] = kind === 1 ? fixed : tables();
		for (let symbol = decode(literal); symbol !== 256; symbol = decode(literal)) {
			if (symbol < 256) {
				out.push(symbol);
				continue;
			}
			const length = lengthBase[symbol - 257] + take(extra(symbol - 257)), code = decode(distance);
			const back = distanceBase[code] + take(code < 4 ? 0 : (code >> 1) - 1);
			for (let i = 0; i < length; i++)
				out.push(out[out.length - back]);
		}
	}
	return Uint8Array.from(out);
}
