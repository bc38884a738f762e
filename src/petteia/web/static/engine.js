// @ts-check
// A worker that searches: WebAssembly made from the source of the server's searches. It knows no
// rules; it fills the memory of a search as it is told, and reads what was found after every depth.
// Where the page is isolated, it may begin another worker, which helps in the same memory.

/**
 * @import { EngineTask, HelpingTask } from "./messages.js"
 * @typedef {{module: string, memory: WebAssembly.Memory}} Join the code and memory of a helper
 * @typedef {{entry: string, stack: number, state: number, number: number,
 *   given: (number | bigint)[]}} Help what a helper runs, and where; the word at ``state`` holds
 *   the request's number until the helper takes it
 * @typedef {{line: string[], value: number | null, visits: number}} FoundMove
 * @typedef {{found: FoundMove[], depth: number, nodes: number, leaves: number, helped: number,
 *   seconds: number, done: boolean}} Known what is known after a depth, the best move first; how
 *   many of its nodes are a helper's
 */

export {}; // a module, so that its types have names

const PAGE = 65536;
const ARRAYS = { "<i8": BigInt64Array, "<u8": BigUint64Array, "<f8": Float64Array };

const IDLE = 0,
	BUSY = -1; // what a helper is doing; else the number of a request that it has not taken yet

let loaded = "";
let game = "";
/** @type {WebAssembly.Memory} */
let memory;
/** @type {Worker | null} */
let helper = null;
let requests = 0;
let canShare = globalThis.crossOriginIsolated && navigator.hardwareConcurrency > 1;
/** @type {Map<string, Uint8Array>} what was fetched, by its address */
const fetched = new Map();
/** @type {Record<string, any>} */
let code = {};

/** The clock of the searches. @param {number} _ @param {number} place */
function clock_gettime(_, place) {
	const now = performance.now();
	const view = new DataView(memory.buffer);
	view.setBigInt64(place, BigInt(Math.floor(now / 1000)), true);
	view.setBigInt64(place + 8, BigInt(Math.floor((now % 1000) * 1e6)), true);
	return 0;
}

/**
 * Loads code, which has a memory of its own if it is given none.
 * @param {string} address @param {WebAssembly.Memory} [given]
 */
async function load(address, given) {
	const { instance } = await WebAssembly.instantiateStreaming(fetch(address), {
		env: given ? { clock_gettime, memory: given } : { clock_gettime },
	});
	code = instance.exports;
	memory = given ?? code.memory;
	loaded = address;
	game = "";
	helper?.terminate(); // it has another memory
	helper = null;
}

/** Loads what a task needs; how a helper can join, if one can. @param {EngineTask} task */
async function loadFor({ module, helping }) {
	if (helping && canShare) {
		if (loaded === helping.module) return helping;
		try {
			const [initial, maximum] = [2 * helping.stack, helping.memory].map((n) => n / PAGE);
			await load(helping.module, new WebAssembly.Memory({ initial, maximum, shared: true }));
			helper = await joined({ module: loaded, memory });
			return helping;
		} catch {
			canShare = false; // some browsers have no room for such a memory
		}
	}
	if (loaded !== module) await load(module);
	return null;
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
 * @param {HelpingTask | null} helping
 */
function search(task, of, weights, helping) {
	const began = performance.now();
	const result = aligned(code.__heap_base.value, 64);
	const record = result + 64;
	const array = aligned(record + task.size, 4096);
	const told = aligned(array + task.bytes, 64); // what two workers tell each other
	const second = aligned(told + (helping?.bytes ?? 0), 64); // the helper's record
	const stack = aligned(second + (helping ? task.size : 0), 64);
	const missing = stack + (helping?.stack ?? 0) - memory.buffer.byteLength;
	if (missing > 0) memory.grow(Math.ceil(missing / PAGE));

	/** The numbers of a field. @param {string} name @param {number} [of] @returns {any} */
	const field = (name, of = record) => {
		const [at, type, count] = task.layout[name];
		const kind = ARRAYS[/** @type {keyof ARRAYS} */ (type)];
		return new kind(memory.buffer, of + at, count);
	};
	const number = (/** @type {string} */ name) => Number(field(name)[0]);

	const isNew = of !== game;
	const kept = isNew ? [] : task.kept.map((name) => [name, field(name).slice()]);
	new Uint8Array(memory.buffer, record, task.size).fill(0);
	for (const [name, numbers] of kept) field(name).set(numbers);
	for (const [name, texts] of Object.entries(task.fill)) {
		const isReal = task.layout[name][1] === "<f8";
		field(name).set(texts.map((text) => (isReal ? Number(text) : BigInt(text))));
	}
	if (weights) new Uint8Array(memory.buffer, record + task.layout.weights[0]).set(weights);
	if (task.pointer) {
		if (isNew) new Uint8Array(memory.buffer, array, task.bytes).fill(0);
		field(task.pointer)[0] = BigInt(array);
	}
	game = of;
	if (task.layout.deadline)
		field("deadline")[0] = BigInt(Math.round((began + 1000 * task.seconds) * 1e6));

	/** @param {number} record */
	const given = (record) => {
		/** @type {Record<string, number>} */
		const places = { null: 0, record, array };
		return task.arguments.map((text) => places[text] ?? BigInt(text));
	};
	const state = result + 32;
	if (helping) {
		new Uint8Array(memory.buffer, told, helping.bytes).fill(0);
		field(helping.pointer)[0] = BigInt(told);
		new Uint8Array(memory.buffer).copyWithin(second, record, record + task.size);
		for (const [name, number] of Object.entries(helping.fill))
			field(name, second)[0] = BigInt(number);
		const top = stack + helping.stack;
		askHelper({ entry: task.entry, stack: top, state, given: given(second) });
	}
	const dismiss = () => {
		if (!helping) return;
		field("stop", second)[0] = 1n;
		dismissHelper(state);
	};
	const helped = (/** @type {string} */ name) => (helping ? Number(field(name, second)[0]) : 0);
	for (let done = false; !done;) {
		const status = code[task.entry](result, result + 8, ...given(record));
		if (status !== 0) throw new Error(`the search failed with status ${status}`);
		if (number("refused")) throw new Error("the search met what it cannot search");
		done = number("done") !== 0;
		if (done) dismiss();
		/** @type {Known} */
		const known = {
			found: rows(
				number("found"),
				field("values"),
				field("lines"),
				task.layout.visits ? field("visits") : null,
			),
			depth: number("found_depth"),
			nodes: number("found_nodes") + helped("nodes"),
			leaves: number("found_leaves") + helped("leaves"),
			helped: helped("nodes"),
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

/** The word that says what the helper is doing. @param {number} state */
const wordAt = (state) => new Int32Array(memory.buffer, state, 1);

/**
 * A worker that is ready to help. It is waited for: while this one searches, no other can begin.
 * @param {Join} join
 * @returns {Promise<Worker>}
 */
function joined(join) {
	const made = new Worker("/static/engine.js", { type: "module" });
	return new Promise((ready, refused) => {
		/** @param {unknown} why */
		const failed = (why) => {
			made.terminate();
			refused(why);
		};
		made.onmessage = ({ data }) => (data.error ? failed(data.error) : ready(made));
		made.onerror = failed;
		made.postMessage({ join });
	});
}

/** Lets the helper search too. @param {Omit<Help, "number">} help */
function askHelper(help) {
	requests += 1;
	Atomics.store(wordAt(help.state), 0, requests);
	helper?.postMessage({ help: { ...help, number: requests } });
}

/**
 * Waits until the helper, which was told to stop, is done; if it has not begun, it never will.
 * @param {number} state
 */
function dismissHelper(state) {
	const word = wordAt(state);
	if (Atomics.compareExchange(word, 0, requests, IDLE) === BUSY) Atomics.wait(word, 0, BUSY);
}

/** Helps another worker until that says stop. @param {Help} help */
function assist(help) {
	const { state, number } = help;
	const word = wordAt(state);
	if (Atomics.compareExchange(word, 0, number, BUSY) !== number) return;
	code.__stack_pointer.value = help.stack;
	try {
		code[help.entry](state + 8, state + 16, ...help.given);
	} finally {
		Atomics.store(word, 0, IDLE);
		Atomics.notify(word, 0);
	}
}

onmessage = async ({ data: { task, of, join, help } }) => {
	try {
		if (join) {
			await load(join.module, join.memory);
			return postMessage("ready");
		}
		if (help) return assist(help);
		const helping = await loadFor(task);
		search(task, of, task.weights ? await weightsAt(task.weights) : null, helping);
	} catch (error) {
		postMessage({ error: String(error) });
	}
};
