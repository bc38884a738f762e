// @ts-check
// A worker that searches: WebAssembly made from the source of the server's searches. It knows no
// rules; it fills the memory of a search as it is told, and reads what was found after every depth.

/**
 * @import { EngineTask } from "./messages.js"
 * @typedef {{line: string[], value: number | null, visits: number}} FoundMove
 * @typedef {{found: FoundMove[], depth: number, nodes: number, leaves: number, seconds: number,
 *   done: boolean}} Known what is known after a depth, the best move first
 */

export {}; // a module, so that its types have names

const PAGE = 65536;
const ARRAYS = { "<i8": BigInt64Array, "<u8": BigUint64Array, "<f8": Float64Array };

let loaded = "";
let game = "";
/** @type {Map<string, Uint8Array>} what was fetched, by its address */
const fetched = new Map();
/** @type {Record<string, any>} */
let code = {};

/** The clock of the searches. @param {number} _ @param {number} place */
function clock_gettime(_, place) {
	const now = performance.now();
	const view = new DataView(code.memory.buffer);
	view.setBigInt64(place, BigInt(Math.floor(now / 1000)), true);
	view.setBigInt64(place + 8, BigInt(Math.floor((now % 1000) * 1e6)), true);
	return 0;
}

/** @param {string} address */
async function load(address) {
	const { instance } = await WebAssembly.instantiateStreaming(fetch(address), {
		env: { clock_gettime },
	});
	code = instance.exports;
	loaded = address;
	game = "";
}

/** The weights of a network. @param {string} address */
async function weightsAt(address) {
	const known = fetched.get(address);
	if (known) return known;
	const answer = await fetch(address);
	if (!answer.ok) throw new Error(`there is no ${address}`);
	const found = new Uint8Array(await answer.arrayBuffer());
	fetched.set(address, found);
	return found;
}

/** The next address that so many divide. @param {number} place @param {number} step */
const aligned = (place, step) => Math.ceil(place / step) * step;

/**
 * Searches, and tells what is known after every depth.
 * @param {EngineTask} task
 * @param {string} of whose search it is: what it learned is kept as long as that stays the same
 * @param {Uint8Array | null} weights
 */
function search(task, of, weights) {
	const began = performance.now();
	const result = aligned(code.__heap_base.value, 64);
	const record = result + 64;
	const array = aligned(record + task.size, 4096);
	const missing = array + task.bytes - code.memory.buffer.byteLength;
	if (missing > 0) code.memory.grow(Math.ceil(missing / PAGE));

	/** The numbers of a field. @param {string} name @returns {any} */
	const field = (name) => {
		const [at, type, count] = task.layout[name];
		const kind = ARRAYS[/** @type {keyof ARRAYS} */ (type)];
		return new kind(code.memory.buffer, record + at, count);
	};
	const number = (/** @type {string} */ name) => Number(field(name)[0]);

	const isNew = of !== game;
	const kept = isNew ? [] : task.kept.map((name) => [name, field(name).slice()]);
	new Uint8Array(code.memory.buffer, record, task.size).fill(0);
	for (const [name, numbers] of kept) field(name).set(numbers);
	for (const [name, texts] of Object.entries(task.fill)) {
		const isReal = task.layout[name][1] === "<f8";
		field(name).set(texts.map((text) => (isReal ? Number(text) : BigInt(text))));
	}
	if (weights) new Uint8Array(code.memory.buffer, record + task.layout.weights[0]).set(weights);
	if (task.pointer) {
		if (isNew) new Uint8Array(code.memory.buffer, array, task.bytes).fill(0);
		field(task.pointer)[0] = BigInt(array);
	}
	game = of;
	if (task.layout.deadline)
		field("deadline")[0] = BigInt(Math.round((began + 1000 * task.seconds) * 1e6));

	/** @type {Record<string, number>} */
	const places = { null: 0, record, array };
	const given = task.arguments.map((text) => places[text] ?? BigInt(text));
	for (let done = false; !done;) {
		const status = code[task.entry](result, result + 8, ...given);
		if (status !== 0) throw new Error(`the search failed with status ${status}`);
		if (number("refused")) throw new Error("the search met what it cannot search");
		done = number("done") !== 0;
		/** @type {Known} */
		const known = {
			found: rows(
				number("found"),
				field("values"),
				field("lines"),
				task.layout.visits ? field("visits") : null,
			),
			depth: number("found_depth"),
			nodes: number("found_nodes"),
			leaves: number("found_leaves"),
			seconds: (performance.now() - began) / 1000,
			done,
		};
		postMessage(known);
	}
}

/**
 * The moves that were found, the best first; those with visits come in their order.
 * @param {number} count
 * @param {Float64Array} values
 * @param {BigInt64Array} lines one after the other, all of the same length
 * @param {BigInt64Array | null} visits
 * @returns {FoundMove[]}
 */
function rows(count, values, lines, visits) {
	const length = lines.length / values.length;
	const found = Array.from({ length: count }, (_, row) => {
		const line = lines.subarray(row * length, (row + 1) * length);
		return {
			line: Array.from(line.subarray(0, line.indexOf(-1n)), String),
			value: Number.isNaN(values[row]) ? null : values[row],
			visits: visits ? Number(visits[row]) : 0,
		};
	});
	return visits ? found : found.sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
}

onmessage = async ({ data: { task, of } }) => {
	try {
		if (loaded !== task.module) await load(task.module);
		search(task, of, task.weights ? await weightsAt(task.weights) : null);
	} catch (error) {
		postMessage({ error: String(error) });
	}
};
