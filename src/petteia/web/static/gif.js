// @ts-check
// Moving pictures as GIF files, written in the browser (GIF89a; LZW as its Appendix F says).

const MOST_COLOURS = 256;
const MOST_CODES = 4096;

/** @param {number} value */
const word = (value) => [value & 255, value >> 8];

/** A colour with five bits for each of red, green and blue: boards have few others. @param {Uint8ClampedArray} data @param {number} at */
const shade = (data, at) =>
	((data[at] >> 3) << 10) | ((data[at + 1] >> 3) << 5) | (data[at + 2] >> 3);

/** The colours that most pixels have, and for every shade the nearest of them. @param {ImageData[]} frames */
function palette(frames) {
	/** @type {Map<number, {count: number, rgb: number[]}>} */
	const seen = new Map();
	for (const { data } of frames)
		for (let at = 0; at < data.length; at += 4) {
			const found = seen.get(shade(data, at));
			if (found) found.count += 1;
			else seen.set(shade(data, at), { count: 1, rgb: [data[at], data[at + 1], data[at + 2]] });
		}
	const colours = [...seen.values()]
		.sort((a, b) => b.count - a.count)
		.slice(0, MOST_COLOURS)
		.map(({ rgb }) => rgb);
	const nearest = new Uint8Array(1 << 15);
	for (const [key, { rgb }] of seen) {
		let least = Infinity;
		for (const [i, each] of colours.entries()) {
			const away = (each[0] - rgb[0]) ** 2 + (each[1] - rgb[1]) ** 2 + (each[2] - rgb[2]) ** 2;
			if (away < least) [least, nearest[key]] = [away, i];
		}
	}
	return { colours, nearest };
}

/** Bytes by LZW, in blocks of at most 255. @param {Uint8Array} pixels @returns {number[]} */
export function packed(pixels) {
	const clear = MOST_COLOURS,
		end = clear + 1;
	/** @type {number[]} */
	const bytes = [];
	let held = 0,
		bits = 0,
		size = 9,
		next = end + 1;
	/** @type {Map<number, number>} the code of a known string with one more pixel */
	let known = new Map();
	const put = (/** @type {number} */ code) => {
		held |= code << bits;
		for (bits += size; bits >= 8; bits -= 8) {
			bytes.push(held & 255);
			held >>= 8;
		}
	};
	put(clear);
	let prefix = pixels[0];
	for (let at = 1; at < pixels.length; at++) {
		const key = (prefix << 8) | pixels[at],
			code = known.get(key);
		if (code !== undefined) {
			prefix = code;
			continue;
		}
		put(prefix);
		prefix = pixels[at];
		if (next === MOST_CODES) {
			put(clear);
			[known, next, size] = [new Map(), end + 1, 9];
		} else {
			// Who reads knows a new code one step later.
			if (next === 1 << size) size += 1;
			known.set(key, next++);
		}
	}
	put(prefix);
	put(end);
	if (bits) bytes.push(held);
	const blocks = [8];
	for (let at = 0; at < bytes.length; at += 255) {
		const block = bytes.slice(at, at + 255);
		blocks.push(block.length, ...block);
	}
	return [...blocks, 0];
}

/**
 * The part of a frame that differs from the one before.
 * @param {Uint8Array} pixels
 * @param {Uint8Array | undefined} before
 * @param {number} width
 */
function changed(pixels, before, width) {
	let [left, right, top, bottom] = [width, -1, Infinity, -1];
	for (let at = 0; at < pixels.length; at++) {
		if (before && pixels[at] === before[at]) continue;
		const [x, y] = [at % width, Math.floor(at / width)];
		[left, right, top, bottom] = [
			Math.min(left, x),
			Math.max(right, x),
			Math.min(top, y),
			Math.max(bottom, y),
		];
	}
	if (right < 0) [left, right, top, bottom] = [0, 0, 0, 0]; // it only lasts longer
	return { left, top, wide: right - left + 1, high: bottom - top + 1 };
}

/**
 * A moving picture that begins again after its end.
 * @param {ImageData[]} frames of one size
 * @param {number[]} lasting how long each is shown, in hundredths of a second
 * @returns {Blob}
 */
export function gif(frames, lasting) {
	const { width, height } = frames[0],
		{ colours, nearest } = palette(frames);
	const table = Array.from({ length: MOST_COLOURS }, (_, i) => colours[i] ?? [0, 0, 0]).flat();
	const parts = [
		[..."GIF89a"].map((letter) => letter.charCodeAt(0)),
		[...word(width), ...word(height), 0xf7, 0, 0],
		table,
		[0x21, 0xff, 11, ...[..."NETSCAPE2.0"].map((letter) => letter.charCodeAt(0)), 3, 1, 0, 0, 0],
	];
	/** @type {Uint8Array | undefined} */
	let before;
	for (const [i, { data }] of frames.entries()) {
		const pixels = Uint8Array.from(
			{ length: width * height },
			(_, at) => nearest[shade(data, 4 * at)],
		);
		const { left, top, wide, high } = changed(pixels, before, width);
		const part = Uint8Array.from(
			{ length: wide * high },
			(_, at) => pixels[(top + Math.floor(at / wide)) * width + left + (at % wide)],
		);
		parts.push(
			[0x21, 0xf9, 4, 4, ...word(lasting[i]), 0, 0],
			[0x2c, ...word(left), ...word(top), ...word(wide), ...word(high), 0],
			packed(part),
		);
		before = pixels;
	}
	return new Blob([...parts.map((part) => Uint8Array.from(part)), Uint8Array.of(0x3b)], {
		type: "image/gif",
	});
}
